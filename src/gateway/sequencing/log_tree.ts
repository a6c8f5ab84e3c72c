/**
 * Grows the committed tree. No other code changes it.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { growTree } from "../../proof/merkle/tile_growth.ts";
import { emptyRoot } from "../../proof/merkle/tree.ts";
import type { HeadVersion, TreeStore } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";
import { areEdgesOf, CommittedTree, type TreeState, unusable } from "./committed_tree.ts";

export interface LogTreeContext {
  readonly store: TreeStore;
  readonly kernels: Kernels;
  readonly writes: StoreWrites;
}

/** A head is committed before any witness sees it. */
export class LogTree extends CommittedTree {
  readonly #store: TreeStore;
  readonly #kernels: Kernels;
  readonly #writes: StoreWrites;
  #version: HeadVersion;

  private constructor(context: LogTreeContext, state: TreeState, version: HeadVersion) {
    super(context, state);
    this.#store = context.store;
    this.#kernels = context.kernels;
    this.#writes = context.writes;
    this.#version = version;
  }

  /** Loads the head; `store_corrupt` unless its edges hash to its root. */
  static async open(
    context: LogTreeContext,
  ): Promise<LogTree> {
    const stored = await context.store.head();
    if (stored === undefined) {
      const head = { size: 0, root: emptyRoot(context.kernels) };
      return new LogTree(context, { head, edges: [] }, null);
    }
    const edges = await context.store.edges();
    const { head } = stored;
    if (!areEdgesOf(head, edges, context.kernels)) {
      throw unusable(`its edges do not hash to the root at size ${head.size}`);
    }
    return new LogTree(context, { head, edges }, stored.version);
  }

  /** Whether the store still has this head. */
  async isCurrent(): Promise<boolean> {
    const found = (await this.#store.head())?.head;
    const { size, root } = this.head;
    return found === undefined ? size === 0 : found.size === size && equalBytes(found.root, root);
  }

  /** Appends packed leaf hashes: one commit of tiles, edges and head. */
  async grow(leaves: Bytes): Promise<void> {
    const before = this.head;
    const grown = growTree(this.#kernels, { size: before.size, edges: this.edges }, leaves);
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
      throw unusable(
        `its head is neither that of size ${before.size} nor that of size ${head.size}`,
      );
    }
    await this.#writes.settle({
      what: `tree head of size ${head.size}`,
      // Only reads: without the version, the stored head could not be replaced.
      commit: async () => {
        this.#version = (await this.#store.head())?.version ?? null;
        return "stored";
      },
      inspect: () => Promise.resolve("absent"),
    });
    this.replace({ head, edges: grown.edges });
  }
}
