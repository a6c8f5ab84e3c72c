/**
 * The tree over a log, grown from its leaves alone. What is stored or published is compared with it
 * and never put in its place, but where a leaf cannot be known: there the stored one stands in, so
 * that one lost digest is not found again in every tree head.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { type GrownTree, growTree } from "../merkle/tile_growth.ts";
import { emptyRoot } from "../merkle/tree.ts";

/** Leaves that are grown in one step at most. */
const MAX_PENDING = 2 ** 13;

/** What has to be told of the tree as it grows. */
export interface TreeWatcher {
  /** The next size above `size` at which the root is asked for; Infinity for none. */
  nextSize(size: number): Promise<number>;
  /** The tree has `size` leaves, the last one that was asked for. */
  reached(size: number, root: Bytes): void | Promise<void>;
  /** A tile is full. */
  full(level: number, index: number, hashes: Bytes): Promise<void>;
}

/** Grows a tree up to a size. */
export class TreeRebuild {
  readonly #kernels: Kernels;
  readonly #watcher: TreeWatcher;
  #tree: Pick<GrownTree, "size" | "edges" | "root">;
  #pending: Bytes[] = [];
  #pendingCount = 0;

  constructor(kernels: Kernels, watcher: TreeWatcher) {
    this.#kernels = kernels;
    this.#watcher = watcher;
    this.#tree = { size: 0, edges: [], root: emptyRoot(kernels) };
  }

  /** Leaves so far. */
  get size(): number {
    return this.#tree.size + this.#pendingCount;
  }

  /** Adds packed leaf hashes at the right. */
  async append(leaves: Bytes): Promise<void> {
    for (let from = 0; from < leaves.length;) {
      const room = Math.min(
        await this.#watcher.nextSize(this.size) - this.size,
        MAX_PENDING - this.#pendingCount,
      );
      const part = leaves.slice(from, from + room * HASH_LENGTH);
      this.#pending.push(part);
      this.#pendingCount += part.length / HASH_LENGTH;
      from += part.length;
      if (part.length === room * HASH_LENGTH) await this.#grow();
    }
  }

  /** The whole tree so far. */
  async finish(): Promise<Pick<GrownTree, "size" | "edges" | "root">> {
    await this.#grow();
    return this.#tree;
  }

  async #grow(): Promise<void> {
    if (this.#pendingCount === 0) return;
    const before = this.#tree.size;
    const grown = growTree(this.#kernels, this.#tree, concat(...this.#pending));
    this.#pending = [];
    this.#pendingCount = 0;
    this.#tree = grown;
    for (const { level, index, hashes } of grown.tiles) {
      await this.#watcher.full(level, index, hashes);
    }
    if (await this.#watcher.nextSize(before) === grown.size) {
      await this.#watcher.reached(grown.size, grown.root);
    }
  }
}
