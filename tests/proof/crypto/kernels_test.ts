import assert from "node:assert/strict";
import fc from "fast-check";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { IMPLEMENTATIONS, pattern, sha256 } from "./kernels_implementations.ts";

// NIST example values for FIPS 180-4, and the million `a` of its predecessor's appendix B.3.
const EXAMPLES: [string, string][] = [
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  [
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrs" +
    "mnopqrstnopqrstu",
    "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
];

/** Lengths at which an entry needs another block, and their neighbours. */
const LENGTHS = [0, 0, 1, 32, 54, 55, 56, 63, 64, 0, 65, 119, 120, 200, 0];

for (const [name, kernels] of IMPLEMENTATIONS) testKernels(name, kernels);

/** The expected leaf hashes of consecutive entries of these lengths in `entries`. */
function expectedLeaves(entries: Uint8Array, ends: readonly number[]): Uint8Array {
  const hashes = ends.map((end, i) =>
    sha256(Uint8Array.of(0), entries.subarray(ends[i - 1] ?? 0, end))
  );
  return new Uint8Array(Buffer.concat(hashes));
}

function endsOf(lengths: readonly number[]): number[] {
  let end = 0;
  return lengths.map((length) => end += length);
}

function checkLeaves(kernels: Kernels, lengths: readonly number[], seed = 0): void {
  const ends = endsOf(lengths);
  // Not at the start of its buffer, like a slice of a larger array.
  const entries = pattern((ends.at(-1) ?? 0) + 3, seed).subarray(3);
  const leaves = kernels.leafHashes(entries, Uint32Array.from(ends));
  assert.deepEqual(leaves, expectedLeaves(entries, ends), lengths.join(" "));
}

/** Every implementation passes the same tests. */
function testKernels(name: string, kernels: Kernels): void {
  Deno.test(`${name} kernels: sha256 gives the examples of FIPS 180-4`, () => {
    for (const [text, digest] of EXAMPLES) {
      assert.equal(kernels.sha256(new TextEncoder().encode(text)).toHex(), digest);
    }
  });

  Deno.test(`${name} kernels: sha256 of every length to 300, at any offset of a buffer`, () => {
    const buffer = pattern(320);
    for (let length = 0; length <= 300; length++) {
      const message = buffer.subarray(length % 17, (length % 17) + length);
      assert.deepEqual(kernels.sha256(message), sha256(message));
    }
  });

  Deno.test(`${name} kernels: sha256 of messages about the size of the module's region`, () => {
    for (const length of [2 ** 18 - 1, 2 ** 18, 2 ** 18 + 1, 2 ** 19 + 64, 700_001]) {
      const message = pattern(length + 1).subarray(1);
      assert.deepEqual(kernels.sha256(message), sha256(message));
    }
  });

  Deno.test(`${name} kernels: nodeHash prefixes 0x01, for every last byte`, () => {
    const [left, right] = [pattern(32), pattern(32, 9)];
    for (let last = 0; last < 256; last++) {
      right[31] = last;
      assert.deepEqual(kernels.nodeHash(left, right), sha256(Uint8Array.of(1), left, right));
    }
    assert.notDeepEqual(kernels.nodeHash(left, right), kernels.nodeHash(right, left));
  });

  Deno.test(`${name} kernels: leafHashes prefixes 0x00 to each entry, empty ones included`, () => {
    checkLeaves(kernels, LENGTHS);
    checkLeaves(kernels, []);
    checkLeaves(kernels, [0]);
    for (let length = 0; length <= 300; length++) {
      // One, three and four of a length, so that every grouping occurs.
      checkLeaves(kernels, [length], length);
      checkLeaves(kernels, [length, length, length], length);
      checkLeaves(kernels, [length, length, length, length], length);
    }
  });

  Deno.test(`${name} kernels: leafHashes of any mixture of lengths`, () => {
    const lengths = fc.array(
      fc.oneof(fc.nat(130), fc.constantFrom(0, 54, 55, 118, 119, 160), fc.nat(2000)),
      { maxLength: 30 },
    );
    fc.assert(fc.property(lengths, (lengths) => checkLeaves(kernels, lengths)), { numRuns: 200 });
  });

  Deno.test(`${name} kernels: leafHashes of entries larger than every region of the module`, () => {
    checkLeaves(kernels, [65_535, 65_536, 65_537, 1, 70_000]);
    checkLeaves(kernels, [5, 2 ** 18, 7, 2 ** 18 + 1, 9, 2 ** 18 - 1, 2 ** 19, 0]);
    // More leaves than the module accepts at once, in more than one input.
    checkLeaves(kernels, Array.from({ length: 8_195 }, (_, i) => i % 40));
    checkLeaves(kernels, Array.from({ length: 8_193 }, () => 0));
  });

  Deno.test(`${name} kernels: results belong to the caller, and inputs stay unchanged`, () => {
    const nodes = pattern(32 * 9);
    const ends = Uint32Array.of(7, 70, 70, 288);
    const before = [nodes.slice(), ends.slice()];
    const levels = kernels.treeLevels(nodes);
    const levelsBefore = levels.slice();
    const texts = { before: nodes, digests: nodes, between: nodes, first: 8, after: nodes };
    const ask = () => [
      kernels.sha256(nodes),
      kernels.nodeHash(nodes.subarray(0, 32), nodes.subarray(32, 64)),
      kernels.leafHashes(nodes, ends),
      kernels.numberedLeafHashes(texts),
      kernels.treeLevel(nodes),
      kernels.treeLevel(nodes.subarray(0, 32)),
      kernels.treeLevels(nodes),
      kernels.inclusionPaths(levels, 9),
    ];
    const first = ask();
    const kept = first.map((result) => result.slice());
    for (const result of ask()) result.fill(0xff);
    assert.deepEqual(first, kept, "later calls leave results alone");
    for (const result of first) {
      assert.equal(result.byteLength, result.buffer.byteLength, "no view of something larger");
      result.fill(0xff);
    }
    assert.deepEqual([nodes, ends], before);
    assert.deepEqual(levels, levelsBefore);
    assert.deepEqual(ask(), kept, "and nothing of them is kept");
  });
}
