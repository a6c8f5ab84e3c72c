import fc from "fast-check";
import assert from "node:assert/strict";
import { concat, hexOf } from "../../src/bytes.ts";
import { areDistinct } from "../../src/witness/distinct_digests.ts";
import { manyDigests } from "./fixture.ts";

Deno.test("areDistinct() agrees with a set", () => {
  // Few values, and values that differ in few bits, so that duplicates and collisions occur.
  const digest = fc.oneof(
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
    fc.nat(31).map((at) => new Uint8Array(32).fill(1, at, at + 1)),
    fc.nat(7).map((at) => new Uint8Array(32).fill(0x80, at * 4, at * 4 + 1)),
  );
  fc.assert(fc.property(fc.array(digest, { maxLength: 40 }), (digests) => {
    const expected = new Set(digests.map(hexOf)).size === digests.length;
    assert.equal(areDistinct(concat(...digests)), expected);
  }));
});

Deno.test("areDistinct() reads a view that begins at any byte", () => {
  const digests = manyDigests(3);
  const shifted = new Uint8Array(digests.length + 1);
  shifted.set(digests, 1);
  assert.ok(areDistinct(shifted.subarray(1)));
  shifted.copyWithin(1 + 64, 1, 1 + 32);
  assert.equal(areDistinct(shifted.subarray(1)), false);
});

Deno.test("areDistinct() answers fast for digests that differ in the highest bits only", () => {
  const digests = new Uint8Array(512 * 32);
  for (let i = 0; i < 512; i++) {
    for (let bit = 0; bit < 9; bit++) {
      digests[i * 32 + 4 * (bit % 8)]! |= (Math.floor(i / 2 ** bit) % 2) <<
        (7 - Math.floor(bit / 8));
    }
  }
  const start = performance.now();
  for (let i = 0; i < 20; i++) assert.ok(areDistinct(digests));
  // A chain through all of them takes 130,000 comparisons a call: seconds, where this takes 10 ms.
  assert.ok(performance.now() - start < 500);
});
