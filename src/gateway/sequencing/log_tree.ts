/**
 * The committed tree: grows it, and reads its nodes for proofs. No other code changes it.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../../bytes.ts";
import type { Kernels } from "../../crypto/kernels.ts";
import { CountersignError } from "../../errors.ts";
import { RecentlyUsed } from "../../recently_used.ts";
import {
  fullTiles,
  type NodeSource,
  partialWidth,
  rootOfEdges,
  TILE_WIDTH,
} from "../../merkle/tile.ts";
import { growTree } from "../../merkle/tile_growth.ts";
import { emptyRoot, treeRoot } from "../../merkle/tree.ts";
import type { HeadVersion, StoredHead, TreeStore } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";

/** Cached full tiles of the levels from 1 on, 8 KiB each: enough for 2^24 attestations. */
const MAX_UPPER_TILES = 256;

export interface LogTreeContext {
  readonly store: TreeStore;
  readonly kernels: Kernels;
  readonly writes: StoreWrites;
}

/** The committed head with its edges. A head is committed before any witness sees it. */
export class LogTree implements NodeSource {
  readonly #store: TreeStore;
  readonly #kernels: Kernels;
  readonly #writes: StoreWrites;
  #head: StoredHead;
  #version: HeadVersion;
  /** Replaced together with the head, never changed: readers may hold the old array. */
  #edges: readonly Bytes[];
  /** Verified full tiles of the levels from 1 on. */
  readonly #upperTiles = new RecentlyUsed<string, Bytes>(MAX_UPPER_TILES);

  private constructor(
    context: LogTreeContext,
    state: { readonly head: StoredHead; readonly version: HeadVersion; readonly edges: Bytes[] },
  ) {
    this.#store = context.store;
    this.#kernels = context.kernels;
    this.#writes = context.writes;
    this.#head = state.head;
    this.#version = state.version;
    this.#edges = state.edges;
  }

  /** Loads the head; `store_corrupt` unless its edges hash to its root. */
  static async open(
    context: LogTreeContext,
  ): Promise<LogTree> {
    const stored = await context.store.head();
    if (stored === undefined) {
      const head = { size: 0, root: emptyRoot(context.kernels) };
      return new LogTree(context, { head, version: null, edges: [] });
    }
    const edges = await context.store.edges();
    const { size, root } = stored.head;
    const widthsFit = edges.every((edge, level) =>
      edge.length === partialWidth(level, size) * HASH_LENGTH
    );
    if (!widthsFit || !equalBytes(rootOfEdges(context.kernels, edges), root)) {
      throw corrupt(`its edges do not hash to the root at size ${size}`);
    }
    return new LogTree(context, { ...stored, edges });
  }

  /** The committed head. */
  get head(): StoredHead {
    return this.#head;
  }

  /** Whether the store still has this head. */
  async isCurrent(): Promise<boolean> {
    const found = (await this.#store.head())?.head;
    const { size, root } = this.#head;
    return found === undefined ? size === 0 : found.size === size && equalBytes(found.root, root);
  }

  /** Appends packed leaf hashes: one commit of tiles, edges and head. */
  async grow(leaves: Bytes): Promise<void> {
    const before = this.#head;
    const grown = growTree(this.#kernels, { size: before.size, edges: this.#edges }, leaves);
    const head = { size: grown.size, root: grown.root };
    const change = { replaces: this.#version, head, tiles: grown.tiles, edges: grown.edges };
    const outcome = await this.#writes.settle({
      what: `tree head of size ${head.size}`,
      commit: () => this.#store.commit(change),
      inspect: async () => {
        const found = (await this.#store.head())?.head;
        if ((found?.size ?? 0) === before.size) return "absent";
        return found!.size === head.size && equalBytes(found!.root, head.root) ? "ours" : "other";
      },
    });
    if (outcome === "other") {
      throw corrupt(
        `its head is neither that of size ${before.size} nor that of size ${head.size}`,
      );
    }
    this.#version = (await this.#store.head())?.version ?? null;
    this.#head = head;
    this.#edges = grown.edges;
  }

  /**
   * First `width` nodes of a tile: a partial tile from the edge, a full tile from the store, verified
   * against the root. `store_corrupt` names the tile.
   */
  async nodes(level: number, tile: number, width: number): Promise<Uint8Array> {
    const isFull = tile < fullTiles(level, this.#head.size);
    const nodes = isFull ? await this.#fullTile(level, tile) : this.#edges[level];
    if (nodes === undefined || nodes.length < width * HASH_LENGTH || width > TILE_WIDTH) {
      throw corrupt(`tile ${tile} of level ${level} is too short`);
    }
    return nodes.subarray(0, width * HASH_LENGTH);
  }

  /** A full tile that hashes to its node in the tile above, which is verified in turn or an edge. */
  async #fullTile(level: number, tile: number): Promise<Bytes> {
    const key = `${level}/${tile}`;
    const kept = this.#upperTiles.get(key);
    if (kept !== undefined) return kept;
    const nodes = await this.#store.tile(level, tile);
    const above = await this.#node(level + 1, tile);
    if (
      nodes?.length !== TILE_WIDTH * HASH_LENGTH ||
      !equalBytes(treeRoot(this.#kernels, nodes), above)
    ) throw corrupt(`tile ${tile} of level ${level} does not hash to its node`);
    if (level > 0) this.#upperTiles.set(key, nodes);
    return nodes;
  }

  /** The node at `index` of a tile level of the committed tree. */
  async #node(level: number, index: number): Promise<Bytes> {
    const tile = Math.floor(index / TILE_WIDTH);
    const isFull = tile < fullTiles(level, this.#head.size);
    const nodes = isFull ? await this.#fullTile(level, tile) : this.#edges[level]!;
    const offset = index % TILE_WIDTH;
    return nodes.subarray(offset * HASH_LENGTH, (offset + 1) * HASH_LENGTH);
  }
}

function corrupt(reason: string): CountersignError {
  return new CountersignError("store_corrupt", `Cannot use the stored tree: ${reason}`);
}
