/**
 * The interface of the hashing core. Everything that hashes for a tree takes a `Kernels`, so that
 * the portable implementation and compiled ones are interchangeable and testable side by side.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Hashing } from "./hashing.ts";

/**
 * Texts that differ in a digest and a number only: text i is
 * `before || hex(digest i) || between || decimal(first + i) || after`.
 */
export interface NumberedTexts {
  readonly before: Uint8Array;
  /** 32 bytes for each text, written in lowercase hex. */
  readonly digests: Uint8Array;
  readonly between: Uint8Array;
  /** The number of the first text; all are integers in [0, 2^53). */
  readonly first: number;
  readonly after: Uint8Array;
}

/**
 * Synchronous, stateless hashing. Nodes are 32 bytes; a packed array of n nodes is 32n bytes. Every
 * result is a fresh array that the caller owns.
 */
export interface Kernels extends Hashing {
  /**
   * RFC 9162 section 2.1.1 leaf hashes, SHA-256(0x00 || entry), of entries laid back to back:
   * entry i is `entries[ends[i-1] .. ends[i]]`, with `ends[-1]` taken as 0. Answers packed nodes.
   */
  leafHashes(entries: Uint8Array, ends: Uint32Array): Bytes;

  /** {@linkcode Kernels.leafHashes} of numbered texts, which nobody has to write out before. */
  numberedLeafHashes(texts: NumberedTexts): Bytes;

  /**
   * The level of the tree `height` levels (1 unless given) above packed `nodes`: neighbours hashed
   * pairwise, an odd last node carried up unchanged. n nodes give ceil(n / 2^height), and a root
   * stays itself: at the height Infinity there is nothing else.
   */
  treeLevel(nodes: Uint8Array, height?: number): Bytes;

  /** Every level over packed `leaves`, back to back: the leaves first, the root last. */
  treeLevels(leaves: Uint8Array): Bytes;

  /**
   * The RFC 9162 section 2.1.3.1 inclusion paths of all `size` leaves of the tree whose packed
   * levels {@linkcode Kernels.treeLevels} gave: each from leaf to root, the paths back to back.
   */
  inclusionPaths(levels: Uint8Array, size: number): Bytes;
}
