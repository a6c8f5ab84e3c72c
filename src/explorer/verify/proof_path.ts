/**
 * The nodes on the path from a leaf to the root of its tree, for display. The verifier decides
 * whether the path is valid.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";

/** One step up. Hashes in lowercase hex. */
export interface PathStep {
  /** The side of the sibling. */
  readonly side: "left" | "right";
  readonly sibling: string;
  /** The parent: SHA-256(0x01 || left || right), RFC 9162 section 2.1.1. */
  readonly node: string;
}

/** A leaf, its index and its inclusion path: RFC 9162 section 2.1.3. */
export interface LeafPath {
  readonly leafHash: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly string[];
}

/**
 * The steps of RFC 9162 section 2.1.3.2, none for a tree of one leaf. A path of the wrong length has
 * as many steps as the path and the tree allow.
 */
export function pathSteps(kernels: Kernels, { leafHash, index, size, path }: LeafPath): PathStep[] {
  const steps: PathStep[] = [];
  let [node, position, last] = [leafHash, index, size - 1];
  for (const sibling of path) {
    if (last <= 0) break;
    // The last node without a sibling moves up until it is a right child.
    while (position === last && position % 2 === 0 && last > 0) {
      [position, last] = [position / 2, last / 2];
    }
    const other = bytesOfHex(sibling, HASH_LENGTH) ?? new Uint8Array(HASH_LENGTH);
    const side = position % 2 === 1 ? "left" : "right";
    node = side === "left" ? kernels.nodeHash(other, node) : kernels.nodeHash(node, other);
    steps.push({ side, sibling, node: hexOf(node) });
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return steps;
}
