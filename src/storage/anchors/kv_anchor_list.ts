/**
 * {@linkcode AnchorList} on Deno KV: the anchors in the order in which they were added. An anchor and
 * its entry are stored in one commit.
 *
 * @module
 */

import type { AnchorList, ListedAnchor } from "../../gateway/events/event_ports.ts";
import { decodeListedAnchor, encodeListedAnchor } from "./anchor_codec.ts";
import { type AnchorDatabase, anchorKeys, type AnchorOperation } from "./anchor_database.ts";

/** Entries under `["al", n]`, n from 0 without gaps. */
export class KvAnchorList implements AnchorList {
  readonly #database: AnchorDatabase;
  readonly #listeners = new Set<() => void>();
  #length: number;
  /** The commit in progress. The next entry gets its number after it. */
  #adding: Promise<unknown> = Promise.resolve();

  private constructor(database: AnchorDatabase, length: number) {
    this.#database = database;
    this.#length = length;
  }

  static async open(database: AnchorDatabase): Promise<KvAnchorList> {
    const selector = { prefix: anchorKeys.listed() };
    for await (const { key } of database.list(selector, { limit: 1, reverse: true })) {
      return new KvAnchorList(database, key[1] as number + 1);
    }
    return new KvAnchorList(database, 0);
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Commits the operation that `build` fills, with an entry for `anchor` unless one of `keys` exists
   * already. Returns the result of the commit.
   */
  commit(
    what: string,
    anchor: { readonly keys: readonly Deno.KvKey[]; readonly listed: ListedAnchor },
    build: (operation: AnchorOperation) => void,
  ): Promise<boolean> {
    const added = this.#adding.then(() => this.#commit(what, anchor, build));
    this.#adding = added.catch(() => {});
    return added;
  }

  async list(start: number, end: number): Promise<readonly ListedAnchor[]> {
    const anchors: ListedAnchor[] = [];
    const selector = { start: anchorKeys.listedAt(start), end: anchorKeys.listedAt(end) };
    for await (const { key, value } of this.#database.list(selector)) {
      anchors.push(decodeListedAnchor(key[1] as number, value));
    }
    return anchors;
  }

  onAdded(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  async #commit(
    what: string,
    { keys, listed }: { readonly keys: readonly Deno.KvKey[]; readonly listed: ListedAnchor },
    build: (operation: AnchorOperation) => void,
  ): Promise<boolean> {
    const stored = await Promise.all(keys.map((key) => this.#database.get(key)));
    const isNew = stored.every((value) => value === undefined);
    const entry = encodeListedAnchor(listed);
    const isDone = await this.#database.commit(what, (operation) => {
      build(operation);
      // The entry of a commit that failed is overwritten: it belongs to no known anchor.
      if (isNew) operation.set(anchorKeys.listedAt(this.#length), entry);
    });
    if (isNew && isDone) {
      this.#length++;
      for (const listener of this.#listeners) listener();
    }
    return isDone;
  }
}
