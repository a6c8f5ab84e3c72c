/**
 * A gateway that sends two hashes, times and rounds for each sequence, with failed writes and restarts.
 * The witness must not sign two texts for one sequence.
 */

import fc from "fast-check";
import assert from "node:assert/strict";
import { hexOf } from "../../src/base/bytes.ts";
import { hasCode } from "../../src/base/errors.ts";
import { openWitnessState } from "../../src/storage/witness/witness_state.ts";
import type { WitnessSigner, WitnessState } from "../../src/witness/ports.ts";
import { SignedRounds } from "../../src/witness/signed_rounds.ts";
import type { Witness } from "../../src/witness/witness.ts";
import { FakeClock } from "../fake_clock.ts";
import {
  digestsOf,
  forkedTree,
  NETWORK,
  NOW,
  signerOf,
  StandingClock,
  TestLog,
  testWitness,
  withCode,
  WITNESS_ID,
} from "./fixture.ts";
import { MemoryWitnessState, type ReplaceFault, type StateOperation } from "./memory_state.ts";
import { openOrCreateState } from "../witness_states.ts";

const roundAt = (timestamp: number, firstSequence: number, ...texts: string[]) => ({
  networkId: NETWORK,
  timestamp,
  firstSequence,
  digests: digestsOf(...texts),
  beacon: null,
});

const round = (firstSequence: number, ...texts: string[]) => roundAt(NOW, firstSequence, ...texts);

/** Records the digest, the time and the round that were signed for each sequence. */
class Signed {
  readonly texts = new Map<number, Set<string>>();

  async ask(witness: Witness, request: ReturnType<typeof round>): Promise<boolean> {
    try {
      await witness.sign(request);
    } catch (error) {
      assert.ok(
        ["sequence_conflict", "round_conflict", "storage_failed"].some((code) =>
          hasCode(error, code as "internal")
        ),
        String(error),
      );
      return false;
    }
    const { firstSequence: first, digests, timestamp } = request;
    for (let i = 0; i < digests.length / 32; i++) {
      const known = this.texts.get(first + i) ?? new Set();
      const digest = hexOf(digests.slice(32 * i, 32 * i + 32));
      this.texts.set(first + i, known.add(`${digest} ${timestamp} ${first} ${digests.length}`));
    }
    return true;
  }

  get isSound(): boolean {
    return [...this.texts.values()].every(({ size }) => size === 1);
  }
}

Deno.test("Witness.sign() rejects another hash for a sequence after a restart, with any round boundaries", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/state.kv`;
  let state = await openOrCreateState(path);
  await testWitness({ state }).sign(round(10, "a", "b", "c"));
  state.close();
  state = await openWitnessState(path);
  const witness = testWitness({ state });
  for (const [first, texts] of [[10, ["x"]], [12, ["x"]], [8, ["y", "z", "b"]]] as const) {
    await assert.rejects(witness.sign(round(first, ...texts)), withCode("sequence_conflict"));
  }
  for (const [first, texts] of [[9, ["z", "a"]], [11, ["b", "c", "d"]], [10, ["a"]]] as const) {
    await assert.rejects(witness.sign(round(first, ...texts)), withCode("round_conflict"));
  }
  await witness.sign(round(10, "a", "b", "c"));
  await witness.sign(round(9, "z"));
  state.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("Witness.sign() resolves only when the round is durable", async () => {
  const gates: (() => void)[] = [];
  const state = new MemoryWitnessState({
    pass: (operation) =>
      operation === "appendSigned"
        ? new Promise((resolve) => gates.push(resolve))
        : Promise.resolve(),
  });
  const witness = testWitness({ state });
  let answered = 0;
  const ask = (...request: Parameters<typeof round>) =>
    witness.sign(round(...request)).then(() => answered++);
  const settle = async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve();
  };
  const first = ask(0, "a");
  await settle();
  // During the first write: the same round again, and others, which share one write.
  const others = [ask(0, "a"), ask(1, "b"), ask(2, "c")];
  await settle();
  assert.equal(answered, 0);
  assert.equal(state.calls.appendSigned, 1);
  // On its way to the store, and its answer on the way back.
  for (let i = 0; i < 4; i++) {
    gates.shift()?.();
    await settle();
  }
  await Promise.all([first, ...others]);
  assert.equal(state.calls.appendSigned, 2);
  state.assertSound();
});

Deno.test("Witness.sign() signs while the disk writes", async () => {
  const order: string[] = [];
  const state = new MemoryWitnessState();
  const append = state.appendSigned.bind(state);
  state.appendSigned = (...args) => {
    order.push("write");
    return append(...args);
  };
  const key = signerOf(WITNESS_ID);
  const signer: WitnessSigner = {
    scheme: key.scheme,
    publicKey: key.publicKey,
    sign(message) {
      order.push("sign");
      return key.sign(message);
    },
  };
  await testWitness({ state, signer }).sign(round(0, "a"));
  assert.deepEqual(order, ["write", "sign"]);
});

Deno.test("Witness.sign() stores a round whose write failed before it signs again", async () => {
  for (const fault of ["fail_not_stored", "fail_but_stored"] as const) {
    const faults: ReplaceFault[] = [fault, fault];
    const state = new MemoryWitnessState({
      fault: (operation) => operation === "appendSigned" ? faults.shift() : undefined,
    });
    const witness = testWitness({ state });
    await assert.rejects(witness.sign(round(0, "a")), withCode("storage_failed"));
    await assert.rejects(witness.sign(round(0, "a")), withCode("storage_failed"));
    await witness.sign(round(1, "b"));
    const restarted = testWitness({ state });
    for (const sequence of [0, 1]) {
      await assert.rejects(restarted.sign(round(sequence, "x")), withCode("sequence_conflict"));
    }
    await witness.sign(round(0, "a"));
  }
});

Deno.test("Witness.sign() does not write for a round that it signed before", async () => {
  const state = new MemoryWitnessState();
  const witness = testWitness({ state });
  await witness.sign(round(0, "a", "b"));
  for (let i = 0; i < 5; i++) await witness.sign(round(0, "a", "b"));
  await testWitness({ state }).sign(round(0, "a", "b"));
  assert.equal(state.calls.appendSigned, 1);
});

Deno.test("Witness.sign() accepts other hashes only from a released sequence on", async () => {
  const state = new MemoryWitnessState();
  const before = testWitness({ state });
  await before.sign(round(0, "a"));
  await before.sign(round(1, "b", "c"));
  await state.release({ from: 1, count: 2, timestamp: NOW });
  const witness = testWitness({ state });
  await assert.rejects(witness.sign(round(0, "x")), withCode("sequence_conflict"));
  await witness.sign(round(1, "y", "z"));
  assert.deepEqual(witness.releases(), [{ from: 1, count: 2, timestamp: NOW }]);
});

Deno.test("Witness.sign() reads the state again one second after a failed load", async () => {
  let fails = true;
  const state = new MemoryWitnessState({
    fault: (operation) => fails && operation === "loadSigned" ? "fail_not_stored" : undefined,
  });
  const clock = new FakeClock(NOW);
  const witness = testWitness({ state, clock });
  for (const reads of [1, 2]) {
    for (let i = 0; i < 5; i++) {
      await assert.rejects(witness.sign(round(0, "a")), withCode("storage_failed"));
      await assert.rejects(witness.checkStorage(), withCode("storage_failed"));
    }
    await clock.advance(999);
    await assert.rejects(witness.load(), withCode("storage_failed"));
    assert.equal(state.calls.loadSigned, reads);
    await clock.advance(1);
  }
  fails = false;
  await witness.sign(round(0, "a"));
  await witness.sign(round(1, "b"));
  assert.equal(state.calls.loadSigned, 3);
});

/** Requests two hashes for each sequence, with different round boundaries and restarts. */
async function show(
  open: () => WitnessState,
  restart: (failed: boolean) => boolean,
): Promise<Signed> {
  const signed = new Signed();
  let witness = testWitness({ state: open() });
  const log = new TestLog();
  const tree = forkedTree("t", 0, 40);
  for (let step = 0; step < 5; step++) {
    const first = 2 * step;
    const mine = [`a${first}`, `a${first + 1}`];
    const other = [`a${first}`, `b${first + 1}`];
    for (const texts of step % 2 === 0 ? [mine, other, mine] : [other, mine, mine.slice(0, 1)]) {
      const isAnswered = await signed.ask(witness, round(first, ...texts));
      if (restart(!isAnswered)) witness = testWitness({ state: open() });
    }
    if (step % 3 === 2) {
      const size = await witness.cosignedSize().catch(() => undefined);
      if (size !== undefined) {
        await witness.cosign(log.request(tree, size, first)).catch(() => {});
      }
    }
  }
  return signed;
}

const FAULTS = ["fail_not_stored", "fail_but_stored"] as const;

Deno.test("Witness.sign() signs one text per sequence, whichever operation fails", async () => {
  for (const fault of FAULTS) {
    for (const always of [false, true]) {
      let operations = Infinity;
      for (let at = 0; at <= operations; at++) {
        let count = 0;
        const state = new MemoryWitnessState({
          fault: (_operation: StateOperation) => ++count === at ? fault : undefined,
        });
        const signed = await show(() => state, (failed) => always || failed);
        assert.ok(signed.isSound, `operation ${at}, ${fault}`);
        assert.ok(signed.texts.size > 5);
        state.assertSound();
        if (at === 0) operations = count;
      }
    }
  }
});

/** The awaits at which the witness's process may end. */
const asks = fc.array(
  fc.record({
    first: fc.nat(12),
    texts: fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 4 }),
    late: fc.nat(1),
    fault: fc.oneof(
      { weight: 5, arbitrary: fc.constant(undefined) },
      fc.constantFrom<ReplaceFault>(...FAULTS),
    ),
    /** Steps of the event loop until the process ends; never when absent. */
    killedAfter: fc.option(fc.nat(20), { nil: undefined }),
  }),
  { minLength: 3, maxLength: 25 },
);

function signsOnce(wrap: (state: MemoryWitnessState) => WitnessState, reached: { count: number }) {
  return fc.asyncProperty(asks, async (plan) => {
    let fault: ReplaceFault | undefined;
    let isAlive = { value: true };
    const open = () => {
      const life = isAlive;
      return new Proxy(state, {
        // A dead process does not write.
        get: (target, name) => {
          const member = Reflect.get(wrap(target), name);
          return typeof member !== "function"
            ? member
            : (...given: unknown[]) =>
              life.value ? member.apply(wrap(target), given) : new Promise(() => {});
        },
      }) as WitnessState;
    };
    const state = new MemoryWitnessState({
      fault: (operation) => {
        const taken = operation === "appendSigned" ? fault : undefined;
        if (taken !== undefined) fault = undefined;
        return taken;
      },
    });
    const signed = new Signed();
    let witness = testWitness({ state: open() });
    for (const ask of plan) {
      fault = ask.fault;
      // The digest depends on the sequence, so that no round has a duplicate.
      const texts = ask.texts.map((text, i) => `${text}${ask.first + i}`);
      const life = isAlive;
      const before = new Signed();
      const asked = before.ask(witness, roundAt(NOW + ask.late, ask.first, ...texts)).then(
        (isSigned) => {
          // A dead process does not answer.
          if (!isSigned || !life.value) return;
          for (const [sequence, texts] of before.texts) {
            const known = signed.texts.get(sequence) ?? new Set();
            for (const text of texts) known.add(text);
            signed.texts.set(sequence, known);
          }
        },
      );
      if (ask.killedAfter === undefined) {
        await asked;
        continue;
      }
      for (let i = 0; i < ask.killedAfter; i++) await Promise.resolve();
      life.value = false;
      isAlive = { value: true };
      witness = testWitness({ state: open() });
    }
    assert.ok(signed.isSound);
    if (signed.texts.size > 1) reached.count++;
  });
}

Deno.test("Witness.sign() signs one text per sequence, wherever it is killed and whatever fails", async () => {
  const reached = { count: 0 };
  await fc.assert(signsOnce((state) => state, reached), { numRuns: 300 });
  // The property would also hold if nothing were signed.
  assert.ok(reached.count > 100, `${reached.count} runs signed`);
});

Deno.test("the property catches a witness that signs before its rounds are durable", async () => {
  const careless = (state: MemoryWitnessState): WitnessState => ({
    load: (origin) => state.load(origin),
    replace: (...swap) => state.replace(...swap),
    loadSigned: () => state.loadSigned(),
    appendSigned: () => Promise.resolve(),
    loadReleases: () => state.loadReleases(),
    probe: () => state.probe(),
  });
  const { failed } = await fc.check(signsOnce(careless, { count: 0 }), {
    numRuns: 500,
    endOnFailure: true,
  });
  assert.ok(failed);
});

const stored = (first: number, text: string) => ({
  first,
  digests: digestsOf(text),
  timestamp: NOW,
  beacon: null,
});

Deno.test("SignedRounds.check() refuses a round below a size that another one has read", async () => {
  const rounds = new SignedRounds(new MemoryWitnessState(), new StandingClock());
  await rounds.load();
  const size = 2 ** 16;
  rounds.check(stored(size - 1, "a"), size - 1);
  await rounds.add(stored(size - 1, "a"));
  rounds.check(stored(size, "b"), size);
  await rounds.add(stored(size, "b"));
  // It has forgotten that it signed "a".
  const other = () => rounds.check(stored(size - 1, "other"), size - 1);
  assert.throws(other, { code: "sequence_conflict", size });
});

Deno.test("SignedRounds.add() appends with the highest cosigned size so far", async () => {
  const state = new MemoryWitnessState();
  const sizes: number[] = [];
  state.appendSigned = (_rounds, cosigned) => {
    sizes.push(cosigned);
    return Promise.resolve();
  };
  const rounds = new SignedRounds(state, new StandingClock());
  await rounds.load();
  rounds.check(stored(7, "a"), 5);
  await rounds.add(stored(7, "a"));
  rounds.check(stored(8, "b"), 3);
  await rounds.add(stored(8, "b"));
  assert.deepEqual(sizes, [5, 5]);
});
