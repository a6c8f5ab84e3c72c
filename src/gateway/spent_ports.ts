/**
 * What the gateway needs of a store to spend something once: rows of ids, stored with the digests
 * that they were spent for. They are found by an index like that of the digests.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";

/** What was spent for digests of one intake row, set in the commit that set that row. Write-once. */
export interface SpentRow {
  /** Number of the first id: ids are counted from 0 without gaps over the life of the log. */
  readonly first: number;
  /** Sequence of the first digest of the intake row. */
  readonly intakeRow: number;
  /** Which digests of the intake row they were spent for: their places in it, ascending, from 0. */
  readonly places: readonly number[];
  /** 32 bytes for each of `places`. */
  readonly ids: Bytes;
}

/** What was spent, as it is read; it is written by `RoundStore.commit`. */
export interface SpentStore {
  /** Rows that overlap the numbers [start, end), ascending. */
  rows(start: number, end: number): Promise<SpentRow[]>;
  lastRow(): Promise<SpentRow | undefined>;
}
