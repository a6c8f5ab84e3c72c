/**
 * Checks that a full tile of leaves is in a tree: each tile contains the hash of the one below, up
 * to the right edge, whose tiles hash to the root.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../src/base/bytes.ts";
import type { Kernels } from "../../src/proof/crypto/kernels.ts";
import { copyNodes } from "../../src/proof/merkle/nodes.ts";
import { partialWidth, rootOfEdges, TILE_WIDTH, tileWidth } from "../../src/proof/merkle/tile.ts";
import { treeRoot } from "../../src/proof/merkle/tree.ts";

/** Reads a number of nodes of a tile, packed. */
export type ReadTile = (level: number, index: number, width: number) => Promise<Bytes>;

/** True when the 256 hashes `leaves` are tile `index` of level 0 of the tree of `size` and `root`. */
export async function isTileOf(
  kernels: Kernels,
  read: ReadTile,
  { leaves, index }: { readonly leaves: Uint8Array; readonly index: number },
  { size, root }: { readonly size: number; readonly root: Uint8Array },
): Promise<boolean> {
  let tile = leaves;
  let place = index;
  for (let level = 1;; level++) {
    const hash = treeRoot(kernels, tile);
    const above = Math.floor(place / TILE_WIDTH);
    const width = tileWidth(level, above, size);
    tile = await read(level, above, width);
    const at = place % TILE_WIDTH;
    if (!equalBytes(copyNodes(tile, at, at + 1), hash)) return false;
    if (width < TILE_WIDTH) return await isEdge(kernels, read, { level, tile }, { size, root });
    place = above;
  }
}

/** True if `tile` is in the right edge of a tree with this root. */
async function isEdge(
  kernels: Kernels,
  read: ReadTile,
  { level, tile }: { readonly level: number; readonly tile: Uint8Array },
  { size, root }: { readonly size: number; readonly root: Uint8Array },
): Promise<boolean> {
  const edges: Uint8Array[] = [];
  for (let other = 0; TILE_WIDTH ** other <= size; other++) {
    const width = partialWidth(other, size);
    const index = Math.floor(size / TILE_WIDTH ** (other + 1));
    if (other === level) edges.push(tile);
    else edges.push(width === 0 ? new Uint8Array() : await read(other, index, width));
  }
  return equalBytes(rootOfEdges(kernels, edges), root);
}
