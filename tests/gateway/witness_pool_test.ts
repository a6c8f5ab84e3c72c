import assert from "node:assert/strict";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import type { Bls } from "../../src/proof/crypto/bls.ts";
import { CountersignError, hasCode } from "../../src/base/errors.ts";
import { BlsSigner } from "../../src/proof/crypto/bls_signer.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { checkNetwork } from "../../src/proof/format/network_check.ts";
import type { IndexedSignatureSet } from "../../src/proof/format/records.ts";
import { type PooledWitness, WitnessPool } from "../../src/gateway/signing/witness_pool.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import { FakeClock } from "../fake_clock.ts";
import { bls, configuredWitness, eachScheme, nativeCrypto, schemeSigner } from "../schemes.ts";
import { NO_EPOCHS } from "./wrapped_witness.ts";
import { generateKey } from "../../src/proof/crypto/bls_key_gen.ts";

const MESSAGE = "a message\n";

/** A pool over `ids`, with one client per id. */
function makePool(
  scheme: SignatureScheme,
  ids: readonly string[],
  threshold: number,
  here: readonly string[] = [],
) {
  const clock = new FakeClock();
  const signers = new Map(ids.map((id) => [id, schemeSigner(scheme, id)]));
  const network: NetworkConfiguration = {
    id: "pool.example",
    threshold,
    signature_scheme: scheme,
    witnesses: ids.map((id) => configuredWitness(id, signers.get(id)!)),
    merge_delay_seconds: 1,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  const never = () => Promise.reject(new Error("asked directly"));
  const clients = ids.toReversed().map((id) => ({
    id,
    inProcess: here.includes(id),
    sign: never,
    cosign: never,
    checkHealth: () => id === "sick" ? Promise.reject(new Error("ill")) : Promise.resolve(),
    reach: never,
    roundsFrom: never,
    epochs: NO_EPOCHS,
  }));
  let verifications = 0;
  const counting: Bls = {
    ...bls,
    verify: (...args) => {
      verifications++;
      return bls.verify(...args);
    },
    fastAggregateVerify: (...args) => {
      verifications++;
      return bls.fastAggregateVerify(...args);
    },
  };
  const pool = new WitnessPool(network, clients, {
    verify: nativeCrypto.ed25519,
    bls: counting,
    clock,
    timeoutMs: 1_000,
  });
  const signatureOf = (id: string): Bytes => signers.get(id)!.sign(utf8(MESSAGE));
  const honest = (witness: PooledWitness) => Promise.resolve(signatureOf(witness.id));
  /** How often BLS signatures were verified since the last call. */
  const takeVerifications = () => {
    const count = verifications;
    verifications = 0;
    return count;
  };
  return { pool, clock, signatureOf, honest, takeVerifications, stop: new AbortController() };
}

/** The current failures, as "id work code". */
function failuresOf(pool: WitnessPool): string[] {
  return pool.witnesses.flatMap(({ id }, witnessIndex) =>
    [...pool.health.at(witnessIndex).failing].map(([work, code]) => `${id} ${work} ${code}`)
  );
}

/** The witness indices in a set of either form. */
function witnessIndexesOf(set: IndexedSignatureSet): readonly number[] {
  return "witnesses" in set ? set.witnesses : set.map(({ witness }) => witness);
}

function forEver(): Promise<Bytes> {
  return new Promise(() => {});
}

eachScheme.test("WitnessPool.collect() returns exactly the threshold, ascending by id", async (scheme) => {
  const ids = Array.from({ length: 12 }, (_, i) => `w${i + 1}`);
  const { pool, honest, stop, signatureOf } = makePool(scheme, ids, 7);
  assert.deepEqual(pool.witnesses.map(({ id }) => id), ids.toSorted());
  const signatures = await pool.collect(MESSAGE, honest, stop.signal);
  const witnessIndexes = witnessIndexesOf(signatures);
  assert.equal(witnessIndexes.length, 7);
  assert.deepEqual(witnessIndexes, witnessIndexes.toSorted((a, b) => a - b));
  const expected = witnessIndexes.map((witness) => ({
    witness,
    signature: signatureOf(pool.witnesses[witness]!.id),
  }));
  assert.deepEqual(
    signatures,
    scheme === "ed25519" ? expected : {
      witnesses: witnessIndexes,
      signature: bls.aggregate(expected.map(({ signature }) => signature)),
    },
  );
});

eachScheme.test("WitnessPool.collect() returns exactly as many as required, or rejects", async (scheme) => {
  const { pool, honest, stop } = makePool(scheme, ["a", "b", "c", "d"], 2);
  const asking = (required: number) => ({ ...pool.witnessOrder(0), required });
  for (const required of [2, 3, 4]) {
    const set = await pool.collect(MESSAGE, honest, stop.signal, asking(required));
    assert.equal(witnessIndexesOf(set).length, required);
  }
  const others = (witness: PooledWitness) =>
    witness.id === "b" ? Promise.reject(new Error("down")) : honest(witness);
  const set = await pool.collect(MESSAGE, others, stop.signal, asking(3));
  assert.deepEqual(witnessIndexesOf(set), [0, 2, 3]);
  // The threshold, and even all witnesses, are too few if more are required.
  for (const [ask, required] of [[others, 4], [honest, 5]] as const) {
    const refused = pool.collect(MESSAGE, ask, stop.signal, asking(required));
    await assert.rejects(refused, {
      code: "threshold_not_met",
      message: new RegExp(`^Cannot reach the threshold of ${required}: [01] of 4 witnesses failed`),
    });
  }
});

eachScheme.test("WitnessPool.collect() sends all requests at once, and cancels the rest at the threshold", async (scheme) => {
  const { pool, honest, stop } = makePool(scheme, ["a", "b", "c", "d"], 2);
  const asked: string[] = [];
  const cancelled: string[] = [];
  const signatures = await pool.collect(MESSAGE, (witness, witnessIndex, signal) => {
    asked.push(witness.id);
    assert.equal(pool.witnesses[witnessIndex], witness);
    if (witness.id === "b" || witness.id === "d") return honest(witness);
    signal.addEventListener("abort", () => cancelled.push(witness.id));
    return forEver();
  }, stop.signal);
  assert.deepEqual(asked, ["a", "b", "c", "d"]);
  assert.deepEqual(witnessIndexesOf(signatures), [1, 3]);
  assert.deepEqual(cancelled, ["a", "c"]);
  // A cancelled request is neither a success nor a failure.
  assert.equal(pool.health.at(0).lastSeenAt, undefined);
  assert.deepEqual(failuresOf(pool), []);
});

eachScheme.test("WitnessPool.collect() fails as soon as the threshold is out of reach", async (scheme) => {
  const { pool, honest, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
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
  assert.equal(pool.health.at(0).lastSeenAt, now);
  assert.deepEqual(failuresOf(pool), ["b cosign time_refused", "c cosign witness_refused"]);
  await pool.collect(MESSAGE, honest, stop.signal);
  const seen = [0, 1, 2].filter((witnessIndex) => pool.health.at(witnessIndex).lastSeenAt === now);
  assert.ok(seen.length >= 2);
});

eachScheme.test("WitnessPool.collect() records no failure of a witness that it cancels when the threshold is out of reach", async (scheme) => {
  const { pool, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const refused = pool.collect(MESSAGE, (witness, _, signal) => {
    if (witness.id !== "a") return Promise.reject(new CountersignError("time_refused", "no"));
    return new Promise((_, reject) => {
      const cancelled = () => reject(new CountersignError("witness_unreachable", "cancelled"));
      signal.addEventListener("abort", cancelled);
    });
  }, stop.signal);
  await assert.rejects(refused, { code: "threshold_not_met" });
  await clock.advance(5_000);
  assert.deepEqual(failuresOf(pool), ["b cosign time_refused", "c cosign time_refused"]);
});

eachScheme.test("WitnessPool.collect() waits for a failing witness after the threshold is met", async (scheme) => {
  const { pool, honest, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const down = (witness: PooledWitness) =>
    witness.id === "a"
      ? Promise.reject(new CountersignError("time_refused", "no"))
      : honest(witness);
  await pool.collect(MESSAGE, down, stop.signal);
  assert.deepEqual(failuresOf(pool), ["a cosign time_refused"]);
  await clock.advance(10_000);
  const answer = Promise.withResolvers<Bytes>();
  const asked: string[] = [];
  const slow = (witness: PooledWitness) => {
    asked.push(witness.id);
    return witness.id === "a" ? answer.promise : honest(witness);
  };
  await pool.collect(MESSAGE, slow, stop.signal);
  assert.deepEqual(failuresOf(pool), ["a cosign time_refused"]);
  answer.resolve(await honest(pool.witnesses[0]!));
  await clock.advance(1);
  assert.deepEqual(failuresOf(pool), []);
  assert.deepEqual(asked, ["a", "b", "c"]);
  assert.equal(clock.sleeping, 0);
});

eachScheme.test("WitnessPool.collect() waits for a failing witness even if the caller wants no late answers", async (scheme) => {
  const { pool, honest, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const answer = Promise.withResolvers<Bytes>();
  const collect = (askA: (signal: AbortSignal) => Promise<Bytes>) =>
    pool.collect(
      MESSAGE,
      (witness, _, signal) => witness.id === "a" ? askA(signal) : honest(witness),
      stop.signal,
      { wantsLate: () => false },
    );
  await collect(() => Promise.reject(new CountersignError("time_refused", "no")));
  await clock.advance(10_000);
  await collect((signal) => {
    signal.addEventListener("abort", () => answer.reject(new Error("cancelled")));
    return answer.promise;
  });
  await clock.advance(1);
  answer.resolve(await honest(pool.witnesses[0]!));
  await clock.advance(1);
  assert.deepEqual(failuresOf(pool), []);
  assert.equal(clock.sleeping, 0);
});

eachScheme.test("WitnessPool.collect() lets late requests continue after a missed threshold, one for each witness", async (scheme) => {
  const { pool, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const ended: string[] = [];
  const attempt = async (name: string) => {
    const refused = pool.collect(
      MESSAGE,
      (witness, _, signal) => {
        if (witness.id !== "c") return Promise.reject(new CountersignError("time_refused", "no"));
        signal.addEventListener("abort", () => ended.push(name));
        return forEver();
      },
      stop.signal,
      { wantsLate: () => false },
    );
    await assert.rejects(refused, { code: "threshold_not_met" });
  };
  await attempt("first");
  await clock.advance(500);
  assert.deepEqual(ended, []);
  await attempt("second");
  assert.deepEqual(ended, ["second"]);
  await clock.advance(500);
  assert.deepEqual(ended, ["second", "first"]);
  assert.equal(clock.sleeping, 0);
});

eachScheme.test("WitnessPool.collect() records the late answer of a failing witness as a success or a failure", async (scheme) => {
  const { pool, honest, signatureOf, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const unreachable = () => Promise.reject(new CountersignError("witness_unreachable", "down"));
  const askA = (answer: () => Promise<Bytes>) =>
    pool.collect(
      MESSAGE,
      (witness) => witness.id === "a" ? answer() : honest(witness),
      stop.signal,
    );
  const late = async (answer: () => Promise<Bytes>) => {
    await askA(async () => {
      await clock.sleep(10);
      return await answer();
    });
    await clock.advance(10);
    return failuresOf(pool);
  };
  await askA(unreachable);
  assert.deepEqual(await late(() => Promise.resolve(signatureOf("b"))), [
    "a cosign witness_refused",
  ]);
  // A witness that has cosigned a later head refuses this one, which is neither a failure nor a
  // success.
  for (const code of ["sequence_conflict", "tree_size_conflict"] as const) {
    const overtaken = () => Promise.reject(new CountersignError(code, "no"));
    assert.deepEqual(await late(overtaken), ["a cosign witness_refused"]);
  }
  await askA(() => forEver());
  await clock.advance(1_000);
  assert.deepEqual(failuresOf(pool), ["a cosign witness_refused"]);
  assert.equal(clock.sleeping, 0);
});

eachScheme.test("WitnessPool.collect() rejects at once when the threshold is out of reach", async (scheme) => {
  const { pool, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const refused = pool.collect(
    MESSAGE,
    (witness) => witness.id === "a" ? forEver() : Promise.reject(new Error("down")),
    stop.signal,
  );
  await assert.rejects(refused, { code: "threshold_not_met" });
  assert.equal(clock.sleeping, 0);
});

eachScheme.test("WitnessPool.collect() waits for silent witnesses until their time limit", async (scheme) => {
  const { pool, honest, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const failures: unknown[] = [];
  pool.collect(MESSAGE, (witness) => witness.id === "a" ? honest(witness) : forEver(), stop.signal)
    .catch((error) => failures.push(error));
  await clock.advance(999);
  assert.deepEqual(failures, []);
  await clock.advance(1);
  assert.ok(hasCode(failures[0], "threshold_not_met"));
  assert.deepEqual(failuresOf(pool), [
    "b cosign witness_unreachable",
    "c cosign witness_unreachable",
  ]);
});

eachScheme.test("WitnessPool.collect() counts each witness's own signature over this message", async (scheme) => {
  const { pool, signatureOf, stop } = makePool(scheme, ["a", "b", "c"], 2);
  const borrowed = pool.collect(MESSAGE, () => Promise.resolve(signatureOf("a")), stop.signal);
  await assert.rejects(borrowed, { code: "threshold_not_met" });
  const ofAnother = pool.collect(
    "another message\n",
    (witness) => Promise.resolve(signatureOf(witness.id)),
    stop.signal,
  );
  await assert.rejects(ofAnother, { code: "threshold_not_met" });
});

eachScheme.test("WitnessPool.collect() rejects with its caller's abort reason", async (scheme) => {
  const { pool, honest, stop, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const ask = (witness: PooledWitness) => witness.id === "a" ? honest(witness) : forEver();
  const waiting = pool.collect(MESSAGE, ask, stop.signal);
  const reason = new Error("enough");
  stop.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(pool.collect(MESSAGE, honest, stop.signal), reason);
  assert.equal(clock.sleeping, 0);
  assert.deepEqual(failuresOf(pool), []);
});

eachScheme.test("WitnessPool does not count late answers", async (scheme) => {
  const { pool, honest, stop, signatureOf, clock } = makePool(scheme, ["a", "b", "c"], 2);
  const late = Promise.withResolvers<Bytes>();
  const signatures = await pool.collect(
    MESSAGE,
    (witness) => witness.id === "a" ? late.promise : honest(witness),
    stop.signal,
  );
  late.resolve(signatureOf("a"));
  await clock.advance(5_000);
  assert.deepEqual(witnessIndexesOf(signatures), [1, 2]);
});

eachScheme.test("WitnessPool.checkHealth() records which witnesses answer", async (scheme) => {
  const { pool, clock } = makePool(scheme, ["sick", "well"], 1);
  await pool.checkHealth(new AbortController().signal);
  assert.deepEqual(failuresOf(pool), ["sick probe witness_unreachable"]);
  assert.deepEqual(pool.health.at(1), {
    isHealthy: true,
    lastSeenAt: Math.floor(clock.nowMs() / 1000),
    failing: new Map(),
  });
});

eachScheme.test("new WitnessPool() requires a client for each witness", (scheme) => {
  const { pool } = makePool(scheme, ["a"], 1);
  const context = { verify: nativeCrypto.ed25519, bls, clock: new FakeClock(), timeoutMs: 1 };
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

Deno.test("WitnessPool.collect() verifies shares together, once for a round", async () => {
  const { pool, honest, stop, takeVerifications } = makePool("bls", ["a", "b", "c", "d", "e"], 4);
  await pool.collect(MESSAGE, honest, stop.signal);
  assert.equal(takeVerifications(), 1);
});

Deno.test("WitnessPool.collect() names a bad share and uses the others", async () => {
  const { pool, honest, signatureOf, stop, clock, takeVerifications } = makePool(
    "bls",
    ["a", "b", "c", "d"],
    3,
  );
  const other = (witness: PooledWitness) =>
    witness.id === "b" ? Promise.resolve(signatureOf("a")) : honest(witness);
  const set = await pool.collect(MESSAGE, other, stop.signal);
  assert.deepEqual(witnessIndexesOf(set), [0, 2, 3]);
  assert.deepEqual(failuresOf(pool), ["b cosign witness_refused"]);
  // The invalid aggregate, its three shares, and the aggregate without the bad share.
  assert.equal(takeVerifications(), 5);
  // From then on, its share is verified alone.
  await pool.collect(MESSAGE, other, stop.signal);
  assert.equal(takeVerifications(), 2);
  await clock.advance(10_000);
  await pool.collect(MESSAGE, honest, stop.signal);
  assert.deepEqual(failuresOf(pool), []);
});

Deno.test("WitnessPool.collect() refuses shares that are not signatures", async () => {
  const infinity = new Uint8Array(48);
  infinity[0] = 0xc0;
  const offGroup = new Uint8Array(48).fill(0xff);
  for (const bad of [infinity, offGroup, new Uint8Array(), new Uint8Array(96)]) {
    const { pool, honest, stop } = makePool("bls", ["a", "b", "c"], 3);
    const refused = pool.collect(
      MESSAGE,
      (witness) => witness.id === "c" ? Promise.resolve(bad) : honest(witness),
      stop.signal,
    );
    await assert.rejects(refused, { code: "threshold_not_met", message: /c: witness_refused/ });
  }
});

Deno.test("WitnessPool.collect() accepts shares whose sum verifies although each is wrong", async () => {
  const { pool, signatureOf, honest, stop } = makePool("bls", ["a", "b", "c"], 2);
  // The two swap their shares: the sum is valid, and both have signed.
  const swapped = new Map([["a", signatureOf("b")], ["b", signatureOf("a")]]);
  const set = await pool.collect(
    MESSAGE,
    (witness) => {
      const share = swapped.get(witness.id);
      return share === undefined ? forEver() : Promise.resolve(share);
    },
    stop.signal,
  );
  assert.deepEqual(witnessIndexesOf(set), [0, 1]);
  const honestSet = await pool.collect(
    MESSAGE,
    (witness) => witness.id === "c" ? forEver() : honest(witness),
    stop.signal,
  );
  assert.deepEqual(set, honestSet);
});

Deno.test("WitnessPool.collect() rejects when valid shares have no valid sum", async () => {
  // Two distinct keys of one owner, each with a proof of possession; one is the negative of the
  // other.
  const secret = generateKey(new Uint8Array(32).fill(9));
  const order = BigInt("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");
  const negative = (order - BigInt(`0x${secret.toHex()}`)).toString(16).padStart(64, "0");
  const signers = [secret, Uint8Array.fromHex(negative)].map((key) => new BlsSigner(bls, key));
  const witnesses = signers.map((signer, i) => configuredWitness(`w${i + 1}`, signer));
  const network = {
    id: "pool.example",
    threshold: 2,
    signature_scheme: "bls" as const,
    witnesses,
    federation: { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
  };
  checkNetwork(network, bls);
  const clock = new FakeClock();
  const clients = witnesses.map(({ id }) => ({
    id,
    sign: () => Promise.reject(new Error("asked directly")),
    cosign: () => Promise.reject(new Error("asked directly")),
    checkHealth: () => Promise.resolve(),
    reach: () => Promise.reject(new Error("asked directly")),
    roundsFrom: () => Promise.reject(new Error("asked directly")),
    epochs: NO_EPOCHS,
  }));
  const verify = nativeCrypto.ed25519;
  const pool = new WitnessPool(network, clients, { verify, bls, clock, timeoutMs: 1_000 });
  const refused = pool.collect(
    MESSAGE,
    (_, witnessIndex) => Promise.resolve(signers[witnessIndex]!.sign(utf8(MESSAGE))),
    new AbortController().signal,
  );
  await assert.rejects(refused, { code: "threshold_not_met" });
  assert.equal(clock.sleeping, 0);
});

eachScheme.test("in-process witnesses beyond the threshold are asked only when another one fails", async (scheme) => {
  const ids = ["a", "b", "c", "d"];
  const { pool, honest, stop } = makePool(scheme, ids, 2, ids);
  const left = new Set<number>();
  for (let turn = 0; turn < 4; turn++) {
    const asking = pool.witnessOrder(turn);
    assert.equal(asking.atOnce, 2);
    assert.deepEqual(asking.order.toSorted(), [0, 1, 2, 3]);
    const asked: number[] = [];
    const set = await pool.collect(
      MESSAGE,
      (witness, witnessIndex) => {
        asked.push(witnessIndex);
        return honest(witness);
      },
      stop.signal,
      asking,
    );
    assert.deepEqual(asked, asking.order.slice(0, 2));
    assert.deepEqual(witnessIndexesOf(set), asked.toSorted());
    left.add(asking.order[2]!);
    // One fails and one signs another text, so both others are asked.
    const [first, second, third, fourth] = asking.order;
    const late: number[] = [];
    const mended = await pool.collect(
      MESSAGE,
      (witness, witnessIndex) => {
        late.push(witnessIndex);
        if (witnessIndex === first) {
          return Promise.reject(new CountersignError("sequence_conflict", "no"));
        }
        const { client } = pool.witnesses[witnessIndex === second ? third! : witnessIndex]!;
        return honest({ ...witness, id: client.id });
      },
      stop.signal,
      asking,
    );
    assert.deepEqual(late, asking.order);
    assert.deepEqual(witnessIndexesOf(mended), [third!, fourth!].toSorted());
  }
  assert.equal(left.size, 4, "each is left out in its turn");
});

eachScheme.test("collect() reports that the threshold is out of reach only after the last possible witness failed", async (scheme) => {
  const ids = ["a", "b", "c"];
  const { pool, honest, stop } = makePool(scheme, ids, 2, ids);
  const asked: number[] = [];
  const refused = pool.collect(
    MESSAGE,
    (witness, witnessIndex) => {
      asked.push(witnessIndex);
      return witnessIndex === 0 ? honest(witness) : Promise.reject(new Error("down"));
    },
    stop.signal,
    pool.witnessOrder(0),
  );
  await assert.rejects(refused, { code: "threshold_not_met" });
  assert.deepEqual(asked.toSorted(), [0, 1, 2]);
});

Deno.test("remote witnesses are always asked at once", () => {
  const { pool } = makePool("ed25519", ["a", "b", "c", "d", "e"], 2, ["b", "d", "e"]);
  const { order, atOnce } = pool.witnessOrder(1);
  assert.deepEqual(order, [0, 1, 2, 4, 3]);
  assert.equal(atOnce, 4);
  const few = makePool("ed25519", ["a", "b", "c"], 2, ["a", "b"]).pool.witnessOrder(5);
  assert.deepEqual(few, { order: [0, 1, 2], atOnce: 3 });
});
