/**
 * Consistency of a subtree with a tree (draft-ietf-plants-merkle-tree-certs-03 section 4).
 *
 * @module
 */

import { equalBytes, HASH_LENGTH, isCount } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import type { Range } from "./proof.ts";

/** Claims that the leaves [start, end) with root `subtreeRoot` are in the tree of `size` leaves. */
export interface SubtreeConsistency extends Range {
  readonly size: number;
  readonly subtreeRoot: Uint8Array;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** True if [start, end) is a subtree: not empty, and start a multiple of the power of two that covers it. */
export function isSubtree({ start, end }: Range): boolean {
  if (!isCount(start) || !isCount(end) || start >= end) return false;
  let width = 1;
  while (width < end - start) width *= 2;
  return start % width === 0;
}

/** True if the consistency holds (section 4.4.3). */
export function verifySubtreeConsistency(kernels: Hashing, claim: SubtreeConsistency): boolean {
  const { start, end, size, subtreeRoot, root, path } = claim;
  if (!isSubtree(claim) || !isCount(size) || end > size) return false;
  if (![subtreeRoot, root, ...path].every((hash) => hash.length === HASH_LENGTH)) return false;
  let [first, last, lastOfTree] = [start, end - 1, size - 1];
  const up = () => [first, last, lastOfTree] = [first, last, lastOfTree].map(half) as Numbers;
  if (last === lastOfTree) { while (first !== last) up(); }
  else while (first !== last && last % 2 === 1) up();
  const rest = [...path];
  const begin = first === last ? subtreeRoot : rest.shift();
  if (begin === undefined) return false;
  let [ofSubtree, ofTree] = [begin, begin];
  for (const hash of rest) {
    if (lastOfTree === 0) return false;
    if (last % 2 === 1 || last === lastOfTree) {
      if (first < last) ofSubtree = kernels.nodeHash(hash, ofSubtree);
      ofTree = kernels.nodeHash(hash, ofTree);
      while (last > 0 && last % 2 === 0) up();
    } else ofTree = kernels.nodeHash(ofTree, hash);
    up();
  }
  return lastOfTree === 0 && equalBytes(ofSubtree, subtreeRoot) && equalBytes(ofTree, root);
}

type Numbers = [number, number, number];

function half(value: number): number {
  return Math.floor(value / 2);
}
