/**
 * Reads the index of another thread: its unsealed runs and filters in shared memory, its sealed runs in the
 * store.
 *
 * Only sequences below the durable end that the other thread has published are certain. Digests that are
 * being appended may be missed, or found before they are durable.
 *
 * @module
 */

import { DigestIndex, type IndexReads } from "./digest_index.ts";
import { RunFilter } from "./index_run.ts";
import { RecentDigests, RUN_LEAVES } from "./recent_digests.ts";
import type { SharedIndex } from "./shared_index.ts";

export class IndexReplica extends DigestIndex {
  constructor(handles: SharedIndex, reads: IndexReads) {
    super(handles.key, reads);
    this.update(handles);
  }

  /** Adds new runs and filters, and drops runs that have a filter. Earlier handles change nothing. */
  update({ filters, runs }: SharedIndex): void {
    for (const memory of filters.slice(this.filters.length)) {
      this.filters.push(new RunFilter(memory));
    }
    const sealedEnd = this.filters.length * RUN_LEAVES;
    for (const { base, memory } of runs) {
      if (base > (this.recent.at(-1)?.base ?? -1)) {
        this.recent.push(new RecentDigests(base, memory));
      }
    }
    while (this.recent[0]!.base < sealedEnd) this.recent.shift();
  }
}
