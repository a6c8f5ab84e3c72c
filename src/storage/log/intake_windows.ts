/**
 * A cache of intake rows by windows of sequences. Rows are write-once, and only completely covered
 * windows are cached.
 *
 * @module
 */

import { HASH_LENGTH } from "../../bytes.ts";
import type { IntakeRow } from "../../format/records.ts";
import { RecentlyUsed } from "../../recently_used.ts";

/** Sequences per window. */
export const WINDOW = 64;

/** About 3 KiB each. */
const MAX_WINDOWS = 4096;

export class IntakeWindows {
  /** Rows that overlap a window, ascending. */
  readonly #windows = new RecentlyUsed<number, readonly IntakeRow[]>(MAX_WINDOWS);

  /** Rows that overlap [start, end), ascending, if all are cached. */
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

  /** Caches the consecutive `rows` that overlap `window`, if they cover all of it. */
  add(window: number, rows: readonly IntakeRow[]): void {
    const start = window * WINDOW;
    const end = start + WINDOW;
    const part = overlapping(rows, start, end);
    const isCovered = part.length > 0 && part[0]!.first <= start && endOf(part.at(-1)!) >= end;
    if (isCovered) this.#windows.set(window, part);
  }
}

/** The `rows` that overlap [start, end). */
export function overlapping(rows: readonly IntakeRow[], start: number, end: number): IntakeRow[] {
  return rows.filter((row) => row.first < end && endOf(row) > start);
}

/** Sequence after the last digest of `row`. */
function endOf(row: IntakeRow): number {
  return row.first + row.digests.length / HASH_LENGTH;
}
