import assert from "node:assert/strict";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { IS_LONG } from "../../long_runs.ts";
import { ReferenceTree } from "../merkle/reference.ts";
import { IMPLEMENTATIONS, pattern, sha256 } from "./kernels_implementations.ts";

const MOST = 600;
const tree = ReferenceTree.ofTexts(MOST);

/** Level `height` of the tree of `size` leaves, by the RFC's definition of each subtree hash. */
function referenceLevel(size: number, height: number): Uint8Array {
  const nodes: Uint8Array[] = [];
  for (let start = 0; start < size; start += 2 ** height) {
    nodes.push(tree.hash(start, Math.min(start + 2 ** height, size)));
  }
  return new Uint8Array(Buffer.concat(nodes));
}

function heightOf(size: number): number {
  return size < 2 ? 0 : Math.ceil(Math.log2(size));
}

function referenceLevels(size: number): Uint8Array {
  const levels = Array.from({ length: heightOf(size) + 1 }, (_, i) => referenceLevel(size, i));
  return new Uint8Array(Buffer.concat(levels));
}

/** Sizes whose paths are compared with the RFC's own definition. */
const PATH_SIZES = [
  ...Array.from({ length: 70 }, (_, size) => size),
  127,
  128,
  129,
  255,
  256,
  257,
  300,
  384,
  511,
  512,
  513,
  600,
];

/** Sizes whose levels are. A number of nodes is odd at every mixture of heights among the first 70. */
const SIZES = IS_LONG ? Array.from({ length: MOST + 1 }, (_, size) => size) : PATH_SIZES;

const expectedLevels = new Map(SIZES.map((size) => [size, referenceLevels(size)]));

const expectedPaths = new Map(PATH_SIZES.map((size) => {
  const paths = Array.from({ length: size }, (_, leaf) => tree.inclusion(leaf, size)).flat();
  return [size, new Uint8Array(Buffer.concat(paths))];
}));

/** The tree over any leaves, hashed pairwise level by level, for sizes beyond the reference. */
function plainLevels(leaves: Uint8Array): Uint8Array[] {
  const levels = [leaves];
  for (let level = leaves; level.length > 32;) {
    const above: Uint8Array[] = [];
    for (let at = 0; at < level.length; at += 64) {
      const pair = level.subarray(at, at + 64);
      above.push(pair.length === 64 ? sha256(Uint8Array.of(1), pair) : pair);
    }
    levels.push(level = new Uint8Array(Buffer.concat(above)));
  }
  return levels;
}

for (const [name, kernels] of IMPLEMENTATIONS) testTrees(name, kernels);

function testTrees(name: string, kernels: Kernels): void {
  Deno.test(`${name} kernels: treeLevel hashes neighbours and carries an odd last node up`, () => {
    for (const size of SIZES) {
      // Not at the start of its buffer, like a slice of a larger row.
      const leaves = new Uint8Array([...pattern(5), ...tree.packed(size)]).subarray(5);
      assert.deepEqual(kernels.treeLevel(leaves), referenceLevel(size, 1), `${size}`);
    }
  });

  Deno.test(`${name} kernels: treeLevel climbs to any height, and stays at the root`, () => {
    for (let size = 1; size <= MOST; size += size < 40 ? 1 : 37) {
      const leaves = tree.packed(size);
      for (const height of [0, 1, 2, 3, 8, 9, heightOf(size)]) {
        assert.deepEqual(kernels.treeLevel(leaves, height), referenceLevel(size, height));
      }
      const root = new Uint8Array(tree.root(size));
      for (const height of [10, 53, Infinity]) {
        assert.deepEqual(kernels.treeLevel(leaves, height), root);
      }
    }
    assert.deepEqual(kernels.treeLevel(new Uint8Array(), Infinity), new Uint8Array());
  });

  Deno.test(`${name} kernels: treeLevels gives every level of trees to ${MOST} leaves`, () => {
    for (const [size, expected] of expectedLevels) {
      assert.deepEqual(kernels.treeLevels(tree.packed(size)), expected, `${size}`);
    }
  });

  Deno.test(`${name} kernels: inclusionPaths gives the RFC's paths of all leaves`, () => {
    let paths = 0;
    for (const [size, expected] of expectedPaths) {
      assert.deepEqual(
        kernels.inclusionPaths(expectedLevels.get(size)!, size),
        expected,
        `${size}`,
      );
      paths += size;
    }
    assert.equal(paths, 2_415 + 3_972);
  });

  Deno.test(`${name} kernels: trees beyond the module's region`, () => {
    for (const size of IS_LONG ? [8_191, 8_192, 8_193, 12_290, 16_385] : [8_193, 16_385]) {
      const leaves = pattern(32 * size, size);
      const levels = plainLevels(leaves);
      assert.deepEqual(kernels.treeLevels(leaves), new Uint8Array(Buffer.concat(levels)));
      for (const height of IS_LONG ? [1, 8, 13, 14, Infinity] : [1, 13]) {
        const level = levels[Math.min(height, levels.length - 1)]!;
        assert.deepEqual(kernels.treeLevel(leaves, height), level, `${size} ${height}`);
      }
    }
  });
}
