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
  GROUP_HEIGHT,
  type NodeSource,
  partialWidth,
  rootOfEdges,
  TILE_HEIGHT,
  TILE_WIDTH,
} from "../../proof/merkle/tile.ts";
import { treeRoot } from "../../proof/merkle/tree.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import type { StoredHead, TileReads } from "../ports.ts";

export const unusable = errorBuilder("store_corrupt", "Cannot use the stored tree");

/** Cached full tiles of the levels from 1 on, 8 KiB each: enough for 2^24 attestations. */
const MAX_UPPER_TILES = 256;
/** Cached full tiles of level 0: copies read a tile, then its entries. */
const MAX_LEAF_TILES = 64;
/** Cached upper nodes of tiles, 256 bytes each. */
const MAX_UPPER_NODES = 4096;
/** Groups of leaves in a tile, each under one of its upper nodes. */
const GROUPS = 2 ** (TILE_HEIGHT - GROUP_HEIGHT);
const GROUP_LEAVES = 2 ** GROUP_HEIGHT;
const GROUP_BYTES = GROUP_LEAVES * HASH_LENGTH;

/** A committed head, and the partial tile of each level, which hash to its root. */
export interface TreeState {
  readonly head: StoredHead;
  /** Never changed: readers may hold the array of an older head. */
  readonly edges: readonly Bytes[];
}

/** Packed leaf hashes of [start, end), or `undefined`. */
export type LeafSource = (start: number, end: number) => Promise<Bytes | undefined>;

export interface CommittedTreeContext {
  readonly store: TileReads;
  readonly kernels: Kernels;
}

export class CommittedTree implements NodeSource {
  readonly #context: CommittedTreeContext;
  #state: TreeState;
  /** Verified full tiles of the levels from 1 on. */
  readonly #upperTiles = new RecentlyUsed<string, Bytes>(MAX_UPPER_TILES);
  /** The same of level 0. */
  readonly #leafTiles = new RecentlyUsed<string, Bytes>(MAX_LEAF_TILES);
  /** Verified upper nodes of full tiles of level 0, by tile. */
  readonly #upperNodes = new RecentlyUsed<number, Promise<Bytes>>(MAX_UPPER_NODES);

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
  async nodes(level: number, tile: number, width: number): Promise<Bytes> {
    const isFull = tile < fullTiles(level, this.head.size);
    const nodes = isFull ? await this.#fullTile(level, tile) : this.edges[level];
    if (nodes === undefined || nodes.length < width * HASH_LENGTH || width > TILE_WIDTH) {
      throw unusable(`tile ${tile} of level ${level} is too short`);
    }
    return nodes.subarray(0, width * HASH_LENGTH);
  }

  /**
   * The nodes for proofs: groups of 32 leaves, the upper nodes of the tiles of level 0, then tiles from
   * level 1 on. So a proof reads and hashes a group, not a tile. `leaves` has the packed leaf hashes of a
   * range as they follow from digests and rounds; they are verified by the upper nodes. Where it has none,
   * the tile is read.
   */
  proofNodes(leaves: LeafSource): NodeSource {
    return {
      heights: [GROUP_HEIGHT, TILE_HEIGHT - GROUP_HEIGHT],
      nodes: async (level, index, width) => {
        if (level > 1) return await this.nodes(level - 1, index, width);
        const nodes = level === 0
          ? await this.#group(index, leaves)
          : await this.#upperNodesOf(index);
        return nodes.subarray(0, width * HASH_LENGTH);
      },
    };
  }

  /** The leaves of a group, at the right edge as many as there are. */
  async #group(group: number, leaves: LeafSource): Promise<Bytes> {
    const tile = Math.floor(group / GROUPS);
    const place = group % GROUPS;
    const start = group * GROUP_LEAVES;
    const isFull = tile < fullTiles(0, this.head.size);
    const nodes = isFull ? await leaves(start, start + GROUP_LEAVES) : undefined;
    if (nodes === undefined) {
      const all = isFull ? await this.#fullTile(0, tile) : this.edges[0]!;
      return all.subarray(place * GROUP_BYTES, (place + 1) * GROUP_BYTES);
    }
    const upper = await this.#upperNodesOf(tile);
    const above = upper.subarray(place * HASH_LENGTH, (place + 1) * HASH_LENGTH);
    if (equalBytes(treeRoot(this.#context.kernels, nodes), above)) return nodes;
    throw unusable(
      `attestations ${start} to ${
        start + GROUP_LEAVES - 1
      } do not hash to their node of tile ${tile}`,
    );
  }

  /** The upper nodes of a tile of level 0, at the right edge as many as there are. */
  #upperNodesOf(tile: number): Promise<Bytes> {
    if (tile >= fullTiles(0, this.head.size)) {
      const edge = this.edges[0]!;
      const whole = edge.subarray(0, edge.length - edge.length % GROUP_BYTES);
      return Promise.resolve(this.#context.kernels.treeLevel(whole, GROUP_HEIGHT));
    }
    const kept = this.#upperNodes.get(tile);
    if (kept !== undefined) return kept;
    const read = this.#readUpperNodes(tile);
    this.#upperNodes.set(tile, read);
    read.catch(() => this.#upperNodes.delete(tile));
    return read;
  }

  async #readUpperNodes(tile: number): Promise<Bytes> {
    const nodes = await this.#context.store.upperNodes(tile);
    const above = await this.#node(1, tile);
    if (
      nodes?.length === GROUPS * HASH_LENGTH &&
      equalBytes(treeRoot(this.#context.kernels, nodes), above)
    ) return nodes;
    throw unusable(`the upper nodes of tile ${tile} do not hash to its node`);
  }

  /** A full tile that hashes to its node in the tile above, which is verified in turn or an edge. */
  async #fullTile(level: number, tile: number): Promise<Bytes> {
    const key = `${level}/${tile}`;
    const cache = level > 0 ? this.#upperTiles : this.#leafTiles;
    const kept = cache.get(key);
    if (kept !== undefined) return kept;
    const nodes = await this.#context.store.tile(level, tile);
    const above = await this.#node(level + 1, tile);
    if (
      nodes?.length !== TILE_WIDTH * HASH_LENGTH ||
      !equalBytes(treeRoot(this.#context.kernels, nodes), above)
    ) throw unusable(`tile ${tile} of level ${level} does not hash to its node`);
    cache.set(key, nodes);
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
