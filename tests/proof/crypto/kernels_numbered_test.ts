import assert from "node:assert/strict";
import fc from "fast-check";
import type { Kernels, NumberedTexts } from "../../../src/proof/crypto/kernels.ts";
import { IMPLEMENTATIONS, pattern, sha256 } from "./kernels_implementations.ts";

function expected({ before, digests, between, first, after }: NumberedTexts): Uint8Array {
  const hashes: Uint8Array[] = [];
  for (let i = 0; i < digests.length / 32; i++) {
    const hex = Buffer.from(digests.subarray(32 * i, 32 * i + 32)).toString("hex");
    const number = Buffer.from(`${first + i}`);
    hashes.push(sha256(Uint8Array.of(0), before, Buffer.from(hex), between, number, after));
  }
  return new Uint8Array(Buffer.concat(hashes));
}

function check(kernels: Kernels, change: Partial<NumberedTexts>): void {
  const texts = {
    before: pattern(55),
    digests: pattern(32 * 9 + 1).subarray(1),
    between: pattern(12, 5),
    first: 1_000_000,
    after: Uint8Array.of(10),
    ...change,
  };
  assert.deepEqual(
    kernels.numberedLeafHashes(texts),
    expected(texts),
    `${texts.first}, ${texts.digests.length} bytes`,
  );
}

for (const [name, kernels] of IMPLEMENTATIONS) testNumbered(name, kernels);

function testNumbered(name: string, kernels: Kernels): void {
  Deno.test(`${name} kernels: numberedLeafHashes() of any number of texts`, () => {
    for (let count = 0; count <= 70; count++) check(kernels, { digests: pattern(32 * count) });
    check(kernels, { digests: pattern(32 * 512) });
    check(kernels, { digests: pattern(32 * 8_195) });
  });

  Deno.test(`${name} kernels: numberedLeafHashes() where numbers gain a digit`, () => {
    for (let digits = 1; digits <= 15; digits++) {
      for (let below = 0; below <= 13; below++) {
        check(kernels, { first: Math.max(0, 10 ** digits - below) });
      }
    }
    check(kernels, { first: 0, digests: pattern(32 * 1_200) });
    check(kernels, { first: 2 ** 53 - 9 });
    check(kernels, { first: 2 ** 53 - 512, digests: pattern(32 * 512) });
  });

  Deno.test(`${name} kernels: numberedLeafHashes() of pieces of every length`, () => {
    // With a piece beyond 96 bytes, the host writes the text.
    for (let length = 0; length <= 100; length++) {
      check(kernels, { before: pattern(length) });
      check(kernels, { between: pattern(length, 3) });
      check(kernels, { after: pattern(length, 7) });
    }
    for (const length of [95, 96, 97, 1_000]) {
      const piece = pattern(length);
      check(kernels, { before: piece, between: piece, after: piece, first: 2 ** 53 - 9 });
    }
  });

  Deno.test(`${name} kernels: numberedLeafHashes() of random texts`, () => {
    const piece = fc.uint8Array({ maxLength: 110 });
    const texts = fc.record({
      before: piece,
      digests: fc.nat(25).chain((n) => fc.uint8Array({ minLength: 32 * n, maxLength: 32 * n })),
      between: piece,
      first: fc.oneof(fc.nat(2_000), fc.maxSafeNat().map((n) => Math.max(0, n - 100))),
      after: piece,
    }, { noNullPrototype: true });
    fc.assert(fc.property(texts, (texts) => check(kernels, texts)), { numRuns: 300 });
  });
}
