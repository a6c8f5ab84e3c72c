/**
 * Packed Merkle nodes: n hashes of 32 bytes laid back to back.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/** The number of hashes in packed `nodes`; `internal` when a part of a hash is left over. */
export function nodeCount(nodes: Uint8Array): number {
  if (nodes.length % HASH_LENGTH !== 0) {
    throw new CountersignError(
      "internal",
      `Cannot count nodes: whole hashes of ${HASH_LENGTH} bytes required, ${nodes.length} bytes found`,
    );
  }
  return nodes.length / HASH_LENGTH;
}

/**
 * A copy of the nodes [start, end) of packed `nodes`. A copy and never a view, because a stored or
 * posted view takes its whole buffer along.
 */
export function copyNodes(nodes: Uint8Array, start: number, end: number): Bytes {
  return nodes.slice(start * HASH_LENGTH, end * HASH_LENGTH);
}
