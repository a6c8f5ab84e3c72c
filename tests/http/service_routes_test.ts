import assert from "node:assert/strict";
import { list } from "../../src/proof/format/schema.ts";
import type { JsonValue } from "../../src/proof/format/strict_json.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { eachScheme } from "../schemes.ts";
import { BATCH } from "../../src/proof/format/bundle.ts";
import { GATEWAY_STATUS } from "../../src/proof/format/gateway_status.ts";
import { GATEWAY_CONFIG, PUBLIC_NETWORK } from "../../src/proof/format/public_network.ts";
import { HEALTH, UNHEALTHY } from "../../src/http/schema/opinion.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { TestNetwork, until } from "../gateway/fixture.ts";
import {
  AppClient,
  assertProblem,
  bodyOf,
  RefusingService,
  withGateway,
} from "./gateway_server.ts";

Deno.test("GET /health is 200 when healthy and 503 with the reason otherwise", async () => {
  await withGateway(async (server) => {
    const response = await server.get("/health");
    assert.equal(response.headers.get("Cache-Control"), "no-store");
    assert.deepEqual(await bodyOf(response, HEALTH), { status: "ok" });
  });
  for (const status of ["store_rolled_back", "storage_failed", "shutting_down"] as const) {
    const client = new AppClient(new RefusingService("internal", status));
    assert.deepEqual(await bodyOf(await client.get("/health"), UNHEALTHY, 503), { status });
  }
});

eachScheme.test("GET /v1/config and /v1/network describe the network and can be pinned", async (scheme) => {
  await withGateway(async (server) => {
    const { network } = server.network;
    assert.deepEqual(await bodyOf(await server.get("/v1/config"), GATEWAY_CONFIG), {
      id: network.id,
      threshold: 2,
      signature_scheme: scheme,
      witness_count: 3,
    });
    const response = await server.get("/v1/network");
    const text = await response.clone().text();
    assert.deepEqual(await bodyOf(response, PUBLIC_NETWORK), network);
    assert.deepEqual(parseNetwork(text), network);
  }, { scheme });
});

Deno.test("publicNetwork() omits unknown members", () => {
  const { network } = new TestNetwork();
  const secret = {
    ...network,
    bearer_token: "secret",
    anchors: [{ url: "secret" }],
    witnesses: network.witnesses.map(({ vkey: _, ...witness }) => ({
      ...witness,
      url: "https://secret",
      token: "secret",
    })),
    federation: {
      enabled: true,
      cross_anchor_threshold: 1,
      peer_networks: [{
        id: "peer.example/log",
        gateway_url: "https://peer.example",
        min_witnesses: 2,
        inbound_secret: "secret",
      }],
      outbound_secret: "secret",
    },
  };
  const told = publicNetwork(secret);
  assert.ok(!JSON.stringify(told).includes("secret"));
  assert.deepEqual(
    PUBLIC_NETWORK.parse(told as unknown as JsonValue, { where: "answer", code: "malformed_json" }),
    told,
  );
  assert.deepEqual(told.witnesses, network.witnesses);
  assert.deepEqual(told.federation.peer_networks, [
    { id: "peer.example/log", gateway_url: "https://peer.example", min_witnesses: 2 },
  ]);
});

Deno.test("GET /v1/status lists witnesses by id, without their URLs", async () => {
  await withGateway(async (server) => {
    await server.batch(1);
    const status = await bodyOf(await server.get("/v1/status"), GATEWAY_STATUS);
    assert.equal(status.status, "ok");
    assert.deepEqual(
      status.witnesses.map(({ id }) => id),
      server.network.network.witnesses.map(({ id }) => id),
    );
    assert.equal(status.sth?.tree_size, 1);
    assert.equal(status.pending_count, 0);
    server.takeDown(3);
    await server.post("/v1/attestations", { hash: "ab".repeat(32) });
    await until(async () => {
      const later = await bodyOf(await server.get("/v1/status"), GATEWAY_STATUS);
      return later.pending_count === 1 && later.oldest_pending_age !== undefined &&
        later.witnesses.every((witness) => !witness.healthy && witness.last_error !== undefined);
    });
  });
});

Deno.test("GET /v1/batches pages through batches, latest first, without gaps", async () => {
  await withGateway(async (server) => {
    const Batches = list(BATCH);
    assert.deepEqual(await bodyOf(await server.get("/v1/batches"), Batches), []);
    for (const count of [2, 1, 3]) await server.batch(count);
    const all = await bodyOf(await server.get("/v1/batches"), Batches);
    assert.equal(all[0]!.id, 6);
    let next = 0;
    for (const batch of all.toReversed()) {
      assert.equal(batch.first_index, next);
      assert.equal(batch.attestation_count, batch.tree_size - batch.first_index);
      next = batch.tree_size;
    }
    const paged = [];
    let query = "limit=1";
    while (paged.length < all.length) {
      const [batch] = await bodyOf(await server.get(`/v1/batches?${query}`), Batches);
      paged.push(batch!);
      query = `limit=1&before=${batch!.id}`;
    }
    assert.deepEqual(paged, all);
    const single = await server.get(`/v1/batches/${all[0]!.id}`);
    assert.match(single.headers.get("Cache-Control") ?? "", /immutable/);
    assert.deepEqual(await bodyOf(single, BATCH), all[0]);
    for (const id of [0, 7]) {
      await assertProblem(await server.get(`/v1/batches/${id}`), "batch_not_found");
    }
    for (
      const path of ["?limit=0", "?limit=101", "?limit=", "?before=0", "?before=x", "/x", "/01"]
    ) {
      await assertProblem(await server.get(`/v1/batches${path}`), "malformed_parameter");
    }
    assert.ok((await server.get("/v1/batches?limit=100&before=9007199254740991")).ok);
  });
});
