/**
 * {@linkcode AnchorList} on any engine: the anchors in the order in which they were added. An anchor and
 * its entry are stored in one commit.
 *
 * @module
 */

import type { AnchorList, ListedAnchor } from "../../gateway/events/event_ports.ts";
import type { NumberedRecords } from "../numbered_records.ts";
import { decodeListedAnchor, encodeListedAnchor } from "./anchor_codec.ts";
import {
  type AnchorChange,
  type AnchorDatabase,
  anchorKeys,
  type AnchorValues,
} from "./anchor_database.ts";

/** The entries, numbered from 0. */
export function listedAnchors(values: AnchorValues): NumberedRecords<ListedAnchor> {
  return values.records(anchorKeys.listed(), decodeListedAnchor);
}

/** Entries under `["al", n]`, n from 0 without gaps. */
export class KvAnchorList implements AnchorList {
  readonly #database: AnchorDatabase;
  readonly #entries: NumberedRecords<ListedAnchor>;
  readonly #listeners = new Set<() => void>();
  #length: number;
  /** The entry at `#length` may be stored: its commit rejected. */
  #isUncertain = false;
  /** The commit in progress. The next entry gets its number after it. */
  #adding: Promise<unknown> = Promise.resolve();

  private constructor(
    database: AnchorDatabase,
    entries: NumberedRecords<ListedAnchor>,
    length: number,
  ) {
    this.#database = database;
    this.#entries = entries;
    this.#length = length;
  }

  static async open(database: AnchorDatabase): Promise<KvAnchorList> {
    const entries = listedAnchors(database);
    return new KvAnchorList(database, entries, await entries.nextNumber());
  }

  get length(): number {
    return this.#length;
  }

  /**
   * Commits `change`, with an entry for `anchor` unless one of `keys` exists already. `keys` has those of
   * `change.absent`.
   */
  commit(
    what: string,
    anchor: { readonly keys: readonly Deno.KvKey[]; readonly listed: ListedAnchor },
    change: AnchorChange,
  ): Promise<void> {
    const added = this.#adding.then(() => this.#commit(what, anchor, change));
    this.#adding = added.catch(() => {});
    return added;
  }

  list(start: number, end: number): Promise<readonly ListedAnchor[]> {
    return this.#entries.list({ start, end });
  }

  onAdded(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  async #commit(
    what: string,
    { keys, listed }: { readonly keys: readonly Deno.KvKey[]; readonly listed: ListedAnchor },
    change: AnchorChange,
  ): Promise<void> {
    if (this.#isUncertain) await this.#settle();
    while (!await this.#isStored(keys)) {
      const key = anchorKeys.listedAt(this.#length);
      this.#isUncertain = true;
      const isAdded = await this.#database.commit(what, {
        ...change,
        // A commit that rejected may be stored late.
        absent: [...change.absent ?? [], key],
        set: [...change.set, [key, encodeListedAnchor(listed)]],
      });
      if (isAdded) {
        this.#isUncertain = false;
        return this.#added();
      }
      await this.#settle();
    }
    await this.#database.commit(what, change);
  }

  async #isStored(keys: readonly Deno.KvKey[]): Promise<boolean> {
    const stored = await Promise.all(keys.map((key) => this.#database.get(key)));
    return stored.some((value) => value !== undefined);
  }

  /** Counts an entry that was stored although its commit rejected. */
  async #settle(): Promise<void> {
    while (await this.#isStored([anchorKeys.listedAt(this.#length)])) this.#added();
    this.#isUncertain = false;
  }

  #added(): void {
    this.#length++;
    for (const listener of this.#listeners) listener();
  }
}
