import fc from "fast-check";
import assert from "node:assert/strict";
import { type Bytes, concat, hexOf } from "../../src/bytes.ts";
import { SequenceMemory } from "../../src/witness/sequence_memory.ts";
import { digestsOf, manyDigests } from "./fixture.ts";

/** A reference implementation with a map. */
class NaiveMemory {
  floor = 0;
  readonly signed = new Map<number, string>();

  advance(size: number): void {
    this.floor = Math.max(this.floor, size);
  }

  #remembered(first: number, digests: Bytes): [number, string][] {
    return Array.from({ length: digests.length / 32 }, (_, i): [number, string] => [
      first + i,
      hexOf(digests.slice(i * 32, i * 32 + 32)),
    ]);
  }

  contradicts(first: number, digests: Bytes): boolean {
    return this.#remembered(first, digests).some(([sequence, digest]) =>
      sequence >= this.floor && (this.signed.get(sequence) ?? digest) !== digest
    );
  }

  /** The sequences that are new. */
  remember(first: number, digests: Bytes): [number, string][] {
    const added = this.#remembered(first, digests).filter(([sequence]) =>
      !this.signed.has(sequence)
    );
    for (const [sequence, digest] of added) this.signed.set(sequence, digest);
    return added;
  }
}

const BLOCK = 4096;
const BORDERS = [0, BLOCK, 2 * BLOCK, 2 ** 20, 2 ** 52];
const sequences = fc.tuple(fc.constantFrom(...BORDERS), fc.integer({ min: -6, max: 6 }))
  .map(([border, offset]) => Math.max(0, border + offset));
// Two names, so that rounds agree as often as they differ.
const rounds = fc.record({
  first: sequences,
  names: fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 12 }),
});
const steps = fc.oneof(
  { weight: 5, arbitrary: rounds },
  { weight: 1, arbitrary: fc.record({ advance: sequences }) },
);

Deno.test("SequenceMemory agrees with a map at the borders of blocks", () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 20 }), (run) => {
      const memory = new SequenceMemory();
      const naive = new NaiveMemory();
      for (const step of run) {
        if ("advance" in step) {
          memory.advance(step.advance);
          naive.advance(step.advance);
          continue;
        }
        // A witness asks only from the minimum on.
        const first = Math.max(step.first, naive.floor);
        const digests = concat(...step.names.map((name) => digestsOf(name)));
        const contradicts = naive.contradicts(first, digests);
        assert.equal(memory.contradicts(first, digests), contradicts);
        if (contradicts) continue;
        const added = memory.remember(first, digests).flatMap((run) =>
          Array.from({ length: run.digests.length / 32 }, (_, i): [number, string] => [
            run.first + i,
            hexOf(run.digests.slice(i * 32, i * 32 + 32)),
          ])
        );
        // A block that is partly below the minimum keeps all its digests.
        const above = naive.remember(first, digests);
        assert.deepEqual(added, above);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("SequenceMemory.advance() never lowers the minimum", () => {
  const memory = new SequenceMemory();
  memory.advance(100);
  memory.advance(50);
  memory.advance(4096);
  const last = 4096;
  memory.remember(last, digestsOf("a"));
  assert.ok(memory.contradicts(last, digestsOf("b")));
});

Deno.test("SequenceMemory.contradicts() detects one changed byte anywhere in a round", () => {
  const memory = new SequenceMemory();
  const digests = manyDigests(512);
  memory.remember(BLOCK - 300, digests);
  assert.equal(memory.contradicts(BLOCK - 300, digests), false);
  for (let at = 0; at < digests.length; at += 509) {
    const changed = digests.slice();
    changed[at]! ^= 1;
    assert.ok(memory.contradicts(BLOCK - 300, changed), `byte ${at}`);
  }
});
