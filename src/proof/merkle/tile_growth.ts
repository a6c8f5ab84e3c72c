/**
 * Grows a tree by a batch of leaves: computes new full tiles and edges from the old edges.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import { copyNodes, nodeCount } from "./nodes.ts";
import {
  fullTiles,
  GROUP_HEIGHT,
  partialWidth,
  rootOfEdges,
  TILE_HEIGHT,
  TILE_WIDTH,
} from "./tile.ts";

/** A tree that can grow: its size, and per tile-level its partial tile, packed, lowest first. */
export interface TreeEdges {
  readonly size: number;
  /** Empty, or absent at the end, for a level without a partial tile. */
  readonly edges: readonly Uint8Array[];
}

/** A full tile: 256 packed nodes. */
export interface FullTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Bytes;
  /** The 8 packed nodes {@linkcode GROUP_HEIGHT} levels above them. */
  readonly upperNodes: Bytes;
}

/** Upper nodes of a full tile. */
const UPPER_NODES = 2 ** (TILE_HEIGHT - GROUP_HEIGHT);

/** A tree after growth, with the tiles that became full, in ascending (level, index). */
export interface GrownTree {
  readonly size: number;
  readonly root: Bytes;
  readonly tiles: FullTile[];
  readonly edges: Bytes[];
}

/** Checks that the stored edges match the size. */
function checkEdges({ size, edges }: TreeEdges): void {
  for (let level = 0; level < edges.length || size >= TILE_WIDTH ** level; level++) {
    const required = partialWidth(level, size) * HASH_LENGTH;
    const found = edges[level]?.length ?? 0;
    if (found !== required) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot grow a tree of ${size} leaves: the edge of level ${level} has ${found} bytes ` +
          `instead of ${required}`,
      );
    }
  }
}

/**
 * Appends packed leaf hashes. `store_corrupt` if the edges do not match the size. Costs about one hash
 * per leaf, and at most 255 per level for the root.
 */
export function growTree(kernels: Kernels, tree: TreeEdges, leaves: Uint8Array): GrownTree {
  checkEdges(tree);
  const tiles: FullTile[] = [];
  const edges: Bytes[] = [];
  let added: Uint8Array = leaves;
  for (let level = 0; level < tree.edges.length || added.length > 0; level++) {
    const nodes = concat(tree.edges[level] ?? new Uint8Array(), added);
    const whole = Math.floor(nodeCount(nodes) / TILE_WIDTH);
    const firstTile = fullTiles(level, tree.size);
    const edgeStart = whole * TILE_WIDTH;
    const upper = kernels.treeLevel(nodes.subarray(0, edgeStart * HASH_LENGTH), GROUP_HEIGHT);
    for (let tile = 0; tile < whole; tile++) {
      const hashes = copyNodes(nodes, tile * TILE_WIDTH, (tile + 1) * TILE_WIDTH);
      const upperNodes = copyNodes(upper, tile * UPPER_NODES, (tile + 1) * UPPER_NODES);
      tiles.push({ level, index: firstTile + tile, hashes, upperNodes });
    }
    edges.push(copyNodes(nodes, edgeStart, nodeCount(nodes)));
    // One node of the next level for each full tile.
    added = kernels.treeLevel(upper, TILE_HEIGHT - GROUP_HEIGHT);
  }
  const size = tree.size + nodeCount(leaves);
  return { size, root: rootOfEdges(kernels, edges), tiles, edges };
}
