/**
 * What a {@linkcode HashIndex} is over: rows of digests under ascending numbers.
 *
 * @module
 */

import type { Bytes } from "../../bytes.ts";
import type { LogLimits } from "../ports.ts";

/** Consecutive digests as they are stored. */
export interface IndexedRow {
  /** Sequence of the first. */
  readonly first: number;
  /** 32 bytes each. */
  readonly digests: Bytes;
  /** Unix seconds; absent of what has no time of its own. */
  readonly acceptedAt?: number;
}

/** The rows that an index is over. */
export interface IndexedRows {
  readonly limits: Pick<LogLimits, "indexRowsPerCommit">;
  /** Rows that overlap sequences [start, end), ascending. */
  rows(start: number, end: number): Promise<readonly IndexedRow[]>;
}
