/**
 * What was spent, each id once: found like digests are, and on its way to the disk with the digest
 * that it was spent for. Whoever takes a digest appends it and what is spent for it in one step, so
 * that no commit can have the one without the other.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { HashIndex } from "./hash_index.ts";
import type { LogStore } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";
import type { IntakeRow, SpentRow } from "../../format/records.ts";

/** Ids by number, in the order of the digests that they were spent for. */
export class SpentIds {
  readonly index: HashIndex;
  /** Number after the last id on disk. */
  #durable: number;
  /** Sequences of the digests that the ids beyond were spent for, ascending. */
  #waiting: number[] = [];

  private constructor(index: HashIndex) {
    this.index = index;
    this.#durable = index.end;
  }

  /**
   * Loads what was spent; `accepted` is the sequence after the last digest on disk. `store_corrupt`
   * when rows are missing, or were spent for digests beyond.
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
        `Cannot recover: digests up to ${accepted} required, found what was spent for row ` +
          `${last.intakeRow}`,
      );
    }
    const rows = async (start: number, end: number) =>
      (await spent.rows(start, end)).map(({ first, ids }) => ({ first, digests: ids }));
    return new SpentIds(await HashIndex.open(spentIndex, { limits, rows }, end));
  }

  /** Ids that wait for a commit. */
  get backlog(): number {
    return this.#waiting.length;
  }

  /** Spends id `i` of `words`, which was never spent, for the digest that was just appended. */
  append(words: Uint32Array, i: number, sequence: number): void {
    this.index.append(words, i);
    this.#waiting.push(sequence);
  }

  /** What was spent for digests of `rows`, which are the next to be stored. */
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

  /** `rows`, which {@linkcode rowsOf} made, are on disk. */
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
