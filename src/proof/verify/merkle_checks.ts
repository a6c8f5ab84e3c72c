/**
 * RFC 9162 proofs in wire form: hex paths between tree heads (verification.md "Merkle paths"). The
 * caller verifies the tree heads.
 *
 * @module
 */

import { type Bytes, bytesOfHex, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import type { CheckpointBody } from "../format/tree_head.ts";
import { rootFromInclusion, verifyConsistency } from "../merkle/proof.ts";
import type { Failure } from "./reasons.ts";

/** The hashes of a path, or `undefined` when one is not 64 lowercase hex digits. */
export function decodePath(path: readonly string[]): Bytes[] | undefined {
  const hashes = path.map((text) => bytesOfHex(text, HASH_LENGTH));
  return hashes.every((hash) => hash !== undefined) ? hashes : undefined;
}

/** The root in hex that `path` leads to from leaf `index` of `size`, or `undefined`. */
export function rootOfPath(
  kernels: Hashing,
  leaf: { readonly leafHash: Bytes; readonly index: number; readonly size: number },
  path: readonly string[],
): string | undefined {
  const hashes = decodePath(path);
  if (hashes === undefined) return undefined;
  const root = rootFromInclusion(kernels, { ...leaf, path: hashes });
  return root && hexOf(root);
}

/** True if `path` proves that the tree of `first` is a prefix of the tree of `second`. */
export function isPrefix(
  kernels: Hashing,
  first: CheckpointBody,
  second: CheckpointBody,
  path: readonly string[],
): boolean {
  const hashes = decodePath(path);
  const firstRoot = bytesOfHex(first.root_hash, HASH_LENGTH);
  const secondRoot = bytesOfHex(second.root_hash, HASH_LENGTH);
  if (hashes === undefined || firstRoot === undefined || secondRoot === undefined) return false;
  return verifyConsistency(kernels, {
    first: first.tree_size,
    second: second.tree_size,
    firstRoot,
    secondRoot,
    path: hashes,
  });
}

/** Why `path` does not lead from the leaf to the root of `head` (B7 and B8, P5 and P6). */
export function checkInclusion(
  kernels: Hashing,
  leaf: { readonly leafHash: Bytes; readonly index: number },
  path: readonly string[],
  head: CheckpointBody,
): Failure | undefined {
  if (leaf.index >= head.tree_size) return { reason: "leaf_beyond_tree", field: "leaf_index" };
  const root = rootOfPath(kernels, { ...leaf, size: head.tree_size }, path);
  if (root === head.root_hash) return undefined;
  return { reason: "inclusion_invalid", field: "inclusion_path" };
}
