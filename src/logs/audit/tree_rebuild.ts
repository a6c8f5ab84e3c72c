/**
 * Rebuilds the tree over a log from its leaves, to compare stored or published nodes with it.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { type FullTile, type GrownTree, growTree } from "../../proof/merkle/tile_growth.ts";
import { emptyRoot } from "../../proof/merkle/tree.ts";
import type { FaultLog } from "./faults.ts";

/** Maximum number of leaves per step. */
const MAX_PENDING = 2 ** 13;

/** Callbacks while the tree grows. */
export interface TreeWatcher {
  /** The next size above `size` at which `reached` is to be called; Infinity for none. */
  nextSize(size: number): Promise<number>;
  /** The tree has `size` leaves, as `nextSize` asked. */
  reached(size: number, root: Bytes): void | Promise<void>;
  /** A tile is full. */
  full(tile: FullTile): Promise<void>;
}

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

  /** Appends packed leaf hashes. */
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
    for (const tile of grown.tiles) await this.#watcher.full(tile);
    if (await this.#watcher.nextSize(before) === grown.size) {
      await this.#watcher.reached(grown.size, grown.root);
    }
  }
}

/** The nodes of a tile as read, or why they cannot be read. */
type FoundNodes = { readonly value: Bytes } | { readonly damage: string } | undefined;

/** Reports the first node of `found` that differs from `required`. */
export function compareNodes(
  faults: FaultLog,
  part: "tile" | "edge",
  place: string | number,
  required: Bytes,
  found: FoundNodes,
): void {
  if (found === undefined) return faults.add(part, place, `the ${part} is missing`);
  if ("damage" in found) return faults.add(part, place, found.damage);
  const { value } = found;
  if (value.length !== required.length) {
    return faults.add(part, place, `it has ${value.length} bytes, not ${required.length}`);
  }
  if (equalBytes(required, value)) return;
  const wrong = required.findIndex((byte, i) => byte !== value[i]);
  const node = Math.floor(wrong / HASH_LENGTH);
  const at = (nodes: Bytes) => hexOf(nodes.subarray(node * HASH_LENGTH, (node + 1) * HASH_LENGTH));
  faults.add(part, place, `node ${node} is ${at(value)}, not ${at(required)}`);
}
