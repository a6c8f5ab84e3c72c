/**
 * {@linkcode Kernels} in plain JavaScript over noble's SHA-256: runs anywhere, and is the oracle
 * for any faster implementation.
 *
 * @module
 */

import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { Kernels } from "./kernels.ts";

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/** Interior node of the two nodes that stand at `offset` of `nodes`. */
function pairHash(scratch: Uint8Array, nodes: Uint8Array, offset: number): Uint8Array {
  scratch.set(nodes.subarray(offset, offset + 2 * HASH_LENGTH), 1);
  return sha256(scratch);
}

/** The portable hashing core. */
export const portableKernels: Kernels = {
  sha256: (message) => sha256(message) as Bytes,

  leafHashes(entries, ends) {
    const leaves = new Uint8Array(ends.length * HASH_LENGTH);
    let start = 0;
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i]!;
      const input = new Uint8Array(1 + end - start);
      input[0] = LEAF_PREFIX;
      input.set(entries.subarray(start, end), 1);
      leaves.set(sha256(input), i * HASH_LENGTH);
      start = end;
    }
    return leaves;
  },

  nodeHash(left, right) {
    const input = new Uint8Array(1 + 2 * HASH_LENGTH);
    input[0] = NODE_PREFIX;
    input.set(left, 1);
    input.set(right, 1 + HASH_LENGTH);
    return sha256(input) as Bytes;
  },

  treeLevel(nodes) {
    const count = nodes.length / HASH_LENGTH;
    const parents = new Uint8Array(Math.ceil(count / 2) * HASH_LENGTH);
    const scratch = new Uint8Array(1 + 2 * HASH_LENGTH);
    scratch[0] = NODE_PREFIX;
    for (let i = 0; i + 1 < count; i += 2) {
      parents.set(pairHash(scratch, nodes, i * HASH_LENGTH), (i / 2) * HASH_LENGTH);
    }
    if (count % 2 === 1) {
      parents.set(nodes.subarray((count - 1) * HASH_LENGTH), parents.length - HASH_LENGTH);
    }
    return parents;
  },
};
