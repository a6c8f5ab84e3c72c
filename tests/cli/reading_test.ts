import assert from "node:assert/strict";
import { digestOf, makeLog, SEQUENCE, TestNetwork } from "../proof/verify/fixture.ts";
import { assertFailed, type Client, withClient } from "./client_run.ts";
import { problem, StubGateway } from "./stub_gateway.ts";

const network = new TestNetwork("net.example/reading");
const log = makeLog(network);
const HASH = log.attestations[SEQUENCE]!.attestation.hash;
const UNKNOWN = digestOf("never submitted");

async function withGateway(
  use: (client: Client, gateway: StubGateway) => Promise<void>,
): Promise<void> {
  await using gateway = new StubGateway(log, [12]);
  await withClient(async (client) => {
    client.gateway = gateway.url;
    await use(client, gateway);
  });
}

Deno.test("status shows the job; uppercase is accepted and lowercase printed", async () => {
  await withGateway(async (client, gateway) => {
    const { code, stdout } = await client.run(["status", HASH.toUpperCase()]);
    assert.equal(code, 0);
    assert.match(stdout, new RegExp(`^hash: ${HASH}$`, "m"));
    assert.match(stdout, /^progress: batched$/m);
    const { json } = await client.runJson(["status", HASH]);
    assert.deepEqual(json, JSON.parse(JSON.stringify(gateway.job(HASH))));
  });
});

Deno.test("status without a hash shows the gateway and its foreign witnesses", async () => {
  await withGateway(async (client, gateway) => {
    gateway.lies.set("/v1/status", () =>
      Response.json({
        status: "ok",
        witnesses: [
          { id: "w1", healthy: true },
          { id: "w2", healthy: false, last_error: "token_refused" },
          { id: "w3", healthy: false, last_error: "toString" },
        ],
        pending_count: 2,
        sth: { tree_size: 12, age: 3 },
        foreign_witnesses: [
          {
            name: "north.example",
            url: "https://north.example/",
            last_cosigned: { tree_size: 10, age: 8 },
            behind: 2,
          },
          {
            name: "south.example",
            last_error: "witness_refused",
            failing_for: 60,
            next_attempt_at: 1_800_000_000,
          },
        ],
        foreign_quorum: { met: false, tree_size: 10 },
      }));
    const { code, stdout } = await client.run(["status"]);
    assert.equal(code, 0);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "status: ok",
      "unsigned hashes: 2",
      "latest tree head: size 12, 3 s old",
      "witness w1: answers",
      "witness w2: token_refused: give it and the gateway the same token",
      "witness w3: toString",
      "foreign witness north.example (https://north.example/): cosigned size 10 8 s ago, 2 behind",
      "foreign witness south.example: nothing cosigned, fails: witness_refused, " +
      "next attempt 2027-01-15T08:00:00Z",
      "policy of foreign witnesses: met by size 10, not by the latest tree head",
      "Not verified: only the gateway says so.",
    ]);
  });
});

Deno.test("status shows the last error of a job and escapes control characters", async () => {
  await withGateway(async (client, gateway) => {
    gateway.lies.set(`/v1/attestations/${UNKNOWN}`, () =>
      Response.json({
        ...gateway.job(UNKNOWN),
        status: "retryable",
        last_error: { code: "threshold_not_met", message: "\u001b[31m1 of 2" },
      }));
    const { code, stdout } = await client.run(["status", UNKNOWN]);
    assert.equal(code, 0);
    assert.match(stdout, /^status: retryable$/m);
    assert.match(stdout, /^last error: threshold_not_met, \\u001b\[31m1 of 2$/m);
  });
});

Deno.test("status of an unknown hash is an error", async () => {
  await withGateway(async (client) => {
    const { code, stdout, stderr } = await client.run(["status", UNKNOWN]);
    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, /hash_unknown/);
    const finished = await client.runJson(["status", UNKNOWN]);
    assertFailed(finished, "gateway_refused");
    assert.deepEqual(finished.json.error.refusal, { status: 404, code: "hash_unknown" });
  });
});

Deno.test("anchors shows an empty list for a 404, says which it was, and exits 0", async () => {
  await withGateway(async (client, gateway) => {
    const foreign = "ee".repeat(32);
    gateway.lies.set(`/v1/anchors/${foreign}`, () => new Response("<html>", { status: 404 }));
    const cases = [
      [HASH, "No external anchors: the gateway knows the hash and has none."],
      [UNKNOWN, "No external anchors: the gateway answered 404 hash_unknown."],
      [foreign, "No external anchors: the gateway answered 404."],
    ] as const;
    for (const [hash, text] of cases) {
      const { code, stdout } = await client.run(["anchors", hash]);
      assert.equal(code, 0);
      assert.equal(stdout, text);
      assert.deepEqual((await client.runJson(["anchors", hash])).json, []);
    }
  });
});

Deno.test("anchors fails on any other refusal", async () => {
  await withGateway(async (client, gateway) => {
    gateway.lies.set(`/v1/anchors/${HASH}`, () => problem(500, "internal"));
    assertFailed(await client.runJson(["anchors", HASH]), "gateway_refused");
  });
});

Deno.test("anchors lists the anchors", async () => {
  await withGateway(async (client, gateway) => {
    const anchor = log.externalAnchor({ from: 12, size: 16, timestamp: 1_766_275_400 });
    gateway.lies.set(`/v1/anchors/${HASH}`, () => Response.json([anchor]));
    const { stdout } = await client.run(["anchors", HASH]);
    assert.match(stdout, /^rfc3161 +anchored +2025-12-21T00:03:21Z$/m);
    assert.deepEqual((await client.runJson(["anchors", HASH])).json, [anchor]);
    const named = { ...anchor, service: "tsa-eu" };
    gateway.lies.set(`/v1/anchors/${HASH}`, () => Response.json([named, anchor]));
    assert.match((await client.run(["anchors", HASH])).stdout, /^rfc3161 +tsa-eu +anchored +2025/m);
    assert.deepEqual((await client.runJson(["anchors", HASH])).json, [named, anchor]);
    const hostile = { ...anchor, service: "a\u001b[2J" };
    gateway.lies.set(`/v1/anchors/${HASH}`, () => Response.json([hostile]));
    assertFailed(await client.runJson(["anchors", HASH]), "gateway_refused");
  });
});

Deno.test("bundle prints the bundle, the same in both formats", async () => {
  await withGateway(async (client, gateway) => {
    const text = await client.run(["bundle", HASH]);
    const json = await client.runJson(["bundle", HASH]);
    assert.equal(text.code, 0);
    assert.equal(text.stdout, json.stdout);
    assert.deepEqual(json.json, JSON.parse(JSON.stringify(gateway.bundle(SEQUENCE))));
    assertFailed(await client.runJson(["bundle", UNKNOWN]), "gateway_refused");
  });
});

Deno.test("proof prints the Merkle proof and does not call it verified", async () => {
  await withGateway(async (client, gateway) => {
    const { code, stdout } = await client.run(["proof", HASH]);
    assert.equal(code, 0);
    assert.match(stdout, /^Not verified/m);
    const { json } = await client.runJson(["proof", HASH]);
    assert.deepEqual(json, gateway.bundle(SEQUENCE).batch_inclusion?.merkle_proof);
  });
});

Deno.test("an answer about another hash is refused", async () => {
  await withGateway(async (client, gateway) => {
    const other = log.attestations[8]!.attestation.hash;
    gateway.lies.set(`/v1/bundle/${HASH}`, () => Response.json(gateway.bundle(8)));
    gateway.lies.set(`/v1/attestations/${HASH}`, () => Response.json(gateway.job(other)));
    gateway.lies.set(
      `/v1/proof/${HASH}`,
      () => Response.json(gateway.bundle(8).batch_inclusion?.merkle_proof),
    );
    assertFailed(await client.runJson(["bundle", HASH]), "proof_refused");
    assertFailed(await client.runJson(["proof", HASH]), "proof_refused");
    assertFailed(await client.runJson(["status", HASH]), "gateway_refused");
  });
});

Deno.test("--gateway outranks COUNTERSIGN_GATEWAY", async () => {
  await withGateway(async (client, gateway) => {
    client.gateway = "http://127.0.0.1:1";
    assertFailed(await client.runJson(["config"]), "gateway_unreachable");
    assert.equal((await client.run(["config", "--gateway", gateway.url])).code, 0);
    assert.equal((await client.run(["config", "--gateway", `${gateway.url}/`])).code, 0);
  });
});
