/**
 * Tests with tiles whether the tree of one checkpoint extends that of another.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { showFirstRoot } from "../../proof/merkle/shown_root.ts";
import { TileProver } from "../../proof/merkle/tile_proof.ts";
import type { TreeRoot, VerifiedTree } from "./verified_tree.ts";

const PROOF_CACHES = { tiles: 64, sizes: 4 };

/**
 * `undefined` if `tree` extends `first`, which is not larger; otherwise the path that proves that it does
 * not, from the root that `tree` has at this size.
 */
export async function forkPath(
  kernels: Kernels,
  tree: VerifiedTree,
  first: TreeRoot,
): Promise<readonly Bytes[] | undefined> {
  const root = await tree.rootAt(first.size);
  if (equalBytes(root, first.root)) return undefined;
  // No path leads to a tree of the same size, or from an empty one.
  if (first.size === 0 || first.size === tree.size) return [];
  const prover = new TileProver(kernels, tree, PROOF_CACHES);
  return showFirstRoot(first.size, root, await prover.consistencyPath(first.size, tree.size));
}
