/**
 * {@linkcode Kernels} over any synchronous SHA-256.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "./kernels.ts";
import { writeNumbered } from "./numbered_texts.ts";
import { levelsOf, pathsInLevels } from "./packed_levels.ts";

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/** The hashing core that hashes each message with `sha256`, which must not keep its input. */
export function kernelsOf(sha256: (message: Uint8Array) => Uint8Array): Kernels {
  const levelAbove = (nodes: Uint8Array) => hashPairs(sha256, nodes);
  return {
    sha256: (message) => sha256(message) as Bytes,
    leafHashes: (entries, ends) => hashLeaves(sha256, entries, ends),

    numberedLeafHashes(texts) {
      const { entries, ends } = writeNumbered(texts);
      return hashLeaves(sha256, entries, ends);
    },

    nodeHash(left, right) {
      const input = new Uint8Array(1 + 2 * HASH_LENGTH);
      input[0] = NODE_PREFIX;
      input.set(left, 1);
      input.set(right, 1 + HASH_LENGTH);
      return sha256(input) as Bytes;
    },

    treeLevel(nodes, height = 1) {
      let level = nodes;
      for (let i = 0; i < height && level.length > HASH_LENGTH; i++) level = levelAbove(level);
      return level === nodes ? nodes.slice() : level as Bytes;
    },

    treeLevels: (leaves) => concat(...levelsOf(leaves, levelAbove)),
    inclusionPaths: pathsInLevels,
  };
}

function hashLeaves(
  sha256: (message: Uint8Array) => Uint8Array,
  entries: Uint8Array,
  ends: Uint32Array,
): Bytes {
  const leaves = new Uint8Array(ends.length * HASH_LENGTH);
  let input = new Uint8Array(1 + 256);
  input[0] = LEAF_PREFIX;
  let start = 0;
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!;
    if (1 + end - start > input.length) {
      input = new Uint8Array(1 + end - start);
      input[0] = LEAF_PREFIX;
    }
    input.set(entries.subarray(start, end), 1);
    leaves.set(sha256(input.subarray(0, 1 + end - start)), i * HASH_LENGTH);
    start = end;
  }
  return leaves;
}

function hashPairs(sha256: (message: Uint8Array) => Uint8Array, nodes: Uint8Array): Bytes {
  const count = nodes.length / HASH_LENGTH;
  const parents = new Uint8Array(Math.ceil(count / 2) * HASH_LENGTH);
  const input = new Uint8Array(1 + 2 * HASH_LENGTH);
  input[0] = NODE_PREFIX;
  for (let i = 0; i + 1 < count; i += 2) {
    input.set(nodes.subarray(i * HASH_LENGTH, (i + 2) * HASH_LENGTH), 1);
    parents.set(sha256(input), (i / 2) * HASH_LENGTH);
  }
  if (count % 2 === 1) {
    parents.set(nodes.subarray((count - 1) * HASH_LENGTH), parents.length - HASH_LENGTH);
  }
  return parents;
}
