/**
 * The memory of an index of digests, which one thread writes and any thread reads.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

/** Handles of an index's memory; they can be sent to another thread. */
export interface SharedIndex {
  /** Eight secret bytes, created with the store: the key of its hashes. */
  readonly key: Bytes;
  /** Bits of the filters of sealed runs, by run. */
  readonly filters: readonly SharedArrayBuffer[];
  /** Unsealed runs, ascending; never empty. */
  readonly runs: readonly SharedRun[];
}

/** The memory of one unsealed run. */
export interface SharedRun {
  /** Sequence of the run's first leaf. */
  readonly base: number;
  readonly memory: SharedArrayBuffer;
}
