/**
 * Published tree heads: the latest, and which one closed the batch of a sequence. The latest are
 * kept in memory, all are in the store. A head from the store is verified before it is returned,
 * once while it is kept.
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

/** Heads kept in memory, and as many more before the oldest are dropped: about 1 KiB each. */
const MAX_RECENT = 4096;
/** Older heads kept once they are verified. */
const MAX_OLDER = 4096;
/** Heads of a list that are verified in one turn of the thread: three signatures each. */
const CHECKED_AT_ONCE = 8;

/** What heads are read from and verified with. */
export interface PublishedHeadsContext {
  readonly store: SthStore;
  readonly writes: StoreWrites;
  readonly check: Pick<RecordCheck, "head" | "checkpoint">;
}

/** Publishes heads and finds them again. */
export class PublishedHeads {
  readonly #store: SthStore;
  readonly #writes: StoreWrites;
  readonly #check: PublishedHeadsContext["check"];
  /** Consecutive published heads, ascending by size, the latest last. */
  readonly #recent: SthRecord[];
  /** Whether the first of them is the log's first: what is not among them is nowhere. */
  #isWhole: boolean;
  /** Heads that are known to verify. */
  readonly #verified = new WeakSet<SthRecord>();
  /** Verified heads before the recent ones, by size. */
  readonly #older = new RecentlyUsed<number, SthRecord>(MAX_OLDER);

  private constructor(
    { store, writes, check }: PublishedHeadsContext,
    recent: readonly SthRecord[],
    isWhole: boolean,
  ) {
    this.#store = store;
    this.#writes = writes;
    this.#check = check;
    this.#recent = [...recent];
    this.#isWhole = isWhole;
  }

  /** Loads the latest heads; `store_corrupt` when the very latest does not verify. */
  static async open(context: PublishedHeadsContext): Promise<PublishedHeads> {
    const { latest, isWhole } = await readLatest(context.store);
    const heads = new PublishedHeads(context, latest.reverse(), isWhole);
    if (heads.latest !== undefined) {
      await context.check.checkpoint(heads.latest);
      heads.#verified.add(heads.latest);
    }
    return heads;
  }

  get latest(): SthRecord | undefined {
    return this.#recent.at(-1);
  }

  /** Size of the latest published head; 0 when there is none. */
  get size(): number {
    return this.latest?.size ?? 0;
  }

  /**
   * Stores a head that met the threshold; answers the one that is final for its size.
   * `store_corrupt` when another root stands there.
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
        `Cannot publish tree head of size ${record.size}: its root required, found another`,
      );
    }
    this.#recent.push(found);
    // Another run may have stored it: then it is verified when it is first read.
    if (found === record) this.#verified.add(found);
    if (this.#recent.length > 2 * MAX_RECENT) {
      this.#recent.splice(0, MAX_RECENT);
      this.#isWhole = false;
    }
    return found;
  }

  /** The head published at exactly `size`. */
  at(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const recent = this.#recentAbove(size - 1);
    if (recent !== undefined) return recent.size === size ? this.#checked(recent) : undefined;
    if (size > this.size) return undefined;
    return this.#older.get(size) ?? this.#store.at(size).then((record) => this.#kept(record));
  }

  /** The head that closed the batch of `sequence`; `undefined` while it is not batched. */
  closing(sequence: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    if (sequence >= this.size) return undefined;
    const recent = this.#recentAbove(sequence);
    if (recent !== undefined) return this.#checked(recent);
    return this.#store.firstAbove(sequence).then((record) => this.#kept(record));
  }

  /** The head published before the one of `size`; `undefined` for the first. */
  previous(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const at = this.#placeAbove(size - 1);
    if (at > 0) return this.#checked(this.#recent[at - 1]!);
    if (this.#isWhole) return undefined;
    return this.#store.below(size, 1).then(([record]) => this.#kept(record));
  }

  /** Heads of size below `before`, largest first, at most `limit`. */
  async below(before: number, limit: number): Promise<SthRecord[]> {
    const heads: SthRecord[] = [];
    let checks = 0;
    for (const record of await this.#store.below(before, limit)) {
      const kept = this.#kept(record);
      if (kept instanceof Promise && ++checks % CHECKED_AT_ONCE === 0) {
        await this.#writes.clock.sleep(0);
      }
      heads.push((await kept)!);
    }
    return heads;
  }

  /** `record` once it is known to verify. */
  #checked(record: SthRecord): SthRecord | Promise<SthRecord> {
    if (this.#verified.has(record)) return record;
    return this.#check.head(record).then(() => {
      this.#verified.add(record);
      return record;
    });
  }

  /** The verified head of the size of `record`, which was just read from the store, kept from now on. */
  #kept(record: SthRecord | undefined): SthRecord | undefined | Promise<SthRecord> {
    if (record === undefined) return undefined;
    const recent = this.#recent[this.#placeAbove(record.size) - 1];
    if (recent?.size === record.size) return this.#checked(recent);
    const older = this.#older.get(record.size);
    if (older !== undefined) return older;
    return this.#check.head(record).then(() => {
      this.#older.set(record.size, record);
      return record;
    });
  }

  /** The recent head of smallest size above `size`, when memory reaches back that far. */
  #recentAbove(size: number): SthRecord | undefined {
    const at = this.#placeAbove(size);
    // What comes before the oldest of them may be smaller and above `size` too.
    return at > 0 || this.#isWhole || this.#recent[0]?.size === size + 1
      ? this.#recent[at]
      : undefined;
  }

  /** How many of the recent heads are of `size` or below. */
  #placeAbove(size: number): number {
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

/** The latest heads, largest first; fewer where an older one among them cannot be read. */
async function readLatest(
  store: SthStore,
): Promise<{ readonly latest: SthRecord[]; readonly isWhole: boolean }> {
  for (let limit = MAX_RECENT;; limit = Math.floor(limit / 2)) {
    try {
      const latest = await store.below(Number.MAX_SAFE_INTEGER, limit);
      return { latest, isWhole: latest.length < limit };
    } catch (error) {
      // Without the latest head, the gateway does not know which leaves are unpublished.
      if (limit === 1 || !hasCode(error, "store_corrupt")) throw error;
    }
  }
}
