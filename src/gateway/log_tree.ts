/**
 * The tree as committed: the only code that moves it, and the source of its nodes for proofs.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import {
  fullTiles,
  type NodeSource,
  partialWidth,
  rootOfEdges,
  TILE_WIDTH,
} from "../merkle/tile.ts";
import { growTree } from "../merkle/tile_growth.ts";
import { emptyRoot } from "../merkle/tree.ts";
import type { HeadVersion, StoredHead, TreeStore } from "./ports.ts";
import { settleCommit } from "./settle.ts";

/** The committed head with its edges. A pending head is committed before any witness sees it. */
export class LogTree implements NodeSource {
  readonly #store: TreeStore;
  readonly #kernels: Kernels;
  readonly #clock: Clock;
  #head: StoredHead;
  #version: HeadVersion;
  /** Replaced whole, together with the head: a reader's snapshot stays as it was. */
  #edges: readonly Bytes[];

  private constructor(
    context: { readonly store: TreeStore; readonly kernels: Kernels; readonly clock: Clock },
    state: { readonly head: StoredHead; readonly version: HeadVersion; readonly edges: Bytes[] },
  ) {
    this.#store = context.store;
    this.#kernels = context.kernels;
    this.#clock = context.clock;
    this.#head = state.head;
    this.#version = state.version;
    this.#edges = state.edges;
  }

  /** Loads the head and checks that its edges hash to its root; `store_corrupt` otherwise. */
  static async open(
    context: { readonly store: TreeStore; readonly kernels: Kernels; readonly clock: Clock },
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
      throw corrupt(`edges of the root at size ${size}`);
    }
    return new LogTree(context, { ...stored, edges });
  }

  /** The committed head. */
  get head(): StoredHead {
    return this.#head;
  }

  /** Appends packed leaf hashes and commits tiles, edges and head at once. */
  async grow(leaves: Bytes): Promise<void> {
    const before = this.#head;
    const grown = growTree(this.#kernels, { size: before.size, edges: this.#edges }, leaves);
    const head = { size: grown.size, root: grown.root };
    const change = { replaces: this.#version, head, tiles: grown.tiles, edges: grown.edges };
    const outcome = await settleCommit(this.#clock, {
      what: `tree head of size ${head.size}`,
      commit: () => this.#store.commit(change),
      inspect: async () => {
        const found = (await this.#store.head())?.head;
        if ((found?.size ?? 0) === before.size) return "absent";
        return found!.size === head.size && equalBytes(found!.root, head.root) ? "ours" : "other";
      },
    });
    if (outcome === "other") throw corrupt(`head of size ${before.size} or ${head.size}`);
    this.#version = (await this.#store.head())?.version ?? null;
    this.#head = head;
    this.#edges = grown.edges;
  }

  /** First `width` nodes of a tile: from its edge while it is partial, else from the store. */
  async nodes(level: number, tile: number, width: number): Promise<Uint8Array> {
    const isFull = tile < fullTiles(level, this.#head.size);
    const nodes = isFull ? await this.#store.tile(level, tile) : this.#edges[level];
    if (nodes === undefined || nodes.length < width * HASH_LENGTH || width > TILE_WIDTH) {
      throw corrupt(`tile ${tile} of level ${level}`);
    }
    return nodes.subarray(0, width * HASH_LENGTH);
  }
}

function corrupt(required: string): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot use the stored tree: ${required} required, found otherwise`,
  );
}
