/**
 * Walks the heads of a log while its tree is rebuilt, and compares their roots with the tree. Heads with
 * the roots of one tree are consistent with each other.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf } from "../../base/bytes.ts";
import { Cursor } from "./cursor.ts";
import type { FaultLog, FaultPart } from "./faults.ts";

/** A root that the tree must have at a size. */
export interface ClaimedRoot {
  readonly part: FaultPart;
  readonly place: string | number;
  readonly size: number;
  readonly root: Bytes;
}

export interface HeadWalkContext<T> {
  /** Ascending by size. */
  readonly heads: AsyncIterable<T>;
  readonly sizeOf: (head: T) => number;
  /** Checks a head against the tree's root of its size; `undefined` if that is not known. */
  readonly check: (head: T, root: Bytes | undefined) => Promise<void>;
  /** Roots from other sources than `heads`. */
  readonly claims: readonly ClaimedRoot[];
  readonly faults: FaultLog;
}

export class HeadWalk<T> {
  readonly #heads: Cursor<T>;
  readonly #context: HeadWalkContext<T>;
  #count = 0;

  constructor(context: HeadWalkContext<T>) {
    this.#heads = new Cursor(context.heads);
    this.#context = context;
  }

  /** Number of heads that were checked. */
  get count(): number {
    return this.#count;
  }

  /** The next head, without checking it. */
  peek(): Promise<T | undefined> {
    return this.#heads.peek();
  }

  /** The next size above `size` with a head; Infinity when there is none. Checks the heads up to `size`. */
  async nextSize(size: number): Promise<number> {
    let next = await this.#peekSize();
    while (next <= size) {
      await this.#take(undefined);
      next = await this.#peekSize();
    }
    const claimed = this.#context.claims.map((claim) => claim.size).filter((one) => one > size);
    return Math.min(next, ...claimed);
  }

  /** Compares the heads of `size` with the tree's root. */
  async reached(size: number, root: Bytes): Promise<void> {
    const { claims, faults } = this.#context;
    for (const claim of claims) if (claim.size === size) compareRoots(faults, claim, root);
    if (await this.#peekSize() === size) await this.#take(root);
  }

  /** Checks the remaining heads; a head beyond a tree of `size` leaves is a fault. */
  async finish(size: number): Promise<void> {
    for (const claim of this.#context.claims) if (claim.size > size) this.#beyond(claim, size);
    for (let next = await this.#peekSize(); next < Infinity; next = await this.#peekSize()) {
      if (next > size) this.#beyond({ part: "sth", place: next, size: next }, size);
      await this.#take(undefined);
    }
  }

  async #peekSize(): Promise<number> {
    const head = await this.#heads.peek();
    return head === undefined ? Infinity : this.#context.sizeOf(head);
  }

  async #take(root: Bytes | undefined): Promise<void> {
    this.#count++;
    await this.#context.check((await this.#heads.next())!, root);
  }

  #beyond({ part, place, size }: Omit<ClaimedRoot, "root">, treeSize: number): void {
    this.#context.faults.add(part, place, `size ${size} is beyond the tree of ${treeSize} leaves`);
  }
}

/** Reports a root that is not `required`, that of the tree. */
export function compareRoots(
  faults: FaultLog,
  { part, place, size, root }: ClaimedRoot,
  required: Bytes,
): void {
  if (equalBytes(root, required)) return;
  const problem = `root ${hexOf(root)} is not that of the tree at size ${size}, ${hexOf(required)}`;
  faults.add(part, place, problem);
}
