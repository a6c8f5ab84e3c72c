import fc from "fast-check";
import assert from "node:assert/strict";
import type { Beacon } from "../../src/proof/format/round.ts";
import type { WitnessedRound } from "../../src/witness/ports.ts";
import { type RoundMatch, RoundMemory } from "../../src/witness/round_memory.ts";
import { digestsOf, manyDigests } from "./fixture.ts";

/** A reference implementation with a list. */
class NaiveMemory {
  floor = 0;
  readonly rounds: WitnessedRound[] = [];

  match(round: WitnessedRound): RoundMatch {
    const at = ({ first, digests }: WitnessedRound) =>
      Array.from(
        { length: digests.length / 32 },
        (_, i) => [first + i, digests.slice(32 * i, 32 * i + 32).toHex()] as const,
      );
    const mine = new Map(at(round));
    const shared = this.rounds.filter((other) => at(other).some(([n]) => mine.has(n)));
    if (shared.length === 0) return "new";
    const isOther = shared.some((other) =>
      at(other).some(([n, digest]) => (mine.get(n) ?? digest) !== digest)
    );
    if (isOther) return "other_hash";
    return JSON.stringify(shared[0]) === JSON.stringify(round) ? "same" : "other_text";
  }
}

const BLOCK = 4096;
const BORDERS = [0, BLOCK, 2 * BLOCK, 2 ** 20, 2 ** 52];
const sequences = fc.tuple(fc.constantFrom(...BORDERS), fc.integer({ min: -2, max: 3 }))
  .map(([border, offset]) => Math.max(0, border + offset));
const beacon = (round: number): Beacon => ({
  chain_hash: "00".repeat(32),
  round,
  signature: "11".repeat(48),
});
// Few values of each, so that rounds agree as often as they differ.
const rounds = fc.record({
  first: sequences,
  names: fc.constantFrom(["a"], ["a", "a"], ["a", "a", "a", "b"], ["b"]),
  timestamp: fc.constantFrom(1, 1, 1, 2),
  beacon: fc.constantFrom(null, null, null, null, beacon(1), beacon(2)),
});
const steps = fc.oneof(
  { weight: 5, arbitrary: rounds },
  { weight: 1, arbitrary: fc.record({ advance: sequences }) },
);

Deno.test("RoundMemory agrees with a list at the borders of blocks", () => {
  const met = new Set<RoundMatch>();
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 30 }), (run) => {
      const memory = new RoundMemory();
      const naive = new NaiveMemory();
      for (const step of run) {
        if ("advance" in step) {
          memory.advance(step.advance);
          naive.floor = Math.max(naive.floor, step.advance);
          continue;
        }
        const { names, timestamp, beacon } = step;
        // A witness asks only from the minimum on.
        const first = Math.max(step.first, naive.floor);
        const round = { first, digests: digestsOf(...names), timestamp, beacon };
        const match = naive.match(round);
        met.add(match);
        assert.equal(memory.match(round), match);
        if (match !== "new") continue;
        memory.remember(round);
        naive.rounds.push(round);
        const ends = naive.rounds.map(({ first, digests }) => first + digests.length / 32);
        assert.equal(memory.end, Math.max(...ends));
        const listed = naive.rounds.filter(({ first }) => first >= naive.floor)
          .sort((a, b) => a.first - b.first);
        assert.deepEqual(memory.roundsFrom(0, 100), listed);
        for (const from of [first, first + 1, BLOCK]) {
          const beyond = listed.filter(({ first, digests }) => first + digests.length / 32 > from);
          for (const limit of [1, 100]) {
            assert.deepEqual(memory.roundsFrom(from, limit), beyond.slice(0, limit));
          }
        }
      }
    }),
    { numRuns: 500 },
  );
  assert.equal(met.size, 4);
});

Deno.test("RoundMemory.advance() never lowers the minimum", () => {
  const memory = new RoundMemory();
  memory.advance(100);
  memory.advance(50);
  memory.advance(4096);
  const round = { first: 4096, digests: digestsOf("a"), timestamp: 1, beacon: null };
  memory.remember(round);
  assert.equal(memory.match({ ...round, digests: digestsOf("b") }), "other_hash");
});

Deno.test("RoundMemory.match() detects one changed byte anywhere in a round", () => {
  const memory = new RoundMemory();
  const digests = manyDigests(512);
  const round = { first: BLOCK - 300, digests, timestamp: 1, beacon: null };
  memory.remember(round);
  assert.equal(memory.match(round), "same");
  for (let at = 0; at < digests.length; at += 509) {
    const changed = digests.slice();
    changed[at]! ^= 1;
    assert.equal(memory.match({ ...round, digests: changed }), "other_hash", `byte ${at}`);
  }
});
