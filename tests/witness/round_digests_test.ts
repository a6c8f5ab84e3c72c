import fc from "fast-check";
import assert from "node:assert/strict";
import { type Bytes, concat, hexOf } from "../../src/base/bytes.ts";
import { areDistinct } from "../../src/witness/round_digests.ts";
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

Deno.test("areDistinct() reads views at any byte offset", () => {
  const digests = manyDigests(3);
  const shifted = new Uint8Array(digests.length + 1);
  shifted.set(digests, 1);
  assert.ok(areDistinct(shifted.subarray(1)));
  shifted.copyWithin(1 + 64, 1, 1 + 32);
  assert.equal(areDistinct(shifted.subarray(1)), false);
});

/** Milliseconds for 20 calls. */
function timeOf(digests: Bytes): number {
  const start = performance.now();
  for (let i = 0; i < 20; i++) assert.ok(areDistinct(digests));
  return performance.now() - start;
}

/** 512 digests that are zero but for nine bits, one in every word of `width` bytes. */
function sparseDigests(width: number, bit: number): Bytes {
  const digests = new Uint8Array(512 * 32);
  for (let i = 0; i < 512; i++) {
    for (let place = 0; place < 9; place++) {
      const word = (place * width) % 32;
      const shift = (bit + Math.floor((place * width) / 32)) % 8;
      if (Math.floor(i / 2 ** place) % 2 === 1) digests[i * 32 + word]! |= 1 << shift;
    }
  }
  return digests;
}

Deno.test("areDistinct() is not slower for chosen digests", () => {
  const random = Math.min(...Array.from({ length: 5 }, () => timeOf(manyDigests(512))));
  // One chain through all of them takes 130,000 comparisons a call, which is 100 times as long.
  for (const width of [1, 2, 4]) {
    for (const bit of [7, 0]) {
      const digests = sparseDigests(width, bit);
      // The fastest of several tries, since the machine may be busy.
      let ratio = Infinity;
      for (let tries = 0; tries < 15 && ratio >= 20; tries++) {
        ratio = Math.min(ratio, timeOf(digests) / random);
      }
      assert.ok(ratio < 20, `width ${width}, bit ${bit}: ${ratio}`);
    }
  }
});
