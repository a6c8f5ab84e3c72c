/**
 * The interface of the hashing core. Everything that hashes for a tree takes a `Kernels`, so that
 * the portable implementation and a compiled one are interchangeable and testable side by side.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";

/** Synchronous, stateless hashing. Nodes are 32 bytes; a packed array of n nodes is 32n bytes. */
export interface Kernels {
  /** SHA-256 of `message` (FIPS 180-4). */
  sha256(message: Uint8Array): Bytes;

  /**
   * RFC 9162 section 2.1.1 leaf hashes, SHA-256(0x00 || entry), of entries laid back to back:
   * entry i is `entries[ends[i-1] .. ends[i]]`, with `ends[-1]` taken as 0. Answers packed nodes.
   */
  leafHashes(entries: Uint8Array, ends: Uint32Array): Bytes;

  /** RFC 9162 section 2.1.1 interior node, SHA-256(0x01 || left || right). */
  nodeHash(left: Uint8Array, right: Uint8Array): Bytes;

  /**
   * The next level up of packed `nodes`: neighbours hashed pairwise, an odd last node carried up
   * unchanged. n nodes give ceil(n / 2).
   */
  treeLevel(nodes: Uint8Array): Bytes;
}
