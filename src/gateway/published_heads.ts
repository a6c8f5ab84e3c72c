/**
 * Published tree heads: the latest, and which one closed the batch of a sequence. The latest are
 * kept in memory, all are in the store.
 *
 * @module
 */

import { type Clock } from "../clock.ts";
import { equalBytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { SthRecord, SthStore } from "./ports.ts";
import { settleCommit } from "./settle.ts";

/** Heads kept in memory, and as many more before the oldest are dropped: about 1 KiB each. */
const MAX_RECENT = 4096;

/** Publishes heads and finds them again. */
export class PublishedHeads {
  readonly #store: SthStore;
  readonly #clock: Clock;
  /** Consecutive published heads, ascending by size, the latest last. */
  readonly #recent: SthRecord[];
  /** Whether the first of them is the log's first: what is not among them is nowhere. */
  #isWhole: boolean;

  private constructor(store: SthStore, clock: Clock, latest: readonly SthRecord[]) {
    this.#store = store;
    this.#clock = clock;
    this.#recent = [...latest];
    this.#isWhole = latest.length < MAX_RECENT;
  }

  static async open(store: SthStore, clock: Clock): Promise<PublishedHeads> {
    const latest = await store.below(Number.MAX_SAFE_INTEGER, MAX_RECENT);
    return new PublishedHeads(store, clock, latest.reverse());
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
    await settleCommit(this.#clock, {
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
    if (this.#recent.length > 2 * MAX_RECENT) {
      this.#recent.splice(0, MAX_RECENT);
      this.#isWhole = false;
    }
    return found;
  }

  /** The head published at exactly `size`. */
  at(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const recent = this.#recentAbove(size - 1);
    if (recent !== undefined) return recent.size === size ? recent : undefined;
    return size > this.size ? undefined : this.#store.at(size);
  }

  /** The head that closed the batch of `sequence`; `undefined` while it is not batched. */
  closing(sequence: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    if (sequence >= this.size) return undefined;
    return this.#recentAbove(sequence) ?? this.#store.firstAbove(sequence);
  }

  /** The head published before the one of `size`; `undefined` for the first. */
  previous(size: number): SthRecord | undefined | Promise<SthRecord | undefined> {
    const at = this.#placeAbove(size - 1);
    if (at > 0 || this.#isWhole) return this.#recent[at - 1];
    return this.#store.below(size, 1).then(([record]) => record);
  }

  /** Heads of size below `before`, largest first, at most `limit`. */
  below(before: number, limit: number): Promise<SthRecord[]> {
    return this.#store.below(before, limit);
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
