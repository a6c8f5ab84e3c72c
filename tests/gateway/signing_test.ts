import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { CountersignError } from "../../src/base/errors.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { IndexedSignatureSet } from "../../src/proof/format/records.ts";
import type { RoundText } from "../../src/proof/format/witness_request.ts";
import { buildRoundTree } from "../../src/proof/merkle/round_tree.ts";
import { randomDigests } from "./fixture.ts";
import { scriptedSigner } from "./scripted_signer.ts";

/** A signer whose attempts end when the test says so. */
function steppedSigner() {
  const attempts: PromiseWithResolvers<IndexedSignatureSet>[] = [];
  const collect = () => {
    attempts.push(Promise.withResolvers());
    return attempts.at(-1)!.promise;
  };
  const { clock, signer } = scriptedSigner({ collect, witnessOrder: () => ({}) });
  let end = 0;
  return {
    clock,
    signer,
    /** Starts an attempt at a new round. */
    async attempt(): Promise<PromiseWithResolvers<IndexedSignatureSet>> {
      signer.advance(++end);
      await setImmediate();
      return attempts.at(-1)!;
    },
  };
}

/** Whether `wait` has ended. */
async function isOver(wait: Promise<void> | undefined): Promise<boolean> {
  assert.ok(wait !== undefined, "there is no wait");
  let over = false;
  void wait.then(() => over = true);
  await setImmediate();
  return over;
}

Deno.test("attemptEnd() waits for prompt witnesses only, and never for long", async () => {
  const { clock, signer, attempt } = steppedSigner();
  assert.equal(signer.attemptEnd(), undefined);
  const first = await attempt();
  // No witness has answered yet.
  assert.equal(signer.attemptEnd(), undefined);
  await clock.advance(2);
  first.resolve([]);
  await setImmediate();
  assert.equal(signer.attemptEnd(), undefined);

  const signed = await attempt();
  const wait = signer.attemptEnd();
  assert.equal(await isOver(wait), false);
  signed.resolve([]);
  assert.equal(await isOver(wait), true);

  const refused = await attempt();
  const refusal = signer.attemptEnd();
  refused.reject(new CountersignError("threshold_not_met", "refused"));
  assert.equal(await isOver(refusal), true);
  assert.equal(signer.attemptEnd(), undefined);

  // Its witnesses hang.
  await attempt();
  const hanging = signer.attemptEnd();
  await clock.advance(4);
  assert.equal(await isOver(hanging), false);
  await clock.advance(1);
  assert.equal(await isOver(hanging), true);
  assert.equal(signer.attemptEnd(), undefined);
  clock.jump(-3600_000);
  assert.equal(signer.attemptEnd(), undefined);
  signer.stop();
});

/** Digests whose first `failures` reads fail as those of a database that is away. */
function failingReads(failures: number) {
  const digests = randomDigests(3);
  let reads = 0;
  return {
    digests,
    get reads() {
      return reads;
    },
    read: () =>
      ++reads <= failures
        ? Promise.reject(new CountersignError("storage_failed", "connection lost"))
        : Promise.resolve(digests),
  };
}

Deno.test("a round is signed once its digests can be read", async () => {
  const store = failingReads(3);
  const pool = { collect: () => Promise.resolve([]), witnessOrder: () => ({}) };
  const { clock, signer, signed } = scriptedSigner(pool, store.read);
  signer.advance(3);
  await clock.advance(700);
  assert.deepEqual([store.reads, signed.length], [3, 0]);
  await clock.advance(50);
  assert.deepEqual(signed.map(({ first, size, attempts }) => [first, size, attempts]), [[0, 3, 1]]);
  signer.stop();
});

Deno.test("a round whose digests cannot be read ends with the signer", async () => {
  const store = failingReads(Infinity);
  const { clock, signer } = scriptedSigner({}, store.read);
  signer.advance(3);
  await clock.advance(1_000);
  signer.stop();
  const { reads } = store;
  await clock.advance(1_000);
  assert.equal(store.reads, reads);
  assert.equal(clock.sleeping, 0);
});

Deno.test("a round is adopted once its digests can be read", async () => {
  // The first read is for our round, the others are for the one that the witnesses signed.
  const store = failingReads(0);
  const timestamp = 1_800_000_000 - 30;
  const text: RoundText = { first: 0, size: 3, timestamp, beacon: null, root: new Uint8Array() };
  let failures = 2;
  const read = async () => {
    const digests = await store.read();
    if (store.reads > 1 && failures-- > 0) throw new CountersignError("storage_failed", "away");
    return digests;
  };
  const conflict = () => Promise.reject(new CountersignError("round_conflict", "another text"));
  const witnesses = ["w1", "w2", "w3"].map((id) => ({ id, client: { sign: conflict } }));
  const { root } = buildRoundTree(portableKernels, {
    networkId: "signing.example",
    timestamp,
    first: 0,
    digests: store.digests,
  });
  let asked = 0;
  const pool = {
    witnesses,
    threshold: 2,
    witnessOrder: () => ({}),
    ask: () => {
      asked++;
      return Promise.resolve(new Map([[0, [{ ...text, root }]], [1, [{ ...text, root }]]]));
    },
    collect: async (
      message: string,
      ask: (who: object, at: number, signal: AbortSignal) => Promise<unknown>,
      signal: AbortSignal,
    ) => {
      if (message.includes(`\n${timestamp}\n`)) return [];
      await Promise.allSettled(witnesses.map((witness, at) => ask(witness, at, signal)));
      throw new CountersignError("threshold_not_met", "three conflicts");
    },
  };
  const { clock, signer, signed } = scriptedSigner(pool, read);
  signer.advance(3);
  await clock.advance(2_000);
  assert.equal(asked, 3);
  assert.deepEqual(signed.map(({ first, timestamp }) => [first, timestamp]), [[0, timestamp]]);
  signer.stop();
});
