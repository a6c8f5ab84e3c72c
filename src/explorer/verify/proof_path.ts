/**
 * The way from a leaf to the root of its tree, node by node, for people to look at. The verifier
 * decides whether a path holds; what is computed here is what it passes on the way.
 *
 * @module
 */

import { bytesOfHex, HASH_LENGTH, hexOf } from "../../bytes.ts";
import type { Kernels } from "../../crypto/kernels.ts";

/** One step up. Hashes in lowercase hex. */
export interface PathStep {
  /** Where the sibling stands. */
  readonly side: "left" | "right";
  readonly sibling: string;
  /** What both give: SHA-256(0x01 || left || right), RFC 9162 section 2.1.1. */
  readonly node: string;
}

/** A leaf, its place and its path: RFC 9162 section 2.1.3. */
export interface LeafPath {
  readonly leafHash: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly string[];
}

/**
 * The steps of section 2.1.3.2, none for a tree of one leaf. A path that is too long or short for its
 * place has as many steps as both allow.
 */
export function pathSteps(kernels: Kernels, { leafHash, index, size, path }: LeafPath): PathStep[] {
  const steps: PathStep[] = [];
  let [node, at, last] = [leafHash, index, size - 1];
  for (const sibling of path) {
    if (last <= 0) break;
    // A last node without a neighbour is carried up, to where it is the right one of two.
    while (at === last && at % 2 === 0 && last > 0) [at, last] = [at / 2, last / 2];
    const other = bytesOfHex(sibling, HASH_LENGTH) ?? new Uint8Array(HASH_LENGTH);
    const side = at % 2 === 1 ? "left" : "right";
    node = side === "left" ? kernels.nodeHash(other, node) : kernels.nodeHash(node, other);
    steps.push({ side, sibling, node: hexOf(node) });
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return steps;
}
