/**
 * Checks an index: the stored buckets of each full run must be exactly those that its digests give.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { StoredIndex } from "./ports.ts";

/** Compares runs as the digests arrive. Holds the digests of one run. */
export class IndexCheck implements DigestSink {
  readonly #index: StoredIndex;
  readonly #part: FaultPart;
  readonly #faults: FaultLog;
  /** Stored runs that were not compared yet: whether each is done. */
  readonly #stored = new Map<number, boolean>();
  readonly #digests: Bytes;
  /** Sequence after the last digest that arrived without a gap in its run. */
  #end = 0;
  #done = 0;
  #uncompared = 0;

  private constructor(index: StoredIndex, part: FaultPart, faults: FaultLog) {
    this.#index = index;
    this.#part = part;
    this.#faults = faults;
    this.#digests = new Uint8Array(index.runLeaves * HASH_LENGTH);
  }

  /** Reports faults of `part`. */
  static async open(index: StoredIndex, part: FaultPart, faults: FaultLog): Promise<IndexCheck> {
    const check = new IndexCheck(index, part, faults);
    const runs = await index.runs();
    for (const { run, isDone } of runs) check.#stored.set(run, isDone);
    for (const { run, isDone } of runs) {
      if (!isDone) continue;
      // The gateway counts the done marks, so a missing one would shift all later runs.
      if (run !== check.#done) {
        faults.add(part, run, `run ${run} is complete, but run ${check.#done} before it is not`);
      }
      check.#done++;
    }
    return check;
  }

  /** Runs that the store marks as complete. */
  get done(): number {
    return this.#done;
  }

  /** Parts that were not compared, for the report. */
  get notCompared(): readonly string[] {
    const count = this.#uncompared;
    return count === 0
      ? []
      : [`${count} runs of the ${this.#part}: some of their digests are missing`];
  }

  async add(first: number, digests: Bytes): Promise<void> {
    const { runLeaves } = this.#index;
    const count = digests.length / HASH_LENGTH;
    for (let sequence = first; sequence < first + count;) {
      const offset = sequence % runLeaves;
      const end = Math.min(first + count, sequence - offset + runLeaves);
      // A run is compared only if all its digests arrive in order.
      if (offset === 0 || sequence === this.#end) {
        const part = digests.subarray(
          (sequence - first) * HASH_LENGTH,
          (end - first) * HASH_LENGTH,
        );
        this.#digests.set(part, offset * HASH_LENGTH);
        this.#end = end;
        if (end % runLeaves === 0) await this.#compare(end / runLeaves - 1);
      }
      sequence = end;
    }
  }

  /** Reports stored runs that extend beyond the `accepted` digests. */
  finish(accepted: number): void {
    const { runLeaves } = this.#index;
    for (const run of this.#stored.keys()) {
      const required = (run + 1) * runLeaves;
      if (accepted < required) {
        const problem = `the run needs ${required} digests, the log has ${accepted}`;
        this.#faults.add(this.#part, run, problem);
      } else {
        this.#uncompared++;
      }
    }
    this.#stored.clear();
  }

  async #compare(run: number): Promise<void> {
    const isDone = this.#stored.get(run);
    // The gateway keeps a full run in memory until it is sealed.
    if (isDone === undefined) return;
    this.#stored.delete(run);
    const required = await this.#index.bucketsOf(this.#digests);
    const seen = new Uint8Array(required.length);
    for await (const bucket of this.#index.buckets(run)) {
      const { key } = bucket;
      const name = `${run}/${key}`;
      const entries = required[key];
      if (entries === undefined) {
        this.#faults.add(this.#part, name, `a run has only ${required.length} buckets`);
        continue;
      }
      seen[key] = 1;
      if ("damage" in bucket) {
        this.#faults.add(this.#part, name, `the bucket is damaged: ${bucket.damage}`);
      } else if (!equalBytes(bucket.value, entries)) {
        const { length } = bucket.value;
        const lengths = length === entries.length
          ? ""
          : ` (${length} bytes instead of ${entries.length})`;
        this.#faults.add(this.#part, name, `the entries are not those of the digests${lengths}`);
      }
    }
    // The done mark is written last: without it, buckets may be missing.
    if (!isDone) return;
    for (const [bucket, isThere] of seen.entries()) {
      if (!isThere) this.#faults.add(this.#part, `${run}/${bucket}`, "the bucket is missing");
    }
  }
}
