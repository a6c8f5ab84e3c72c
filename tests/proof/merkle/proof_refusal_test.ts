import assert from "node:assert/strict";
import fc from "fast-check";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import {
  rootFromInclusion,
  verifyConsistency,
  verifyInclusion,
} from "../../../src/proof/merkle/proof.ts";
import { IS_LONG } from "../../long_runs.ts";
import { leafHash, nodeHash, ReferenceTree } from "./reference.ts";

const kernels = portableKernels;
const MOST_LEAVES = IS_LONG ? 300 : 100;
const RUNS = { numRuns: IS_LONG ? 100 : 40 };
const tree = ReferenceTree.ofTexts(MOST_LEAVES);
const fork = ReferenceTree.ofTexts(MOST_LEAVES, "fork");

const twoSizes = fc.tuple(
  fc.integer({ min: 1, max: MOST_LEAVES }),
  fc.integer({ min: 1, max: MOST_LEAVES }),
).map(([a, b]): [number, number] => a < b ? [a, b] : [b, a]);

/** `bytes` with bit `bit`, modulo their length, flipped. */
function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const at = Math.floor(bit / 8) % bytes.length;
  return bytes.with(at, bytes[at]! ^ (1 << (bit % 8)));
}

/** Every damaged copy of a list of hashes. */
function damagedPaths(path: readonly Uint8Array[], bit: number, junk: Uint8Array): Uint8Array[][] {
  const damaged = [[...path, junk], [junk, ...path]];
  for (const [i, hash] of path.entries()) {
    damaged.push(path.with(i, flipped(hash, bit)), path.with(i, junk), path.toSpliced(i, 1));
    damaged.push(path.toSpliced(i, 0, hash));
    for (let j = i + 1; j < path.length; j++) damaged.push(path.with(i, path[j]!).with(j, hash));
  }
  if (path.length > 1) damaged.push(path.toReversed());
  return damaged;
}

Deno.test("a damaged inclusion proof is refused", () => {
  fc.assert(
    fc.property(twoSizes, fc.nat(255), ([place, size], bit) => {
      const index = place - 1;
      const path = tree.inclusion(index, size);
      const leaf = tree.leaves[index]!;
      const good = { leafHash: leaf, index, size, path, root: tree.root(size) };
      assert(verifyInclusion(kernels, good));
      assert(!verifyInclusion(kernels, { ...good, leafHash: flipped(leaf, bit) }));
      assert(!verifyInclusion(kernels, { ...good, root: flipped(good.root, bit) }));
      for (const damaged of damagedPaths(path, bit, fork.leaves[0]!)) {
        assert(!verifyInclusion(kernels, { ...good, path: damaged }));
      }
    }),
    RUNS,
  );
});

Deno.test("an inclusion proof does not verify at another index", () => {
  fc.assert(
    fc.property(twoSizes, ([place, size]) => {
      const path = tree.inclusion(place - 1, size);
      const good = { leafHash: tree.leaves[place - 1]!, size, path, root: tree.root(size) };
      for (let index = 0; index < size + 2; index++) {
        assert.equal(verifyInclusion(kernels, { ...good, index }), index === place - 1);
      }
    }),
    RUNS,
  );
});

Deno.test("an inclusion proof does not verify at a size with another root", () => {
  fc.assert(
    fc.property(twoSizes, ([place, size]) => {
      const index = place - 1;
      const good = { leafHash: tree.leaves[index]!, index, path: tree.inclusion(index, size) };
      for (let other = 0; other <= MOST_LEAVES; other++) {
        if (other === size) continue;
        assert(!verifyInclusion(kernels, { ...good, size: other, root: tree.root(other) }));
      }
    }),
    RUNS,
  );
});

Deno.test("a damaged consistency proof is refused", () => {
  fc.assert(
    fc.property(twoSizes, fc.nat(255), ([first, second], bit) => {
      const [firstRoot, secondRoot] = [tree.root(first), tree.root(second)];
      const path = tree.consistency(first, second);
      const good = { first, second, firstRoot, secondRoot, path };
      assert(verifyConsistency(kernels, good));
      assert(!verifyConsistency(kernels, { ...good, firstRoot: flipped(firstRoot, bit) }));
      assert(!verifyConsistency(kernels, { ...good, secondRoot: flipped(secondRoot, bit) }));
      if (first < second) {
        const swapped = { ...good, firstRoot: secondRoot, secondRoot: firstRoot };
        assert(!verifyConsistency(kernels, swapped));
        assert(!verifyConsistency(kernels, { ...swapped, first: second, second: first }));
      }
      for (const damaged of damagedPaths(path, bit, fork.leaves[0]!)) {
        assert(!verifyConsistency(kernels, { ...good, path: damaged }));
      }
    }),
    RUNS,
  );
});

Deno.test("a consistency proof does not verify for another pair of sizes of the log", () => {
  fc.assert(
    fc.property(twoSizes, ([first, second]) => {
      const path = tree.consistency(first, second);
      for (let other = 1; other <= MOST_LEAVES; other++) {
        const roots = { secondRoot: tree.root(second), firstRoot: tree.root(other) };
        const verdict = verifyConsistency(kernels, { first: other, second, ...roots, path });
        // With equal sizes and roots, the empty path always verifies.
        assert.equal(verdict, other === first || (other === second && path.length === 0));
      }
    }),
    RUNS,
  );
});

Deno.test("no proof joins a fork to the log", () => {
  fc.assert(fc.property(twoSizes, ([first, second]) => {
    const heads = { first, second, firstRoot: tree.root(first), secondRoot: fork.root(second) };
    for (const path of [tree.consistency(first, second), fork.consistency(first, second), []]) {
      assert(!verifyConsistency(kernels, { ...heads, path }));
    }
  }));
});

Deno.test("an inner node is not a leaf", () => {
  for (const size of [2, 3, 4, 7, 8, 9]) {
    const root = tree.root(size);
    const inner = nodeHash(tree.leaves[0]!, tree.leaves[1]!);
    // An entry with the bytes of the node's children has another hash.
    const entry = new Uint8Array([...tree.leaves[0]!, ...tree.leaves[1]!]);
    assert.notDeepEqual(leafHash(entry), inner);
    const path = tree.inclusion(0, size);
    for (let index = 0; index < size; index++) {
      for (const offered of [path.slice(1), path, [tree.leaves[0]!, ...path.slice(1)]]) {
        assert(!verifyInclusion(kernels, { leafHash: inner, index, size, path: offered, root }));
        const forged = leafHash(entry);
        assert(!verifyInclusion(kernels, { leafHash: forged, index, size, path: offered, root }));
      }
    }
    // Only the size refuses it, so a size must never come from the prover.
    if (size === 4) {
      const smaller = { leafHash: inner, index: 0, size: 2, path: path.slice(1) };
      assert.deepEqual(rootFromInclusion(kernels, smaller), root);
    }
  }
});
