/**
 * Published tree heads, by size and by the sequences of their batches. All are in the store, the latest
 * also in memory. A head from the store is verified before it is returned, once while it is cached.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import type { SthRecord } from "../../format/records.ts";
import { RecentlyUsed } from "../../recently_used.ts";
import type { SthStore } from "../ports.ts";
import type { RecordCheck } from "../record_check.ts";
import type { StoreWrites } from "../settle.ts";

/** Latest heads in memory, about 1 KiB each. The oldest are dropped once there are twice as many. */
const MAX_RECENT = 4096;
/** Older heads that are cached once verified. */
const MAX_OLDER = 4096;
/** Heads of a list that are verified without a pause: three signatures each. */
const CHECKED_AT_ONCE = 8;

export interface PublishedHeadsContext {
  readonly store: SthStore;
  readonly writes: StoreWrites;
  readonly check: Pick<RecordCheck, "head" | "checkpoint">;
}

export class PublishedHeads {
  readonly #store: SthStore;
  readonly #writes: StoreWrites;
  readonly #check: PublishedHeadsContext["check"];
  /** Consecutive published heads, ascending by size, the latest last. */
  readonly #recent: SthRecord[];
  /** Whether `#recent` has every head of the log. */
  #hasAll: boolean;
  /** Recent heads that are verified. */
  readonly #verified = new WeakSet<SthRecord>();
  /** Verified heads before the recent ones, by size. */
  readonly #older = new RecentlyUsed<number, SthRecord>(MAX_OLDER);

  private constructor(
    { store, writes, check }: PublishedHeadsContext,
    recent: readonly SthRecord[],
    hasAll: boolean,
  ) {
    this.#store = store;
    this.#writes = writes;
    this.#check = check;
    this.#recent = [...recent];
    this.#hasAll = hasAll;
  }

  /** Loads the latest heads; `store_corrupt` if the last one does not verify. */
  static async open(context: PublishedHeadsContext): Promise<PublishedHeads> {
    const { latest, hasAll } = await readLatest(context.store);
    const heads = new PublishedHeads(context, latest.reverse(), hasAll);
    if (heads.latest !== undefined) {
      await context.check.checkpoint(heads.latest);
      heads.#verified.add(heads.latest);
    }
    return heads;
  }

  get latest(): SthRecord | undefined {
    return this.#recent.at(-1);
  }

  /** Size of the latest published head; 0 if there is none. */
  get size(): number {
    return this.latest?.size ?? 0;
  }

  /**
   * Stores a head that met the threshold, and returns the final head of its size. `store_corrupt` if
   * another root is stored for that size.
   */
  async publish(record: SthRecord): Promise<SthRecord> {
    let found = record;
    await this.#writes.settle({
      what: `signed tree head of size ${record.size}`,
      commit: () => this.#store.commit(record),
      inspect: async () => {
        const stored = await this.#store.at(record.size);
        if (stored === undefined) return "absent";
        found = stored;
        return stored.timestamp === record.timestamp && equalBytes(stored.root, record.root)
          ? "ours"
          : "other";
      },
    });
    if (!equalBytes(found.root, record.root)) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot publish tree head of size ${record.size}: the store has another root for it`,
      );
    }
    this.#recent.push(found);
    // A head that another process stored is verified on its first read.
    if (found === record) this.#verified.add(found);
    if (this.#recent.length > 2 * MAX_RECENT) {
      this.#recent.splice(0, MAX_RECENT);
      this.#hasAll = false;
    }
    return found;
  }

  /** The head published at exactly `size`. */
  at(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const recent = this.#recentAbove(size - 1);
    if (recent !== undefined) return recent.size === size ? this.#checked(recent) : undefined;
    if (size > this.size) return undefined;
    return this.#older.get(size) ?? this.#store.at(size).then((record) => this.#cached(record));
  }

  /** The head that closed the batch of `sequence`; `undefined` until the batch is closed. */
  closing(sequence: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    if (sequence >= this.size) return undefined;
    const recent = this.#recentAbove(sequence);
    if (recent !== undefined) return this.#checked(recent);
    return this.#store.firstAbove(sequence).then((record) => this.#cached(record));
  }

  /** The head published before the one of `size`; `undefined` for the first. */
  previous(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const at = this.#countUpTo(size - 1);
    if (at > 0) return this.#checked(this.#recent[at - 1]!);
    if (this.#hasAll) return undefined;
    return this.#store.below(size, 1).then(([record]) => this.#cached(record));
  }

  /** Heads of size below `before`, largest first, at most `limit`. */
  async below(before: number, limit: number): Promise<SthRecord[]> {
    const heads: SthRecord[] = [];
    let checks = 0;
    for (const record of await this.#store.below(before, limit)) {
      const head = this.#cached(record);
      if (head instanceof Promise && ++checks % CHECKED_AT_ONCE === 0) {
        await this.#writes.clock.sleep(0);
      }
      heads.push((await head)!);
    }
    return heads;
  }

  /** Verifies a recent head, once. */
  #checked(record: SthRecord): SthRecord | Promise<SthRecord> {
    if (this.#verified.has(record)) return record;
    return this.#check.head(record).then(() => {
      this.#verified.add(record);
      return record;
    });
  }

  /** Verifies `record`, which was just read from the store, unless a head of its size is cached. */
  #cached(record: SthRecord | undefined): SthRecord | undefined | Promise<SthRecord> {
    if (record === undefined) return undefined;
    const recent = this.#recent[this.#countUpTo(record.size) - 1];
    if (recent?.size === record.size) return this.#checked(recent);
    const older = this.#older.get(record.size);
    if (older !== undefined) return older;
    return this.#check.head(record).then(() => {
      this.#older.set(record.size, record);
      return record;
    });
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

/** The latest heads, largest first; fewer if one of them cannot be read. */
async function readLatest(
  store: SthStore,
): Promise<{ readonly latest: SthRecord[]; readonly hasAll: boolean }> {
  for (let limit = MAX_RECENT;; limit = Math.floor(limit / 2)) {
    try {
      const latest = await store.below(Number.MAX_SAFE_INTEGER, limit);
      return { latest, hasAll: latest.length < limit };
    } catch (error) {
      // Without the latest head, the gateway does not know which leaves are unpublished.
      if (limit === 1 || !hasCode(error, "store_corrupt")) throw error;
    }
  }
}
