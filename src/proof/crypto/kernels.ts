/**
 * The interface of the hashing core, which has portable and compiled implementations.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Hashing } from "./hashing.ts";

/**
 * Texts that differ only in a digest and a number: text i is
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
   * Packed RFC 9162 section 2.1.1 leaf hashes, SHA-256(0x00 || entry), of concatenated entries:
   * entry i is `entries[ends[i-1] .. ends[i]]`, with `ends[-1] = 0`.
   */
  leafHashes(entries: Uint8Array, ends: Uint32Array): Bytes;

  /** {@linkcode Kernels.leafHashes} of numbered texts. */
  numberedLeafHashes(texts: NumberedTexts): Bytes;

  /**
   * The level of the tree `height` levels (default 1) above packed `nodes`: pairs are hashed, and an
   * odd last node is carried up. n nodes give ceil(n / 2^height); height Infinity gives the root.
   */
  treeLevel(nodes: Uint8Array, height?: number): Bytes;

  /** All levels over packed `leaves`, concatenated: the leaves first, the root last. */
  treeLevels(leaves: Uint8Array): Bytes;

  /**
   * The inclusion paths (RFC 9162 section 2.1.3.1) of all `size` leaves in the result of
   * {@linkcode Kernels.treeLevels}, concatenated, each from leaf to root.
   */
  inclusionPaths(levels: Uint8Array, size: number): Bytes;
}
