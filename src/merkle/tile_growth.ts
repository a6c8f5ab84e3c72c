/**
 * Growing a tree by whole batches of leaves: from its edges to its new full tiles and edges.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import { copyNodes, nodeCount } from "./nodes.ts";
import { fullTiles, partialWidth, rootOfEdges, TILE_HEIGHT, TILE_WIDTH } from "./tile.ts";

/** A tree that can grow: its size, and per tile-level its partial tile, packed, lowest first. */
export interface TreeEdges {
  readonly size: number;
  /** Empty, or absent at the end, where a level has no partial tile. */
  readonly edges: readonly Uint8Array[];
}

/** A full tile: 256 packed nodes. */
export interface FullTile {
  readonly level: number;
  readonly index: number;
  readonly hashes: Bytes;
}

/** A tree after growth, with the tiles that became full, in ascending (level, index). */
export interface GrownTree {
  readonly size: number;
  readonly root: Bytes;
  readonly tiles: FullTile[];
  readonly edges: Bytes[];
}

/** Edges come from storage: a size that they do not fit would grow another tree. */
function checkEdges({ size, edges }: TreeEdges): void {
  for (let level = 0; level < edges.length || size >= TILE_WIDTH ** level; level++) {
    const required = partialWidth(level, size) * HASH_LENGTH;
    const found = edges[level]?.length ?? 0;
    if (found !== required) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot grow a tree of ${size} leaves: ${required} bytes required in the edge of level ` +
          `${level}, ${found} bytes found`,
      );
    }
  }
}

/**
 * The tree with packed leaf hashes `leaves` added at the right. `store_corrupt` when the edges do
 * not fit the size. Costs about one hash per leaf, and at most 255 per level for the root.
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
    for (let tile = 0; tile < whole; tile++) {
      const hashes = copyNodes(nodes, tile * TILE_WIDTH, (tile + 1) * TILE_WIDTH);
      tiles.push({ level, index: firstTile + tile, hashes });
    }
    const edgeStart = whole * TILE_WIDTH;
    edges.push(copyNodes(nodes, edgeStart, nodeCount(nodes)));
    // Above whole tiles: one node for each run of 256.
    added = kernels.treeLevel(nodes.subarray(0, edgeStart * HASH_LENGTH), TILE_HEIGHT);
  }
  const size = tree.size + nodeCount(leaves);
  return { size, root: rootOfEdges(kernels, edges), tiles, edges };
}
