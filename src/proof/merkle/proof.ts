/**
 * Inclusion and consistency proofs of RFC 9162 section 2.1.
 *
 * Both list the siblings on the path from a node to the root. Provers and verifiers share that walk:
 * the sizes alone determine the number and the sides of the hashes, and a proof of another length is
 * refused before hashing.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH, isCount } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import { CountersignError } from "../../base/errors.ts";

/** The leaves [start, end). */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Claims that `leafHash` is leaf `index` of the tree of `size` leaves; `path` is leaf to root. */
export interface Inclusion {
  readonly leafHash: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
}

/** Claims that the tree of `first` leaves is a prefix of the tree of `second`. */
export interface Consistency {
  readonly first: number;
  readonly second: number;
  readonly firstRoot: Uint8Array;
  readonly secondRoot: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/**
 * The siblings on the way up to the root of the tree of `size` leaves, lowest first, from the
 * subtree of `width` leaves (a power of two) that begins at `start`.
 */
function siblingRanges(start: number, width: number, size: number): Range[] {
  const ranges: Range[] = [];
  let at = start;
  // Division and doubling are exact: `span` is a power of two and `at` a multiple of it.
  for (let span = width; span < size; span *= 2) {
    if ((at / span) % 2 === 1) {
      ranges.push({ start: at - span, end: at });
      at -= span;
    } else if (at + span < size) {
      ranges.push({ start: at + span, end: Math.min(at + 2 * span, size) });
    }
  }
  return ranges;
}

/** True if leaf `index` exists in a tree of `size` leaves. */
function isLeaf(index: number, size: number): boolean {
  return isCount(index) && isCount(size) && index < size;
}

/** True if a consistency proof from `first` to `second` is defined: 1 <= first <= second. */
function isGrowth(first: number, second: number): boolean {
  return isCount(first) && isCount(second) && first >= 1 && first <= second;
}

function isHash(hash: Uint8Array): boolean {
  return hash.length === HASH_LENGTH;
}

/** `internal` unless a tree of `size` leaves has a leaf `index`. */
export function requireLeaf(index: number, size: number): void {
  if (isLeaf(index, size)) return;
  throw new CountersignError("internal", `No leaf ${index} in a tree of ${size}`);
}

/**
 * The subtrees whose hashes, in this order, are the inclusion proof of leaf `index` in the tree of
 * `size` leaves (RFC 9162 section 2.1.3.1). Needs index < size, else `internal`.
 */
export function inclusionRanges(index: number, size: number): Range[] {
  requireLeaf(index, size);
  return siblingRanges(index, 1, size);
}

/**
 * The subtrees whose hashes, in this order, are the consistency proof from `first` to `second`
 * leaves (RFC 9162 section 2.1.4.1); none when they are equal. Needs 1 <= first <= second, else
 * `internal`.
 */
export function consistencyRanges(first: number, second: number): Range[] {
  if (!isGrowth(first, second)) {
    throw new CountersignError("internal", `No consistency proof from ${first} to ${second}`);
  }
  if (first === second) return [];
  let width = 1;
  while ((first / width) % 2 === 0) width *= 2;
  const start = first - width;
  const siblings = siblingRanges(start, width, second);
  // A perfect first tree is a subtree of the second; the verifier has its root.
  return start === 0 ? siblings : [{ start, end: first }, ...siblings];
}

/**
 * The root that `path` leads to (RFC 9162 section 2.1.3.2); `undefined` if index >= size, the path has
 * another length than they require, or a hash is not 32 bytes.
 */
export function rootFromInclusion(kernels: Hashing, inclusion: Inclusion): Bytes | undefined {
  const { leafHash, index, size, path } = inclusion;
  if (!isLeaf(index, size) || !isHash(leafHash) || !path.every(isHash)) return undefined;
  const ranges = inclusionRanges(index, size);
  if (path.length !== ranges.length) return undefined;
  let root: Bytes = leafHash.slice();
  for (const [i, range] of ranges.entries()) {
    const node = path[i]!;
    root = range.start < index ? kernels.nodeHash(node, root) : kernels.nodeHash(root, node);
  }
  return root;
}

/** True if the inclusion holds under `root` (RFC 9162 section 2.1.3.2). */
export function verifyInclusion(
  kernels: Hashing,
  inclusion: Inclusion & { readonly root: Uint8Array },
): boolean {
  const root = rootFromInclusion(kernels, inclusion);
  return root !== undefined && equalBytes(root, inclusion.root);
}

/** The roots that a consistency path leads to. */
export interface ConsistencyRoots {
  readonly first: Bytes;
  readonly second: Bytes;
}

/**
 * The roots that `path` leads to (RFC 9162 section 2.1.4.2); `undefined` unless 1 <= first < second
 * and the path has the required length. If `first` is a power of two, the first root is `firstRoot`.
 */
export function rootsFromConsistency(
  kernels: Hashing,
  { first, second, firstRoot, path }: Omit<Consistency, "secondRoot">,
): ConsistencyRoots | undefined {
  // A perfect first tree's root is hashed with its siblings, so its length counts as theirs does.
  if (!isGrowth(first, second) || !isHash(firstRoot) || !path.every(isHash)) return undefined;
  const ranges = consistencyRanges(first, second);
  if (first === second || path.length !== ranges.length) return undefined;
  // Both begin as the last perfect subtree of the first tree and diverge at its right end.
  let firstHash: Bytes = firstRoot.slice();
  let secondHash = firstHash;
  for (const [i, range] of ranges.entries()) {
    const node = path[i]!;
    if (range.start >= first) {
      secondHash = kernels.nodeHash(secondHash, node);
    } else if (i === 0) {
      firstHash = node.slice();
      secondHash = firstHash;
    } else {
      firstHash = kernels.nodeHash(node, firstHash);
      secondHash = kernels.nodeHash(node, secondHash);
    }
  }
  return { first: firstHash, second: secondHash };
}

/**
 * True if the consistency holds (RFC 9162 section 2.1.4.2). Equal sizes need equal roots and an empty
 * path. False for an empty first tree.
 */
export function verifyConsistency(kernels: Hashing, consistency: Consistency): boolean {
  const { first, second, firstRoot, secondRoot, path } = consistency;
  if (!isGrowth(first, second)) return false;
  if (first === second) return path.length === 0 && equalBytes(firstRoot, secondRoot);
  const roots = rootsFromConsistency(kernels, consistency);
  return roots !== undefined && equalBytes(roots.first, firstRoot) &&
    equalBytes(roots.second, secondRoot);
}
