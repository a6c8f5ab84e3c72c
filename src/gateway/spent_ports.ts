/**
 * What the gateway needs of a store to spend something once: rows of ids, stored with the digests
 * that they were spent for. They are found by an index like that of the digests.
 *
 * @module
 */

import type { SpentRow } from "../format/records.ts";

/** What was spent, as it is read; it is written by `RoundStore.commit`. */
export interface SpentStore {
  /** Rows that overlap the numbers [start, end), ascending. */
  rows(start: number, end: number): Promise<SpentRow[]>;
  lastRow(): Promise<SpentRow | undefined>;
}
