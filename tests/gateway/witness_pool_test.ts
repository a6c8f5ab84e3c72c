import assert from "node:assert/strict";
import { type Bytes, utf8 } from "../../src/bytes.ts";
import { Ed25519Signer, generateSeed, verifyNative } from "../../src/crypto/ed25519_native.ts";
import { CountersignError, hasCode } from "../../src/errors.ts";
import type { NetworkConfiguration } from "../../src/format/network.ts";
import { type PooledWitness, WitnessPool } from "../../src/gateway/witness_pool.ts";
import { FakeClock } from "../fake_clock.ts";

const MESSAGE = "a message\n";

/** A pool over `ids`, whose clients are told apart by their ids alone. */
function makePool(ids: readonly string[], threshold: number) {
  const clock = new FakeClock();
  const signers = new Map(ids.map((id) => [id, new Ed25519Signer(generateSeed())]));
  const network: NetworkConfiguration = {
    id: "pool.example",
    threshold,
    signature_scheme: "ed25519",
    witnesses: ids.map((id) => ({ id, pubkey: signers.get(id)!.publicKey.toHex() })),
    merge_delay_seconds: 1,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  const never = () => Promise.reject(new Error("asked directly"));
  const clients = ids.toReversed().map((id) => ({
    id,
    sign: never,
    cosign: never,
    checkHealth: () => id === "sick" ? Promise.reject(new Error("ill")) : Promise.resolve(),
  }));
  const pool = new WitnessPool(network, clients, { verify: verifyNative, clock, timeoutMs: 1_000 });
  const signatureOf = (id: string): Bytes => signers.get(id)!.sign(utf8(MESSAGE));
  const honest = (witness: PooledWitness) => Promise.resolve(signatureOf(witness.id));
  return { pool, clock, signatureOf, honest, stop: new AbortController() };
}

function forEver(): Promise<Bytes> {
  return new Promise(() => {});
}

Deno.test("WitnessPool.collect() answers with exactly the threshold, ascending by id", async () => {
  const ids = Array.from({ length: 12 }, (_, i) => `w${i + 1}`);
  const { pool, honest, stop, signatureOf } = makePool(ids, 7);
  assert.deepEqual(pool.witnesses.map(({ id }) => id), ids.toSorted());
  const signatures = await pool.collect(MESSAGE, honest, stop.signal);
  assert.equal(signatures.length, 7);
  signatures.forEach(({ witness, signature }, i) => {
    assert.ok(i === 0 || signatures[i - 1]!.witness < witness);
    assert.deepEqual(signature, signatureOf(pool.witnesses[witness]!.id));
  });
});

Deno.test("WitnessPool.collect() asks all at once, and cancels the rest at the threshold", async () => {
  const { pool, honest, stop } = makePool(["a", "b", "c", "d"], 2);
  const asked: string[] = [];
  const cancelled: string[] = [];
  const signatures = await pool.collect(MESSAGE, (witness, place, signal) => {
    asked.push(witness.id);
    assert.equal(pool.witnesses[place], witness);
    if (witness.id === "b" || witness.id === "d") return honest(witness);
    signal.addEventListener("abort", () => cancelled.push(witness.id));
    return forEver();
  }, stop.signal);
  assert.deepEqual(asked, ["a", "b", "c", "d"]);
  assert.deepEqual(signatures.map(({ witness }) => witness), [1, 3]);
  assert.deepEqual(cancelled, ["a", "c"]);
  // Nobody is called ill for having been cancelled.
  assert.deepEqual(pool.health[0], {});
});

Deno.test("WitnessPool.collect() fails as soon as the threshold is out of reach", async () => {
  const { pool, honest, stop, clock } = makePool(["a", "b", "c"], 2);
  const refused = pool.collect(MESSAGE, (witness) => {
    if (witness.id === "a") return honest(witness);
    if (witness.id === "b") return Promise.reject(new CountersignError("time_refused", "no"));
    return Promise.resolve(new Uint8Array(64));
  }, stop.signal);
  await assert.rejects(refused, { code: "threshold_not_met" });
  await refused.catch(({ message }) => {
    assert.match(message, /b: time_refused/);
    assert.match(message, /c: witness_refused/);
  });
  assert.equal(clock.sleeping, 0);
  const now = Math.floor(clock.nowMs() / 1000);
  assert.deepEqual(pool.health, [
    { lastSeenAt: now },
    { lastError: "time_refused" },
    { lastError: "witness_refused" },
  ]);
  await pool.collect(MESSAGE, honest, stop.signal);
  assert.ok(pool.health.filter(({ lastSeenAt }) => lastSeenAt === now).length >= 2);
});

Deno.test("WitnessPool.collect() waits for those that do not answer until their time is up", async () => {
  const { pool, honest, stop, clock } = makePool(["a", "b", "c"], 2);
  const failures: unknown[] = [];
  pool.collect(MESSAGE, (witness) => witness.id === "a" ? honest(witness) : forEver(), stop.signal)
    .catch((error) => failures.push(error));
  await clock.advance(999);
  assert.deepEqual(failures, []);
  await clock.advance(1);
  assert.ok(hasCode(failures[0], "threshold_not_met"));
  assert.equal(pool.health[1]!.lastError, "witness_unreachable");
});

Deno.test("WitnessPool.collect() counts each witness's own signature over this message", async () => {
  const { pool, signatureOf, stop } = makePool(["a", "b", "c"], 2);
  const borrowed = pool.collect(MESSAGE, () => Promise.resolve(signatureOf("a")), stop.signal);
  await assert.rejects(borrowed, { code: "threshold_not_met" });
  const ofAnother = pool.collect(
    "another message\n",
    (witness) => Promise.resolve(signatureOf(witness.id)),
    stop.signal,
  );
  await assert.rejects(ofAnother, { code: "threshold_not_met" });
});

Deno.test("WitnessPool.collect() ends with its caller's reason, and leaves nothing behind", async () => {
  const { pool, honest, stop, clock } = makePool(["a", "b", "c"], 2);
  const ask = (witness: PooledWitness) => witness.id === "a" ? honest(witness) : forEver();
  const waiting = pool.collect(MESSAGE, ask, stop.signal);
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(pool.collect(MESSAGE, honest, stop.signal), reason);
  assert.equal(clock.sleeping, 0);
  assert.deepEqual(pool.health.slice(1), [{}, {}]);
});

Deno.test("WitnessPool takes late answers for what they are: too late", async () => {
  const { pool, honest, stop, signatureOf, clock } = makePool(["a", "b", "c"], 2);
  const late = Promise.withResolvers<Bytes>();
  const signatures = await pool.collect(
    MESSAGE,
    (witness) => witness.id === "a" ? late.promise : honest(witness),
    stop.signal,
  );
  late.resolve(signatureOf("a"));
  await clock.advance(5_000);
  assert.deepEqual(signatures.map(({ witness }) => witness), [1, 2]);
});

Deno.test("WitnessPool.checkHealth() says who answers", async () => {
  const { pool, clock } = makePool(["sick", "well"], 1);
  await pool.checkHealth(new AbortController().signal);
  assert.deepEqual(pool.health, [
    { lastError: "witness_unreachable" },
    { lastSeenAt: Math.floor(clock.nowMs() / 1000) },
  ]);
});

Deno.test("WitnessPool needs a client for each witness", () => {
  const { pool } = makePool(["a"], 1);
  const context = { verify: verifyNative, clock: new FakeClock(), timeoutMs: 1 };
  const network = {
    id: "pool.example",
    threshold: 1,
    signature_scheme: "ed25519" as const,
    witnesses: [{ id: "b", pubkey: "00".repeat(32) }],
    merge_delay_seconds: 1,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  const clients = pool.witnesses.map(({ client }) => client);
  assert.throws(() => new WitnessPool(network, clients, context), { code: "internal" });
});
