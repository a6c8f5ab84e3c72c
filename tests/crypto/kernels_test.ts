import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { loadCompiledKernels } from "../../src/crypto/compiled_kernels.ts";
import type { Kernels } from "../../src/crypto/kernels.ts";
import { portableKernels } from "../../src/crypto/portable_kernels.ts";

function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** Bytes without a period that a hash block would hide. */
function pattern(length: number, seed = 0): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 3) * 7 + seed) % 251);
}

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

testKernels("portable", portableKernels);
testKernels("compiled", await loadCompiledKernels());

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

  Deno.test(`${name} kernels: nodeHash prefixes 0x01`, () => {
    const [left, right] = [pattern(32), pattern(32, 9)];
    assert.deepEqual(kernels.nodeHash(left, right), sha256(Uint8Array.of(1), left, right));
    assert.notDeepEqual(kernels.nodeHash(left, right), kernels.nodeHash(right, left));
  });

  Deno.test(`${name} kernels: leafHashes prefixes 0x00 to each entry, empty ones included`, () => {
    const lengths = [0, 0, 1, 32, 54, 55, 56, 63, 64, 0, 65, 119, 120, 200, 0];
    const ends: number[] = [];
    for (const length of lengths) ends.push((ends.at(-1) ?? 0) + length);
    const entries = pattern(ends.at(-1)!);
    const leaves = kernels.leafHashes(entries, Uint32Array.from(ends));
    assert.equal(leaves.length, 32 * lengths.length);
    for (const [i, end] of ends.entries()) {
      const entry = entries.subarray(end - lengths[i]!, end);
      assert.deepEqual(leaves.subarray(32 * i, 32 * i + 32), sha256(Uint8Array.of(0), entry));
    }
    assert.deepEqual(kernels.leafHashes(new Uint8Array(), new Uint32Array()), new Uint8Array());
    const oneEmpty = kernels.leafHashes(new Uint8Array(), Uint32Array.of(0));
    assert.deepEqual(oneEmpty, sha256(Uint8Array.of(0)));
  });

  Deno.test(`${name} kernels: treeLevel hashes neighbours and carries an odd last node up`, () => {
    for (let count = 0; count <= 70; count++) {
      // Off the start of its buffer, as a slice of a larger row is.
      const nodes = pattern(32 * count + 5, count).subarray(5);
      const before = nodes.slice();
      const parents = kernels.treeLevel(nodes);
      const expected: Uint8Array[] = [];
      for (let i = 0; i + 1 < count; i += 2) {
        expected.push(sha256(Uint8Array.of(1), nodes.subarray(32 * i, 32 * i + 64)));
      }
      if (count % 2 === 1) expected.push(nodes.subarray(32 * count - 32));
      assert.deepEqual(parents, new Uint8Array(Buffer.concat(expected)));
      assert.deepEqual(nodes, before, "the row is left as it was");
      parents.fill(0);
      assert.deepEqual(nodes, before, "the level owns its bytes");
    }
  });
}
