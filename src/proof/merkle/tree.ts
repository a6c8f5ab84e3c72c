/**
 * The Merkle tree hash of RFC 9162 section 2.1.1, computed level by level.
 *
 * The RFC splits at the largest power of two below n. Hashing pairs level by level, with an odd last
 * node carried up, gives the same tree.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, isCount } from "../../base/bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { levelCounts } from "../crypto/packed_levels.ts";
import { CountersignError } from "../../base/errors.ts";
import { copyNodes, nodeCount } from "./nodes.ts";

/** The root of the tree without leaves, SHA-256 of the empty string. */
export function emptyRoot(kernels: Kernels): Bytes {
  return kernels.sha256(new Uint8Array());
}

/** The root (MTH) over packed leaf hashes. */
export function treeRoot(kernels: Kernels, leaves: Uint8Array): Bytes {
  return nodeCount(leaves) === 0 ? emptyRoot(kernels) : kernels.treeLevel(leaves, Infinity);
}

/**
 * All levels over packed leaf hashes: the leaves first, the root last; empty for no leaves. They are views of one
 * buffer: copy a level that outlives the others.
 */
export function treeLevels(kernels: Kernels, leaves: Uint8Array): Bytes[] {
  const counts = levelCounts(nodeCount(leaves));
  const packed = kernels.treeLevels(leaves);
  let start = 0;
  return counts.map((count) => {
    const from = start;
    start += count;
    return packed.subarray(from * HASH_LENGTH, start * HASH_LENGTH);
  });
}

/**
 * The inclusion path, leaf to root, of leaf `index` in the tree of {@linkcode treeLevels} (RFC 9162
 * section 2.1.3.1). A node that is carried up has no sibling and adds nothing.
 */
export function pathInLevels(levels: readonly Bytes[], index: number): Bytes[] {
  const size = nodeCount(levels[0] ?? new Uint8Array());
  if (!isCount(index) || index >= size) {
    throw new CountersignError(
      "internal",
      `No inclusion path of leaf ${index} in a tree of ${size}`,
    );
  }
  const path: Bytes[] = [];
  let node = index;
  for (const level of levels) {
    const sibling = node % 2 === 1 ? node - 1 : node + 1;
    if (sibling < nodeCount(level)) path.push(copyNodes(level, sibling, sibling + 1));
    node = Math.floor(node / 2);
  }
  return path;
}
