/**
 * Packed Merkle nodes: n concatenated hashes of 32 bytes.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";

/** The number of hashes in packed `nodes`; `internal` if the length is not a multiple of 32. */
export function nodeCount(nodes: Uint8Array): number {
  if (nodes.length % HASH_LENGTH !== 0) {
    throw new CountersignError(
      "internal",
      `Cannot count nodes: ${nodes.length} bytes are not a multiple of ${HASH_LENGTH}`,
    );
  }
  return nodes.length / HASH_LENGTH;
}

/** Copies the nodes [start, end): storing or posting a view would take its whole buffer along. */
export function copyNodes(nodes: Uint8Array, start: number, end: number): Bytes {
  return nodes.slice(start * HASH_LENGTH, end * HASH_LENGTH);
}
