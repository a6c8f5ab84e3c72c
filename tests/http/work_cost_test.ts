/** What a request costs its client: as documented, charged before the work, and nothing for some. */

import assert from "node:assert/strict";
import { DEFAULT_CLIENT_LIMITS } from "../../src/config/gateway_limits.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { CLIENT_IN_FLIGHT, UNCHARGED_RATE } from "../../src/http/limits.ts";
import { RateLimits } from "../../src/http/rate_limits.ts";
import { PAIRING_READS } from "../../src/http/work_cost.ts";
import type { VerifierCrypto } from "../../src/proof/verify/verifier_crypto.ts";
import { QUICKNET_BEACONS } from "../beacons.ts";
import { FakeClock } from "../fake_clock.ts";
import {
  assertProblem,
  randomHashes,
  RefusingService,
  verifier,
  withGateway,
} from "./gateway_server.ts";

const PAGE = await Deno.readTextFile(new URL("../../docs/limits.md", import.meta.url));
const CLIENT = "192.0.2.1";

/** A gateway whose client has a budget of `reads`, at a time that stands still. */
function limitedApp(service: GatewayService, reads: number, crypto: VerifierCrypto = verifier) {
  const clock = new FakeClock();
  const limits = new RateLimits(
    { ...DEFAULT_CLIENT_LIMITS, reads: { perSecond: 1, burst: reads } },
    clock,
    () => {},
  );
  const app = gatewayApp({
    service,
    verifier: crypto,
    limits,
    report: (error: unknown) => assert.fail(String(error)),
    admission: { mode: "open", budget: limits.newAttestations },
  });
  return (
    method: string,
    path: string,
    { body, completed = Promise.resolve() }: { body?: string; completed?: Promise<void> } = {},
  ) =>
    app(
      new Request(`http://gateway.test${path}`, {
        method,
        ...(body !== undefined && { body, headers: { "Content-Type": "application/json" } }),
      }),
      { remoteAddr: { transport: "tcp", hostname: CLIENT, port: 40_000 }, completed },
    );
}

/** Requires that a request costs exactly `reads`: a budget of as many is empty after it. */
async function assertCost(
  service: GatewayService,
  reads: number,
  [method, path, body]: readonly [string, string, string?],
): Promise<void> {
  const ask = limitedApp(service, reads);
  const response = await ask(method, path, { ...(body !== undefined && { body }) });
  const text = await response.text();
  assert.ok(response.status < 300, `${path}: ${response.status} ${text}`);
  const refused = await ask("GET", "/v1/config");
  assert.equal(refused.headers.get("RateLimit"), '"reads";r=0;t=1', `${path} of ${reads}`);
  await assertProblem(refused, "rate_limited");
}

Deno.test("each operation costs its documented reads, and others cost one", async () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z]\w+[A-Z]\w+)` +\| ([0-9]+) +\|/gm)]
    .map(([, id, reads]) => [id!, Number(reads)] as const);
  await withGateway(async (server) => {
    const [hash] = await server.batch(256);
    const { size, signed } = await latest(server.gateway, hash!);
    const paths: Readonly<Record<string, readonly [string, string, string?]>> = {
      getBatches: ["GET", "/v1/batches"],
      getConsistencyProof: ["GET", `/v1/log/consistency?first=${size}&second=${size}`],
      getInclusionProof: ["GET", `/v1/log/proof?hash=${hash}&tree_size=${size}`],
      getTile: ["GET", "/tile/0/000"],
      getEntries: ["GET", "/tile/entries/000"],
      verifyAttestation: ["POST", "/v1/verify", signed],
    };
    assert.deepEqual(rows.map(([id]) => id).toSorted(), Object.keys(paths).toSorted());
    for (const [id, reads] of rows) await assertCost(server.gateway, reads, paths[id]!);
    await assertCost(server.gateway, 14, ["GET", "/v1/batches?limit=100"]);
    for (
      const path of [
        `/v1/attestations/${hash}`,
        `/v1/bundle/${hash}`,
        `/v1/proof/${hash}`,
        `/v1/anchors/${hash}`,
        "/v1/log/sth",
        `/v1/log/sth/${size}`,
        `/v1/batches/${size}`,
        "/v1/status",
        "/v1/config",
        "/v1/network",
        "/checkpoint",
        "/tile/0/000.p/1",
      ]
    ) await assertCost(server.gateway, 1, ["GET", path]);
    // A long query costs its characters.
    const query = (length: number) =>
      "/v1/config?".padEnd(length - "http://gateway.test".length, "a&");
    await assertCost(server.gateway, 1, ["GET", query(512)]);
    await assertCost(server.gateway, 2, ["GET", query(513)]);
    await assertCost(server.gateway, 1 + 468, ["GET", query(512 + 468 * 128)]);
    // What is sent costs its bytes.
    const document = await (await limitedApp(server.gateway, 1)("GET", "/openapi.json")).text();
    await assertCost(server.gateway, Math.ceil(document.length / 4096), ["GET", "/openapi.json"]);
  });
});

async function latest(service: GatewayService, hash: string) {
  const job = JSON.parse((await service.jobs.get(hash, undefined))!.json) as JobSnapshotMembers;
  const head = service.log.latest()!.sth.tree_head;
  return { size: head.tree_size, signed: JSON.stringify(job.signed_attestation) };
}

Deno.test("repeats in a bulk request are charged, and single repeats are free", async () => {
  await withGateway(async (server) => {
    const hashes = await server.batch(33);
    const body = JSON.stringify({ hashes });
    await assertCost(server.gateway, 3, ["POST", "/v1/attestations/batch", body]);
    const ask = limitedApp(server.gateway, 3);
    await ask("GET", "/v1/config");
    for (let i = 0; i < 10; i++) {
      const body = JSON.stringify({ hash: hashes[0] });
      assert.equal((await ask("POST", "/v1/attestations", { body })).status, 200);
    }
    // A request without budget for the reads of its repeats is refused with all its new hashes.
    const [fresh] = randomHashes(1);
    const mixed = JSON.stringify({ hashes: [fresh, ...hashes] });
    await assertProblem(
      await ask("POST", "/v1/attestations/batch", { body: mixed }),
      "rate_limited",
    );
    assert.equal(
      await server.gateway.eventLog.sequenceOf(Uint8Array.fromHex(fresh!).toHex()),
      undefined,
    );
  });
});

Deno.test("verification is charged in advance: bytes, then signatures, then the beacon", async () => {
  await withGateway(async (server) => {
    const [hash] = await server.batch(1);
    const { signed } = await latest(server.gateway, hash!);
    let verified = 0;
    const counted: VerifierCrypto = {
      ...verifier,
      ed25519: (...args) => (verified++, verifier.ed25519(...args)),
    };
    // No JSON, and refused for its length before that shows.
    const garbage = "[".repeat(60_000);
    await assertProblem(
      await limitedApp(server.gateway, 14, counted)("POST", "/v1/verify", { body: garbage }),
      "rate_limited",
    );
    await assertProblem(
      await limitedApp(server.gateway, 15, counted)("POST", "/v1/verify", { body: garbage }),
      "malformed_json",
    );
    const zeros = `[${Array(32_000).fill("0").join()}]`;
    await assertProblem(
      await limitedApp(server.gateway, 100, counted)("POST", "/v1/verify", { body: zeros }),
      "malformed_json",
    );
    await assertProblem(
      await limitedApp(server.gateway, 2, counted)("POST", "/v1/verify", { body: signed }),
      "rate_limited",
    );
    assert.equal(verified, 0);
    const ask = limitedApp(server.gateway, 3, counted);
    assert.equal((await (await ask("POST", "/v1/verify", { body: signed })).json()).valid, true);
    assert.equal(verified, 2);
  });
});

Deno.test("a bls attestation costs a pairing check", async () => {
  await withGateway(async (server) => {
    const [hash] = await server.batch(1);
    const { signed } = await latest(server.gateway, hash!);
    await assertCost(server.gateway, 1 + PAIRING_READS, ["POST", "/v1/verify", signed]);
  }, { scheme: "bls" });
});

Deno.test("a beacon costs a pairing check unless its verdict is cached", async () => {
  await withGateway(async (server) => {
    const [hash] = await server.batch(1);
    const { signed } = await latest(server.gateway, hash!);
    let pairings = 0;
    const counted: VerifierCrypto = {
      ...verifier,
      // The beacon was not signed.
      ed25519: () => Promise.resolve(true),
      bls: { ...verifier.bls, verify: (...args) => (pairings++, verifier.bls.verify(...args)) },
    };
    const [beacon] = QUICKNET_BEACONS;
    const body = signed.replace('"beacon":null', `"beacon":${JSON.stringify(beacon)}`);
    await assertProblem(
      await limitedApp(server.gateway, 2 + PAIRING_READS, counted)("POST", "/v1/verify", { body }),
      "rate_limited",
    );
    assert.equal(pairings, 0);
    const ask = limitedApp(server.gateway, 3 + PAIRING_READS + 3, counted);
    for (let i = 0; i < 2; i++) {
      const opinion = await (await ask("POST", "/v1/verify", { body })).json();
      assert.equal(opinion.time.not_before.length, 1);
    }
    assert.equal(pairings, 1);
    assert.equal((await ask("GET", "/v1/config")).status, 429);
  });
});

Deno.test("preflights and /health are delayed above their rate but never refused", async () => {
  const ask = limitedApp(new RefusingService("internal"), 1);
  await ask("GET", "/v1/config");
  assert.equal((await ask("GET", "/v1/config")).status, 429);
  const looks = Array.from(
    { length: UNCHARGED_RATE.burst },
    (_, i) => i % 2 === 0 ? ask("OPTIONS", "/v1/config") : ask("GET", "/health"),
  );
  for (const [i, response] of (await Promise.all(looks)).entries()) {
    assert.equal(response.status, i % 2 === 0 ? 204 : 200);
  }
  const start = performance.now();
  const late = await ask("OPTIONS", "/v1/attestations");
  // Held for 25 ms at least; a timer may be a millisecond early.
  assert.ok(performance.now() - start >= 20);
  assert.equal(late.status, 204);
  assert.equal(late.headers.get("Access-Control-Allow-Methods"), "POST, OPTIONS");
  assert.equal((await ask("GET", "/health")).status, 200);
});

Deno.test("a client above its requests in flight is refused at once and disconnected", async () => {
  const done = Promise.withResolvers<void>();
  const ask = limitedApp(new RefusingService("internal"), 10 * CLIENT_IN_FLIGHT);
  const held = Array.from(
    { length: CLIENT_IN_FLIGHT },
    () => ask("GET", "/v1/config", { completed: done.promise }),
  );
  await Promise.all(held);
  const refused = await ask("GET", "/v1/config");
  assert.equal(refused.headers.get("Connection"), "close");
  assert.equal(refused.headers.get("Retry-After"), "1");
  assert.equal(
    refused.headers.get("RateLimit-Policy"),
    `"requests_in_flight";q=${CLIENT_IN_FLIGHT}`,
  );
  await assertProblem(refused, "rate_limited");
  done.resolve();
  await Promise.resolve();
  assert.equal((await ask("GET", "/v1/config")).status, 200);
});
