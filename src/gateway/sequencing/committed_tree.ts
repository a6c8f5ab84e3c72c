/**
 * Reads the committed tree for proofs: partial tiles from memory, full tiles from the store.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { errorBuilder } from "../../base/errors.ts";
import {
  fullTiles,
  type NodeSource,
  partialWidth,
  rootOfEdges,
  TILE_WIDTH,
} from "../../proof/merkle/tile.ts";
import { treeRoot } from "../../proof/merkle/tree.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import type { StoredHead, TileReads } from "../ports.ts";

export const unusable = errorBuilder("store_corrupt", "Cannot use the stored tree");

/** Cached full tiles of the levels from 1 on, 8 KiB each: enough for 2^24 attestations. */
const MAX_UPPER_TILES = 256;

/** A committed head, and the partial tile of each level, which hash to its root. */
export interface TreeState {
  readonly head: StoredHead;
  /** Never changed: readers may hold the array of an older head. */
  readonly edges: readonly Bytes[];
}

export interface CommittedTreeContext {
  readonly store: TileReads;
  readonly kernels: Kernels;
}

export class CommittedTree implements NodeSource {
  readonly #context: CommittedTreeContext;
  #state: TreeState;
  /** Verified full tiles of the levels from 1 on. */
  readonly #upperTiles = new RecentlyUsed<string, Bytes>(MAX_UPPER_TILES);

  constructor(context: CommittedTreeContext, state: TreeState) {
    this.#context = context;
    this.#state = state;
  }

  get head(): StoredHead {
    return this.#state.head;
  }

  get edges(): readonly Bytes[] {
    return this.#state.edges;
  }

  /** The tree has grown to `state`, and its full tiles are stored. */
  replace(state: TreeState): void {
    this.#state = state;
  }

  /**
   * First `width` nodes of a tile: a partial tile from the edge, a full tile from the store, verified
   * against the root. `store_corrupt` names the tile.
   */
  async nodes(level: number, tile: number, width: number): Promise<Uint8Array> {
    const isFull = tile < fullTiles(level, this.head.size);
    const nodes = isFull ? await this.#fullTile(level, tile) : this.edges[level];
    if (nodes === undefined || nodes.length < width * HASH_LENGTH || width > TILE_WIDTH) {
      throw unusable(`tile ${tile} of level ${level} is too short`);
    }
    return nodes.subarray(0, width * HASH_LENGTH);
  }

  /** A full tile that hashes to its node in the tile above, which is verified in turn or an edge. */
  async #fullTile(level: number, tile: number): Promise<Bytes> {
    const key = `${level}/${tile}`;
    const kept = this.#upperTiles.get(key);
    if (kept !== undefined) return kept;
    const nodes = await this.#context.store.tile(level, tile);
    const above = await this.#node(level + 1, tile);
    if (
      nodes?.length !== TILE_WIDTH * HASH_LENGTH ||
      !equalBytes(treeRoot(this.#context.kernels, nodes), above)
    ) throw unusable(`tile ${tile} of level ${level} does not hash to its node`);
    if (level > 0) this.#upperTiles.set(key, nodes);
    return nodes;
  }

  /** The node at `index` of a tile level of the committed tree. */
  async #node(level: number, index: number): Promise<Bytes> {
    const tile = Math.floor(index / TILE_WIDTH);
    const isFull = tile < fullTiles(level, this.head.size);
    const nodes = isFull ? await this.#fullTile(level, tile) : this.edges[level]!;
    const offset = index % TILE_WIDTH;
    return nodes.subarray(offset * HASH_LENGTH, (offset + 1) * HASH_LENGTH);
  }
}

/** Whether `edges` are the partial tiles of the tree with `head`. */
export function areEdgesOf(
  { size, root }: StoredHead,
  edges: readonly Bytes[],
  kernels: Kernels,
): boolean {
  const widthsFit = edges.every((edge, level) =>
    edge.length === partialWidth(level, size) * HASH_LENGTH
  );
  return widthsFit && equalBytes(rootOfEdges(kernels, edges), root);
}
