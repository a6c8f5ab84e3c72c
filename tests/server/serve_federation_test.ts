/** Two gateways in this process, peers of one another, of different schemes. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeCrossAnchorRequest } from "../../src/proof/format/federation.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { until } from "../gateway/fixture.ts";
import { freePorts } from "../free_ports.ts";
import { nativeCrypto } from "../schemes.ts";
import { withClient } from "../cli/client_run.ts";
import { threeEpochs, twoSuccessions } from "../proof/verify/test_succession.ts";
import { batch, jsonOf, type Served, ServedNetwork } from "./served_network.ts";

const HASHES = ["ab", "cd", "ef"].map((byte) => byte.repeat(32)) as [string, string, string];

/** Has `own` send its heads to `peer`, which listens for them on `port`. */
async function federate(
  own: ServedNetwork,
  ports: { readonly own: number; readonly peer: number },
  peer: ServedNetwork,
): Promise<void> {
  const from = (name: string) => `token-of-${name.replace(/\W/g, "-")}-0123456789`;
  await Deno.copyFile(peer.publicFile, join(own.folder, "peer.json"));
  await own.write("out", from(own.network.id));
  await own.write("in", from(peer.network.id));
  await own.configure({
    operator: { host: "127.0.0.1", port: ports.own },
    federation: {
      enabled: true,
      cross_anchor_threshold: 1,
      peer_networks: [{
        id: peer.network.id,
        config_file: "peer.json",
        min_witnesses: 3,
        federation_url: `http://127.0.0.1:${ports.peer}`,
        token_file: "out",
        accept_token_file: "in",
      }],
    },
  });
}

/** The level of the bundle of `hash` by the pinned configurations of both. */
async function levelOf(
  { url }: Served,
  hash: string,
  home: ServedNetwork,
  peer: ServedNetwork,
): Promise<string | undefined> {
  const text = await (await fetch(`${url}/v1/bundle/${hash}`)).text();
  const network = {
    ...home.network,
    federation: {
      enabled: true,
      peer_networks: [{ id: peer.network.id, min_witnesses: 3 }],
      cross_anchor_threshold: 1,
    },
  };
  const trust = { network, peers: [peer.network] };
  return (await verifyBundle(nativeCrypto, trust, parseBundle(text), { hash })).level;
}

Deno.test("gateways cosign each other's heads, and a later cross-anchor covers earlier batches", () =>
  withClient(async (client) => {
    const home = await ServedNetwork.create(client.folder, "home.example");
    const peer = await ServedNetwork.create(client.folder, "peer.example", "bls");
    const ports = { home: freePorts(1), peer: freePorts(1) };
    await federate(home, { own: ports.home, peer: ports.peer }, peer);
    await federate(peer, { own: ports.peer, peer: ports.home }, home);

    // While the peer is down, everything but its cosignatures goes on.
    await home.serve(async (served) => {
      await batch(served.url, HASHES[0]);
      assert.equal(await levelOf(served, HASHES[0], home, peer), "batched");
    });
    await peer.serve(async (servedPeer) => {
      await home.serve(async (served) => {
        const federated = async (hash: string) =>
          await levelOf(served, hash, home, peer) === "federated";
        await until(() => federated(HASHES[0]));
        await batch(served.url, HASHES[1]);
        await until(() => federated(HASHES[1]));
        const { peers } = await jsonOf(served.url, "/v1/status");
        assert.deepEqual([peers[0].failing, peers[0].last_cross_anchor.tree_size], [false, 2]);
        const metrics = await (await fetch(`${served.operatorUrl}/metrics`)).text();
        assert.match(metrics, /cross_anchor_tree_size\{peer="peer\.example"\} 2$/m);
        assert.match(metrics, /cross_anchors_total\{peer="peer\.example"\} [12]$/m);
        // And the other way round, by witnesses of another scheme.
        await batch(servedPeer.url, HASHES[2]);
        await until(async () => await levelOf(servedPeer, HASHES[2], peer, home) === "federated");
        const [seen] = await jsonOf(served.url, "/v1/federation/tree-heads");
        assert.equal(seen.origin, "peer.example");
        assert.deepEqual(await jsonOf(served.url, "/v1/federation/contradictions"), []);
      });
    });
    await home.serve(async (served) => {
      for (const hash of HASHES.slice(0, 2)) {
        assert.equal(await levelOf(served, hash, home, peer), "federated", "it was durable");
      }
    });
    const config = join(home.folder, "network.json");
    const { code, json } = await client.runJson(["fsck", "--config", config]);
    assert.equal(code, 0, JSON.stringify(json.faults));
    assert.ok(json.anchors.cross_anchors >= 2, JSON.stringify(json.anchors));
    assert.equal(json.anchors.seen_heads, 1);
    assert.deepEqual(json.not_compared, []);
  }));

Deno.test("a damaged cross-anchor is omitted from bundles and reported by fsck", () =>
  withClient(async (client) => {
    const home = await ServedNetwork.create(client.folder, "home.example");
    const peer = await ServedNetwork.create(client.folder, "peer.example");
    const ports = { home: freePorts(1), peer: freePorts(1) };
    await federate(home, { own: ports.home, peer: ports.peer }, peer);
    await federate(peer, { own: ports.peer, peer: ports.home }, home);
    await peer.serve(async () => {
      await home.serve(async (served) => {
        await batch(served.url, HASHES[0]);
        await until(async () => await levelOf(served, HASHES[0], home, peer) === "federated");
      });
    });
    {
      using kv = await Deno.openKv(join(home.folder, "data", "anchors.kv"));
      await kv.set(["ca", "peer.example", 1], new Uint8Array(3));
    }
    const config = join(home.folder, "network.json");
    const { code, json } = await client.runJson(["fsck", "--config", config]);
    assert.equal(code, 1);
    assert.deepEqual(json.fault_counts, { cross_anchor: 1 });
    assert.match(json.faults[0].place, /"ca","peer\.example","1"/);
    await home.serve(async (served) => {
      const { io } = served;
      await until(() => io.errLines.some((line) => /cross-anchor 1 by peer\.example/.test(line)));
      assert.equal(await levelOf(served, HASHES[0], home, peer), "batched");
      await batch(served.url, HASHES[1]);
    });
  }));

Deno.test("a token identifies the operator or one peer, and contradictions outlive the peer", () =>
  withClient(async (client) => {
    const home = await ServedNetwork.create(client.folder, "home.example");
    const peer = await ServedNetwork.create(client.folder, "peer.example");
    const ports = { home: freePorts(1), peer: freePorts(1) };
    await federate(home, { own: ports.home, peer: ports.peer }, peer);
    await home.configure({
      operator: { host: "127.0.0.1", port: ports.home, token_file: "in" },
    });
    await assert.rejects(
      home.serve(() => Promise.resolve()),
      /its token is also the token of peer peer\.example/,
    );
    await home.write("mine", "token-of-the-operator-0123456789");
    await home.configure({
      operator: { host: "127.0.0.1", port: ports.home, token_file: "mine" },
    });
    await home.serve(() => Promise.resolve());
    await home.configure({
      federation: { enabled: false, cross_anchor_threshold: 0, peer_networks: [] },
    });
    await home.serve(async (served) => {
      assert.deepEqual(await jsonOf(served.url, "/v1/federation/contradictions"), []);
      assert.equal((await jsonOf(served.url, "/v1/status")).contradictions, 0);
    });
  }));

Deno.test("two successions of a peer outlive a restart and the peer, and verify offline", () =>
  withClient(async (client) => {
    const home = await ServedNetwork.create(client.folder, "home.example");
    const { log, epochs: [zero] } = threeEpochs();
    const { origin, first, second } = twoSuccessions();
    let chain = [first];
    await using gateway = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      () => Response.json(chain),
    );
    await home.write("peer.json", publicNetworkJson(zero.configuration));
    await home.write("in", "token-of-the-peer-0123456789");
    const federation = { enabled: true, cross_anchor_threshold: 0 };
    await home.configure({
      operator: { host: "127.0.0.1", port: freePorts(1) },
      federation: {
        ...federation,
        peer_networks: [{
          id: origin,
          config_file: "peer.json",
          min_witnesses: 2,
          accept_token_file: "in",
          gateway_url: `http://127.0.0.1:${gateway.addr.port}/`,
        }],
      },
    });
    // A head that no known epoch signed has the peer's succession fetched, once in a minute.
    const body = encodeCrossAnchorRequest({
      sth: zero.signHead(log.head(20, 1_766_280_000)),
      logSignature: new Uint8Array(64),
      minWitnesses: 0,
      growth: [],
    });
    const headers = {
      "content-type": "application/json",
      authorization: "Bearer token-of-the-peer-0123456789",
    };
    const send = ({ operatorUrl }: Served) =>
      fetch(`${operatorUrl}/v1/federation/tree-heads`, { method: "POST", headers, body })
        .then((answer) => answer.json());
    const PATH = "/v1/federation/contradictions";
    await home.serve(async (served) => {
      assert.equal((await send(served)).code, "tree_head_refused");
      assert.deepEqual(await jsonOf(served.url, PATH), []);
    });
    chain = [second];
    let shown: unknown[] = [];
    await home.serve(async (served) => {
      assert.equal((await send(served)).code, "tree_head_refused");
      shown = await jsonOf(served.url, PATH);
      const [{ found_at, ...evidence }] = shown as [Record<string, unknown>];
      assert.ok(Number.isInteger(found_at));
      assert.deepEqual([shown.length, evidence], [1, { origin, first, second }]);
      assert.match(
        served.io.errLines.join("\n"),
        /Alert: epochs\.example has two successions of epoch 0/,
      );
      const metrics = await (await fetch(`${served.operatorUrl}/metrics`)).text();
      assert.match(metrics, /contradictions_total 1$/m);
    });
    const config = join(home.folder, "network.json");
    const { code, json } = await client.runJson(["fsck", "--config", config]);
    assert.deepEqual([code, json.anchors.contradictions], [0, 1], JSON.stringify(json));
    await home.configure({ federation: { ...federation, enabled: false, peer_networks: [] } });
    await home.serve(async ({ url }) => {
      assert.deepEqual(await jsonOf(url, PATH), shown);
      assert.equal((await jsonOf(url, "/v1/status")).contradictions, 1);
      client.gateway = url;
      const verify = ["log", "contradictions", "--network-config", join(home.folder, "peer.json")];
      const proved = await client.runJson(verify);
      assert.deepEqual([proved.code, proved.json.proved], [1, 1], proved.stdout);
      assert.deepEqual(proved.json.successions[0].signed_both, [`${origin}/b`]);
    });
  }));

Deno.test("a gateway that stops answers the peers that wait for its witnesses", () =>
  withClient(async (client) => {
    const home = await ServedNetwork.create(client.folder, "home.example");
    const peer = await ServedNetwork.create(client.folder, "peer.example");
    const ports = { home: freePorts(1), peer: freePorts(1) };
    await federate(home, { own: ports.home, peer: ports.peer }, peer);
    await federate(peer, { own: ports.peer, peer: ports.home }, home);
    let held = 0;
    const released = Promise.withResolvers<void>();
    await using silent = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => {} },
      async ({ url }) => {
        if (url.endsWith("/cosign")) held++;
        await released.promise;
        return new Response();
      },
    );
    // Before the server ends, which waits for what it has in hand.
    using _ = { [Symbol.dispose]: () => released.resolve() };
    const { witnesses } = JSON.parse(
      await Deno.readTextFile(join(peer.folder, "network.json")),
    ) as { witnesses: Record<string, string>[] };
    await peer.configure({
      witnesses: witnesses.map(({ key_file: _key, state_file: _state, ...key }, i) => ({
        ...key,
        url: `http://127.0.0.1:${silent.addr.port}/${i}`,
        token: `token-of-silent-witness-${i}`,
      })),
    });
    await home.serve(async (served) => {
      await peer.serve(async () => {
        await batch(served.url, HASHES[0]);
        await until(() => held > 0);
      });
      await until(() => served.io.errLines.some((line) => line.includes("503 shutting_down")));
    });
  }));
