import assert from "node:assert/strict";
import fc from "fast-check";
import { equalBytes } from "../../../src/base/bytes.ts";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { hasCode } from "../../../src/base/errors.ts";
import {
  type Consistency,
  consistencyRanges,
  type Inclusion,
  inclusionRanges,
  rootFromInclusion,
  verifyConsistency,
  verifyInclusion,
} from "../../../src/proof/merkle/proof.ts";
import { IS_LONG } from "../../long_runs.ts";
import * as rfc from "./reference.ts";
import { ReferenceTree } from "./reference.ts";

const kernels = portableKernels;
const MOST_LEAVES = IS_LONG ? 300 : 70;
const small = ReferenceTree.ofTexts(MOST_LEAVES);

function inclusionOf(tree: ReferenceTree, index: number, size: number) {
  const path = tree.inclusion(index, size);
  return { leafHash: tree.leaves[index]!, index, size, path, root: tree.root(size) };
}

function consistencyOf(tree: ReferenceTree, first: number, second: number) {
  const path = tree.consistency(first, second);
  return { first, second, firstRoot: tree.root(first), secondRoot: tree.root(second), path };
}

function samePath(a: readonly Uint8Array[], b: readonly Uint8Array[]): boolean {
  return a.length === b.length && a.every((hash, i) => equalBytes(hash, b[i]!));
}

/** Checks both kinds of proofs with `hashing`. */
function checkEveryPair(hashing: Kernels, most: number): void {
  for (let size = 1; size <= most; size++) {
    for (let index = 0; index < size; index++) {
      const inclusion = inclusionOf(small, index, size);
      assert(verifyInclusion(hashing, inclusion), `inclusion of ${index} in ${size}`);
      const hashes = inclusionRanges(index, size).map(({ start, end }) => small.hash(start, end));
      assert(samePath(hashes, inclusion.path), `inclusion ranges of ${index} in ${size}`);
    }
    for (let first = 1; first <= size; first++) {
      const consistency = consistencyOf(small, first, size);
      assert(verifyConsistency(hashing, consistency), `consistency of ${first} with ${size}`);
      const hashes = consistencyRanges(first, size).map(({ start, end }) => small.hash(start, end));
      assert(samePath(hashes, consistency.path), `consistency ranges of ${first} with ${size}`);
    }
  }
}

Deno.test("every proof of a small tree verifies and follows from its ranges", () => {
  checkEveryPair(kernels, MOST_LEAVES);
});

Deno.test("control: the check of every proof detects another node hash", () => {
  const nodeHash = (left: Uint8Array, right: Uint8Array) => kernels.nodeHash(right, left);
  assert.throws(() => checkEveryPair({ ...kernels, nodeHash }, 2), assert.AssertionError);
});

Deno.test("proofs of large trees verify and follow from their ranges", () => {
  const most = IS_LONG ? 100_000 : 20_000;
  const large = ReferenceTree.ofTexts(most);
  const sizes = fc.integer({ min: 1, max: most });
  fc.assert(
    fc.property(sizes, sizes, (a, b) => {
      const [first, second] = [Math.min(a, b), Math.max(a, b)];
      const consistency = consistencyOf(large, first, second);
      assert(verifyConsistency(kernels, consistency));
      assert(samePath(
        consistencyRanges(first, second).map(({ start, end }) => large.hash(start, end)),
        consistency.path,
      ));
      const inclusion = inclusionOf(large, first - 1, second);
      assert(verifyInclusion(kernels, inclusion));
      assert(samePath(
        inclusionRanges(first - 1, second).map(({ start, end }) => large.hash(start, end)),
        inclusion.path,
      ));
    }),
    { numRuns: IS_LONG ? 100 : 40 },
  );
});

// Sizes that reveal 32-bit arithmetic or rounding, and random ones.
const anySize = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.constantFrom(2 ** 31, 2 ** 32, 2 ** 33, 2 ** 52).chain((near) =>
    fc.integer({ min: near - 3, max: near + 3 })
  ),
  fc.integer({ min: 2 ** 53 - 5, max: 2 ** 53 - 1 }),
  fc.maxSafeNat().filter((size) => size > 0),
);
const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });

Deno.test("paths over sizes to 2^53 lead to the root of the algorithm of the RFC", () => {
  fc.assert(fc.property(anySize, anySize, hash, fc.infiniteStream(hash), (a, b, leaf, hashes) => {
    const [index, size] = a < b ? [a, b] : [b - 1, a];
    const length = inclusionRanges(index, size).length;
    assert(length <= 53);
    const path = [...hashes.take(length)];
    const inclusion: Inclusion = { leafHash: leaf, index, size, path };
    const root = rootFromInclusion(kernels, inclusion);
    assert.deepEqual(root, rfc.rootFromInclusion(leaf, index, size, path));
    assert.notEqual(root, undefined);
    for (const wrong of [[...path, leaf], path.slice(1)]) {
      if (wrong.length === path.length) continue;
      assert.equal(rootFromInclusion(kernels, { ...inclusion, path: wrong }), undefined);
      assert.equal(rfc.rootFromInclusion(leaf, index, size, wrong), undefined);
    }
  }));
});

Deno.test("consistency over sizes to 2^53 agrees with the algorithm of the RFC", () => {
  fc.assert(fc.property(anySize, anySize, hash, fc.infiniteStream(hash), (a, b, seed, hashes) => {
    fc.pre(a !== b);
    const [first, second] = [Math.min(a, b), Math.max(a, b)];
    const path = [...hashes.take(consistencyRanges(first, second).length)];
    const roots = rfc.rootsFromConsistency(first, second, seed, path);
    assert(roots !== undefined);
    const consistency: Consistency = {
      first,
      second,
      firstRoot: roots.first,
      secondRoot: roots.second,
      path,
    };
    assert(verifyConsistency(kernels, consistency));
    for (const wrong of [[...path, seed], path.slice(1), path.slice(0, -1)]) {
      assert(!verifyConsistency(kernels, { ...consistency, path: wrong }));
    }
  }));
});

Deno.test("ranges are siblings of the proved range, one subtree each, in order of size", () => {
  fc.assert(fc.property(anySize, anySize, (a, b) => {
    const [index, size] = a < b ? [a, b] : [b - 1, a];
    let covered = { start: index, end: index + 1 };
    for (const { start, end } of inclusionRanges(index, size)) {
      assert(start < end && end <= size);
      assert(end === covered.start || start === covered.end, "next to what is covered");
      covered = { start: Math.min(start, covered.start), end: Math.max(end, covered.end) };
    }
    assert.deepEqual(covered, { start: 0, end: size });
  }));
});

Deno.test("an impossible proof has no ranges", () => {
  const cases = [[0, 0], [1, 1], [2, 1], [-1, 1], [0.5, 1], [NaN, 1], [0, 2 ** 53], [0, 1.5]];
  for (const [index, size] of cases) {
    assert.throws(() => inclusionRanges(index!, size!), (error) => hasCode(error, "internal"));
  }
  const pairs = [[0, 0], [0, 1], [2, 1], [-1, 1], [0.5, 1], [NaN, 1], [1, 2 ** 53], [1, NaN]];
  for (const [first, second] of pairs) {
    assert.throws(() => consistencyRanges(first!, second!), (error) => hasCode(error, "internal"));
  }
});

Deno.test("consistency at its edges", () => {
  const root = (size: number) => small.root(size);
  const verify = (first: number, second: number, path: Uint8Array[], change = {}) =>
    verifyConsistency(kernels, {
      first,
      second,
      firstRoot: root(Math.max(first, 0)),
      secondRoot: root(second),
      path,
      ...change,
    });
  assert(verify(1, 1, []));
  assert(verify(7, 7, []));
  assert(!verify(1, 1, [root(1)]), "equal sizes, a path");
  assert(!verify(1, 1, [], { secondRoot: root(2) }), "equal sizes, other roots");
  assert(!verify(7, 7, [], { firstRoot: root(8) }), "equal sizes, other roots");
  assert(!verify(7, 7, [], { firstRoot: root(7).subarray(1) }), "equal sizes, a shorter root");
  assert(!verify(0, 0, []), "nothing follows from an empty tree");
  assert(!verify(0, 0, [root(0)]));
  assert(!verify(0, 5, []));
  assert(!verify(0, 5, [root(5)]));
  assert(!verify(1, 2, []), "a path is needed");
  assert(verify(1, 2, [small.leaves[1]!]));
  assert(!verify(2, 1, [small.leaves[1]!]), "shrinking");
  assert(!verify(8, 7, []));
  assert(!verify(-1, 7, []));
  assert(!verify(1, 2, [small.leaves[1]!], { first: 1.5 }));
  assert(!verify(1, 2, [small.leaves[1]!], { second: 2 ** 53 }));
});

Deno.test("inclusion at its edges", () => {
  const [leafHash, root] = [small.leaves[0]!, small.root(1)];
  const one = { leafHash, index: 0, size: 1, path: [], root };
  assert(verifyInclusion(kernels, one));
  const changes = [
    { size: 0 },
    { index: 1 },
    { index: -1 },
    { index: NaN },
    { size: 1.5 },
    { size: 2 ** 53 },
    { path: [root] },
    { path: [new Uint8Array()] },
    { root: new Uint8Array() },
    { leafHash: new Uint8Array(), root: new Uint8Array() },
    { leafHash: leafHash.subarray(1), root: leafHash.subarray(1) },
    { leafHash: new Uint8Array([...leafHash, 0]), root: new Uint8Array([...leafHash, 0]) },
  ];
  for (const change of changes) assert(!verifyInclusion(kernels, { ...one, ...change }));
});

Deno.test("a hash of another length is refused at any position", () => {
  const { path, ...inclusion } = inclusionOf(small, 5, 13);
  const consistency = consistencyOf(small, 6, 13);
  for (const wrong of [new Uint8Array(), new Uint8Array(31), new Uint8Array(33)]) {
    for (const at of path.keys()) {
      assert(!verifyInclusion(kernels, { ...inclusion, path: path.with(at, wrong) }));
    }
    for (const at of consistency.path.keys()) {
      const changed = consistency.path.with(at, wrong);
      assert(!verifyConsistency(kernels, { ...consistency, path: changed }));
    }
    assert(!verifyConsistency(kernels, { ...consistency, firstRoot: wrong }));
    assert(!verifyConsistency(kernels, { ...consistency, secondRoot: wrong }));
  }
  // The root of a perfect first tree is hashed directly, and a hashing core may drop excess bytes.
  const perfect = consistencyOf(small, 8, 13);
  const firstRoot = new Uint8Array([...perfect.firstRoot, ...perfect.firstRoot]);
  assert(verifyConsistency(kernels, perfect));
  assert(!verifyConsistency(kernels, { ...perfect, firstRoot }));
});
