/**
 * {@linkcode EventCuts} on Deno KV: `events.kv`, beside the log's store and under the same process
 * lock. Nothing in it is needed to go on; with it is lost in which order different lists were told.
 *
 *     ["cut", page]    32 cuts, each four integers of 48 bits, big-endian: accepted, confirmed, heads,
 *                      anchors
 *
 * @module
 */

import { type Bytes, concat } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { EventPlace } from "../gateway/event_place.ts";
import type { EventCuts } from "../gateway/event_ports.ts";
import { RecentlyUsed } from "../recently_used.ts";
import type { AnchorDatabase } from "./anchor_database.ts";

/** Cuts of one row, which stays below the size at which values cost a page of their own. */
const PAGE = 32;
const INTEGER_LENGTH = 6;
const CUT_LENGTH = 4 * INTEGER_LENGTH;
/** Pages in memory, 1 KiB each: whoever looks for a place looks at the same ones first. */
const KEPT_PAGES = 256;

const cutKeys = {
  page: (page: number): Deno.KvKey => ["cut", page],
  pages: (): Deno.KvKey => ["cut"],
} as const;

/** Cuts by their index. */
export class KvEventCuts implements EventCuts {
  readonly #database: AnchorDatabase;
  readonly #pages = new RecentlyUsed<number, Bytes>(KEPT_PAGES);
  #length: number;

  private constructor(database: AnchorDatabase, length: number) {
    this.#database = database;
    this.#length = length;
  }

  /** The cuts of a database that is open for nothing else; `store_corrupt`. */
  static async open(database: AnchorDatabase): Promise<KvEventCuts> {
    const options = { limit: 1, reverse: true };
    for await (const { key, value } of database.list({ prefix: cutKeys.pages() }, options)) {
      const page = key[1] as number;
      return new KvEventCuts(database, page * PAGE + cutsIn(page, value));
    }
    return new KvEventCuts(database, 0);
  }

  get length(): number {
    return this.#length;
  }

  async at(index: number): Promise<EventPlace> {
    const page = Math.floor(index / PAGE);
    const bytes = await this.#page(page);
    const start = (index % PAGE) * CUT_LENGTH;
    if (index >= this.#length || start >= bytes.length) throw corrupt(page, "a cut", "none");
    return decodeCut(bytes.subarray(start, start + CUT_LENGTH));
  }

  async append(cut: EventPlace): Promise<void> {
    const page = Math.floor(this.#length / PAGE);
    const isNew = this.#length % PAGE === 0;
    const before = isNew ? new Uint8Array() : await this.#page(page);
    await this.#setPage(page, concat(before, encodeCut(cut)));
    this.#length++;
  }

  async truncate(length: number): Promise<void> {
    const last = Math.floor((this.#length - 1) / PAGE);
    // From the end: killed between two commits, what is left is a beginning.
    for (let page = last; page * PAGE >= length; page--) {
      await this.#database.commit(`no cuts of page ${page}`, (operation) => {
        operation.delete(cutKeys.page(page));
      });
      this.#pages.delete(page);
      this.#length = page * PAGE;
    }
    if (this.#length > length) {
      const page = Math.floor(length / PAGE);
      const kept = (await this.#page(page)).slice(0, (length % PAGE) * CUT_LENGTH);
      await this.#setPage(page, kept);
      this.#length = length;
    }
  }

  async #page(page: number): Promise<Bytes> {
    const kept = this.#pages.get(page);
    if (kept !== undefined) return kept;
    const value = await this.#database.get(cutKeys.page(page));
    if (value === undefined) throw corrupt(page, "a row", "none");
    cutsIn(page, value);
    const bytes = value.slice();
    this.#pages.set(page, bytes);
    return bytes;
  }

  async #setPage(page: number, bytes: Bytes): Promise<void> {
    await this.#database.commit(`cuts of page ${page}`, (operation) => {
      operation.set(cutKeys.page(page), bytes);
    });
    this.#pages.set(page, bytes);
  }
}

/** How many cuts a row holds. */
function cutsIn(page: number, { length }: Uint8Array): number {
  const count = length / CUT_LENGTH;
  if (Number.isInteger(count) && count >= 1 && count <= PAGE) return count;
  throw corrupt(page, `1 to ${PAGE} cuts`, `${length} bytes`);
}

function encodeCut({ accepted, confirmed, heads, anchors }: EventPlace): Bytes {
  const bytes = new Uint8Array(CUT_LENGTH);
  const view = new DataView(bytes.buffer);
  [accepted, confirmed, heads, anchors].forEach((value, i) => {
    view.setUint16(i * INTEGER_LENGTH, Math.floor(value / 2 ** 32));
    view.setUint32(i * INTEGER_LENGTH + 2, value % 2 ** 32);
  });
  return bytes;
}

function decodeCut(bytes: Bytes): EventPlace {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const at = (i: number) =>
    view.getUint16(i * INTEGER_LENGTH) * 2 ** 32 + view.getUint32(i * INTEGER_LENGTH + 2);
  const heads = at(2);
  return { accepted: at(0), confirmed: at(1), batches: heads, heads, anchors: at(3) };
}

function corrupt(page: number, required: string, found: string): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read cuts of events, page ${page}: ${required} required, found ${found}`,
  );
}
