/**
 * The core tests of the hashing kernels as a function that returns the first failure of a module, for
 * modules that were broken on purpose. The expected results come from noble.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, HASH_LENGTH, utf8 } from "../../src/base/bytes.ts";
import type { Kernels } from "../../src/proof/crypto/kernels.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { type HashingExports, wasmKernels } from "../../src/proof/crypto/wasm_hashing.ts";

const random = new Map<string, Bytes>();

/** Bytes without a pattern that could hide a misplaced byte. The caller may change them. */
function bytesOf(length: number, seed: number): Bytes {
  const key = `${length} ${seed}`;
  const known = random.get(key);
  if (known !== undefined) return known.slice();
  let state = seed | 1;
  const made = Uint8Array.from({ length }, () => {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    return state >>> 24;
  });
  random.set(key, made);
  return made.slice();
}

function nodesOf(count: number): Bytes {
  return bytesOf(count * HASH_LENGTH, count);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Leaf hashes of entries of these lengths, laid back to back. */
function leaves(kernels: Kernels, lengths: readonly number[]): Bytes {
  let end = 0;
  const ends = Uint32Array.from(lengths, (length) => end += length);
  return kernels.leafHashes(bytesOf(end, lengths.length), ends);
}

/** Attestation-like texts: lengths of the pieces, a first number, and how many. */
function numbered(
  kernels: Kernels,
  [before, between, after]: readonly [number, number, number],
  first: number,
  count: number,
): Bytes {
  return kernels.numberedLeafHashes({
    before: bytesOf(before, 1),
    digests: nodesOf(count),
    between: bytesOf(between, 2),
    first,
    after: bytesOf(after, 3),
  });
}

/** Numbers at which the count of decimal digits changes, and the largest. */
const NUMBERS = [
  0,
  7,
  96,
  997,
  9_995,
  99_998,
  999_999,
  9_999_990,
  99_999_995,
  999_999_999,
  2 ** 31 - 3,
  2 ** 32 - 3,
  9_999_999_997,
  99_999_999_996,
  999_999_999_998,
  9_999_999_999_996,
  99_999_999_999_990,
  999_999_999_999_995,
  2 ** 53 - 9,
];

/** Computations by name. Each returns parts that are compared one by one. */
const CHECKS: Readonly<Record<string, (kernels: Kernels) => Uint8Array[]>> = {
  "sha256 of every length": (kernels) =>
    range(0, 300).map((length) => kernels.sha256(bytesOf(length, length))),
  "sha256 of known text": (kernels) => [kernels.sha256(utf8("abc"))],
  "sha256 of a long message": (kernels) =>
    [4_096, 262_143, 262_144, 262_145, 600_001].map((length) => kernels.sha256(bytesOf(length, 9))),
  "nodeHash for every last byte": (kernels) =>
    range(0, 255).map((byte) => {
      const right = nodesOf(1);
      right[31] = byte;
      return kernels.nodeHash(bytesOf(32, byte), right);
    }),
  "leafHashes of equal lengths": (kernels) =>
    [0, 1, 31, 54, 55, 56, 63, 64, 119, 120, 160, 183, 184, 185].flatMap((length) =>
      [1, 3, 4, 5, 8, 9].map((count) => leaves(kernels, Array(count).fill(length)))
    ),
  "leafHashes of varying lengths": (kernels) => [
    leaves(kernels, range(0, 300)),
    leaves(kernels, range(0, 300).toReversed()),
    leaves(kernels, range(0, 99).map((index) => index * 37 % 191)),
    leaves(kernels, [0, 70_000, 1, 300_000, 2, 262_143, 262_144, 64, 0]),
    leaves(kernels, Array(8_200).fill(41)),
  ],
  "numberedLeafHashes at every number of digits": (kernels) =>
    NUMBERS.map((first) => numbered(kernels, [45, 22, 1], first, 9)),
  "numberedLeafHashes of other pieces": (kernels) =>
    [0, 1, 30, 63, 64, 95, 96, 97, 200].flatMap((length) => [
      numbered(kernels, [length, 22, 1], 5, 6),
      numbered(kernels, [45, length, 1], 95, 6),
      numbered(kernels, [45, 22, length], 995, 6),
    ]),
  "numberedLeafHashes of a round": (kernels) => [
    ...range(1, 13).map((count) => numbered(kernels, [45, 22, 1], 1_000, count)),
    numbered(kernels, [45, 22, 1], 999_900, 512),
    numbered(kernels, [96, 96, 96], 0, 8_200),
  ],
  "treeLevel of every size and height": (kernels) =>
    range(1, 40).flatMap((count) =>
      [1, 2, 3, 5, 8].map((height) => kernels.treeLevel(nodesOf(count), height))
    ),
  "treeLevel of large levels": (kernels) =>
    [511, 2_048, 8_192, 8_193, 16_390].flatMap((count) =>
      [1, 8, 14].map((height) => kernels.treeLevel(nodesOf(count), height))
    ),
  "treeLevels of every size": (kernels) =>
    [...range(1, 70), 255, 256, 257, 511, 512, 513, 8_191, 8_192, 8_193, 20_000].map((count) =>
      kernels.treeLevels(nodesOf(count))
    ),
  "inclusionPaths of every size": (kernels) =>
    [...range(1, 70), 127, 128, 129, 255, 256, 257, 400, 511, 512].map((count) =>
      kernels.inclusionPaths(portableKernels.treeLevels(nodesOf(count)), count)
    ),
};

const expected = new Map<string, string>();

/** The parts of `check`, each after its length. */
function transcript(check: (kernels: Kernels) => Uint8Array[], kernels: Kernels): string {
  const hash = createHash("sha256");
  for (const part of check(kernels)) hash.update(`${part.length} `).update(part);
  return hash.digest("hex");
}

function expectedOf(name: string): string {
  const known = expected.get(name);
  if (known !== undefined) return known;
  const made = transcript(CHECKS[name]!, portableKernels);
  expected.set(name, made);
  return made;
}

/** The first check that the hashing module `module` fails; may throw or never end. */
export function firstHashingFailure(module: Bytes): string | undefined {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  const kernels = wasmKernels(exports as unknown as HashingExports);
  return Object.keys(CHECKS).find((name) =>
    transcript(CHECKS[name]!, kernels) !== expectedOf(name)
  );
}
