/**
 * Redeemed token ids, each at most once. They are found by an index like that of the digests. A digest and
 * the id that was redeemed for it are appended in one step and stored in one commit.
 *
 * @module
 */

import { HASH_LENGTH } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { HashIndex } from "./hash_index.ts";
import type { IndexedRows, LogStore, SpentStore } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";
import type { IntakeRow, SpentRow } from "../../proof/format/records.ts";

/** The redeemed ids as an index reads them. */
export function spentRows(spent: Pick<SpentStore, "rows">): Pick<IndexedRows, "rows"> {
  return {
    rows: async (start, end) =>
      (await spent.rows(start, end)).map(({ first, ids }) => ({ first, digests: ids })),
  };
}

/** Ids are numbered in the order of the digests that they were redeemed for. */
export class SpentIds {
  readonly index: HashIndex;
  /** Number after the last id on disk. */
  #durable: number;
  /** Sequences of the digests that the later ids were redeemed for, ascending. */
  #waiting: number[] = [];

  private constructor(index: HashIndex) {
    this.index = index;
    this.#durable = index.end;
  }

  /**
   * Loads the redeemed ids. `accepted` is the sequence after the last digest on disk. `store_corrupt` if
   * rows are missing, or if an id was redeemed for a digest that is not stored.
   */
  static async open(
    { spent, spentIndex, rounds: { limits } }: LogStore,
    accepted: number,
  ): Promise<SpentIds> {
    const last = await spent.lastRow();
    const end = last === undefined ? 0 : last.first + last.ids.length / HASH_LENGTH;
    if (last !== undefined && last.intakeRow + last.offsets.at(-1)! >= accepted) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot recover: tokens were redeemed for digests of row ${last.intakeRow}, but digests end at ` +
          `${accepted}`,
      );
    }
    const source = { limits, ...spentRows(spent) };
    return new SpentIds(await HashIndex.open(spentIndex, source, end));
  }

  /** Ids that wait for a commit. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Redeems id `i` of `words`, which was not redeemed before, for the digest that was just appended. */
  append(words: Uint32Array, i: number, sequence: number): void {
    this.index.append(words, i);
    this.#waiting.push(sequence);
  }

  /** The ids redeemed for digests of `rows`, the next rows to be stored. */
  async rowsOf(rows: readonly IntakeRow[]): Promise<SpentRow[]> {
    const spent: SpentRow[] = [];
    let next = 0;
    for (const { first: intakeRow, digests } of rows) {
      const end = intakeRow + digests.length / HASH_LENGTH;
      const offsets: number[] = [];
      while (next < this.#waiting.length && this.#waiting[next]! < end) {
        offsets.push(this.#waiting[next++]! - intakeRow);
      }
      if (offsets.length === 0) continue;
      const stop = this.#durable + next;
      const first = stop - offsets.length;
      spent.push({ first, intakeRow, offsets, ids: await this.index.digests(first, stop) });
    }
    return spent;
  }

  /** `rows`, as returned by {@linkcode rowsOf}, are on disk. */
  stored(rows: readonly SpentRow[]): void {
    const count = rows.reduce((sum, { offsets }) => sum + offsets.length, 0);
    if (count === 0) return;
    this.#durable += count;
    this.#waiting = this.#waiting.slice(count);
  }

  /** {@linkcode HashIndex.seal}. */
  seal(writes: StoreWrites): Promise<void> {
    return this.index.seal(this.#durable, writes);
  }
}
