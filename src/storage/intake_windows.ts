/**
 * Intake rows that were read, by windows of the sequences, kept for those who ask for their
 * neighbours. Rows are write-once, and only a window that is covered to its end is kept.
 *
 * @module
 */

import { HASH_LENGTH } from "../bytes.ts";
import type { IntakeRow } from "../format/records.ts";
import { RecentlyUsed } from "../recently_used.ts";

/** Sequences of a window. */
export const WINDOW = 64;

/** Windows kept, about 3 KiB each. */
const MAX_WINDOWS = 4096;

/** The rows that were read last. */
export class IntakeWindows {
  /** Rows that overlap a window, ascending. */
  readonly #windows = new RecentlyUsed<number, readonly IntakeRow[]>(MAX_WINDOWS);

  /** Rows that overlap [start, end), ascending, when all of them are kept. */
  rows(start: number, end: number): IntakeRow[] | undefined {
    if (end - start > WINDOW) return undefined;
    const first = Math.floor(start / WINDOW);
    const last = Math.floor((end - 1) / WINDOW);
    const rows = this.#windows.get(first);
    if (rows === undefined || first === last) return rows && overlapping(rows, start, end);
    const further = this.#windows.get(last);
    if (further === undefined) return undefined;
    const seen = rows.at(-1)!.first;
    return overlapping([...rows, ...further.filter((row) => row.first > seen)], start, end);
  }

  /** Keeps the part of consecutive `rows` that overlaps `window`, when they cover all of it. */
  add(window: number, rows: readonly IntakeRow[]): void {
    const start = window * WINDOW;
    const end = start + WINDOW;
    const part = overlapping(rows, start, end);
    const isCovered = part.length > 0 && part[0]!.first <= start && endOf(part.at(-1)!) >= end;
    if (isCovered) this.#windows.set(window, part);
  }
}

/** Those of `rows` that overlap [start, end). */
export function overlapping(rows: readonly IntakeRow[], start: number, end: number): IntakeRow[] {
  return rows.filter((row) => row.first < end && endOf(row) > start);
}

/** Sequence after the last digest of `row`. */
function endOf(row: IntakeRow): number {
  return row.first + row.digests.length / HASH_LENGTH;
}
