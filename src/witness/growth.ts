/**
 * When one head of a log extends another (c2sp.org/tlog-witness).
 *
 * @module
 */

import { type Bytes, equalBytes } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { verifyConsistency } from "../merkle/proof.ts";
import { emptyRoot } from "../merkle/tree.ts";
import type { WitnessedHead } from "./ports.ts";

/** A tree's size and root. */
type Tree = Pick<WitnessedHead, "size" | "root">;

/**
 * True when `path` shows that `to` extends `from` (RFC 9162 section 2.1.4.2). Every tree extends
 * the empty one, by an empty path; the empty tree has one root; a tree of the same size extends
 * `from` when it is the same, by an empty path.
 */
export function extendsTree(
  kernels: Kernels,
  from: Tree | undefined,
  to: Tree,
  path: readonly Bytes[],
): boolean {
  if (from === undefined || from.size === 0) {
    return path.length === 0 && (to.size > 0 || equalBytes(to.root, emptyRoot(kernels)));
  }
  return verifyConsistency(kernels, {
    first: from.size,
    second: to.size,
    firstRoot: from.root,
    secondRoot: to.root,
    path,
  });
}
