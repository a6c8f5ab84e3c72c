/**
 * Published tree heads, by size and by the sequences of their batches. All are in the store, the latest
 * also in memory. The store keeps a checksum of each, whose signatures were verified before it was stored.
 *
 * @module
 */

import { hasCode } from "../../base/errors.ts";
import { addsSignatures, type SthRecord, storedHeadOf } from "../../proof/format/records.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import type { SthReads } from "../ports.ts";
import type { RecordCheck } from "../record_check.ts";

/** Latest heads in memory, about 1 KiB each. The oldest are dropped once there are twice as many. */
const MAX_RECENT = 4096;
/** Older heads that are cached. */
const MAX_OLDER = 4096;

export class PublishedHeads {
  readonly #store: SthReads;
  /** Consecutive published heads, ascending by size, the latest last. */
  #recent: SthRecord[] = [];
  /** Whether `#recent` has every head of the log. */
  #hasAll = true;
  /** Heads before the recent ones, by size. */
  #older = new RecentlyUsed<number, SthRecord>(MAX_OLDER);

  /** `latest` is the latest published head. */
  constructor(store: SthReads, latest: SthRecord | undefined) {
    this.#store = store;
    this.advanceTo(latest);
  }

  /** Loads the latest heads; `store_corrupt` if the last one does not verify. */
  static async open(
    store: SthReads,
    check: Pick<RecordCheck, "checkpoint">,
  ): Promise<PublishedHeads> {
    // Without the latest head, the gateway does not know which leaves are unpublished.
    const [latest] = await store.below(Number.MAX_SAFE_INTEGER, 1);
    if (latest !== undefined) await check.checkpoint(latest);
    const heads = new PublishedHeads(store, latest);
    await heads.load();
    return heads;
  }

  get latest(): SthRecord | undefined {
    return this.#recent.at(-1);
  }

  /** Size of the latest published head; 0 if there is none. */
  get size(): number {
    return this.latest?.size ?? 0;
  }

  /** `head` was published after {@linkcode latest}. */
  add(head: SthRecord): void {
    const record = storedHeadOf(head);
    this.#recent.push(record);
    if (this.#recent.length > 2 * MAX_RECENT) {
      this.#recent.splice(0, MAX_RECENT);
      this.#hasAll = false;
    }
  }

  /** `head` is a published one with further signatures. */
  extend(head: SthRecord): void {
    const record = storedHeadOf(head);
    const at = this.#countUpTo(record.size) - 1;
    const recent = this.#recent[at];
    // Stored even if the head is not in memory: a read in progress would return fewer signatures.
    if (recent?.size !== record.size) this.#older.set(record.size, record);
    else if (addsSignatures(recent, record)) this.#recent[at] = record;
  }

  /**
   * `latest` is the latest published head. All others may have got signatures: they are read from the store
   * again when needed, and by {@linkcode load}.
   */
  advanceTo(latest: SthRecord | undefined): void {
    if (latest === undefined || latest.size < this.size) return;
    this.#recent = [latest];
    this.#older = new RecentlyUsed(MAX_OLDER);
    this.#hasAll = false;
  }

  /** Loads heads before the ones in memory. */
  async load(): Promise<void> {
    const recent = this.#recent;
    const [oldest] = recent;
    const room = MAX_RECENT - recent.length;
    if (oldest === undefined || this.#hasAll || room <= 0) return;
    const { heads, isWhole } = await readBelow(this.#store, oldest.size, room);
    if (recent !== this.#recent || recent[0] !== oldest) return;
    recent.unshift(...heads.reverse().map((head) => this.#older.get(head.size) ?? head));
    this.#hasAll = isWhole;
  }

  /** The head published at exactly `size`. */
  at(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const recent = this.#recentAbove(size - 1);
    if (recent !== undefined) return recent.size === size ? recent : undefined;
    if (size > this.size) return undefined;
    const older = this.#older;
    return older.get(size) ??
      this.#store.at(size).then((record) => record && this.#cached(record, older));
  }

  /** The head that closed the batch of `sequence`; `undefined` until the batch is closed. */
  closing(sequence: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    if (sequence >= this.size) return undefined;
    const recent = this.#recentAbove(sequence);
    if (recent !== undefined) return recent;
    const older = this.#older;
    return this.#store.firstAbove(sequence).then((record) => record && this.#cached(record, older));
  }

  /** The head published before the one of `size`; `undefined` for the first. */
  previous(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const at = this.#countUpTo(size - 1);
    if (at > 0) return this.#recent[at - 1]!;
    if (this.#hasAll) return undefined;
    const older = this.#older;
    return this.#store.below(size, 1).then(([record]) => record && this.#cached(record, older));
  }

  /** Heads of size below `before`, largest first, at most `limit`. */
  async below(before: number, limit: number): Promise<SthRecord[]> {
    const older = this.#older;
    // The store may have a head already that was not added yet.
    const records = await this.#store.below(Math.min(before, this.size + 1), limit);
    return records.map((record) => this.#cached(record, older));
  }

  /**
   * The head of the size of `record`, which the store had: the one in memory may have more signatures. `older` is
   * the cache of before the read: {@linkcode advanceTo} may have replaced it since.
   */
  #cached(record: SthRecord, older: RecentlyUsed<number, SthRecord>): SthRecord {
    const recent = this.#recent[this.#countUpTo(record.size) - 1];
    if (recent?.size === record.size) return recent;
    const cached = older.get(record.size);
    if (cached === undefined) older.set(record.size, record);
    return cached ?? record;
  }

  /** The head of smallest size above `size`, if it certainly is in memory. */
  #recentAbove(size: number): SthRecord | undefined {
    const at = this.#countUpTo(size);
    // The head before the oldest recent one may also be above `size`.
    return at > 0 || this.#hasAll || this.#recent[0]?.size === size + 1
      ? this.#recent[at]
      : undefined;
  }

  /** How many recent heads are of size `size` or below. */
  #countUpTo(size: number): number {
    let low = 0;
    let high = this.#recent.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#recent[middle]!.size > size) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/**
 * The heads of size below `before`, largest first, at most `limit`; fewer if one of them cannot be read.
 * `isWhole` if there are no others.
 */
async function readBelow(
  store: SthReads,
  before: number,
  limit: number,
): Promise<{ readonly heads: SthRecord[]; readonly isWhole: boolean }> {
  for (let count = limit; count > 0; count = Math.floor(count / 2)) {
    try {
      const heads = await store.below(before, count);
      return { heads, isWhole: heads.length < count };
    } catch (error) {
      if (!hasCode(error, "store_corrupt")) throw error;
    }
  }
  return { heads: [], isWhole: false };
}
