/**
 * An index against what it is over: of each run that is full, the buckets have to be what its digests
 * make them, no entry more and none less.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../bytes.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import type { StoredIndex } from "./ports.ts";

/** Compares run after run as the digests come by; holds the digests of one run. */
export class IndexCheck implements DigestSink {
  readonly #index: StoredIndex;
  readonly #part: FaultPart;
  readonly #faults: FaultLog;
  /** Stored runs that no digests came by for yet, by run: whether each is done. */
  readonly #stored = new Map<number, boolean>();
  readonly #digests: Bytes;
  /** Sequence after the last digest that came by without a gap in its run; -1 after one. */
  #end = 0;
  #done = 0;
  #uncompared = 0;

  private constructor(index: StoredIndex, part: FaultPart, faults: FaultLog) {
    this.#index = index;
    this.#part = part;
    this.#faults = faults;
    this.#digests = new Uint8Array(index.runLeaves * HASH_LENGTH);
  }

  /** What is wrong is reported as of `part`. */
  static async open(index: StoredIndex, part: FaultPart, faults: FaultLog): Promise<IndexCheck> {
    const check = new IndexCheck(index, part, faults);
    const runs = await index.runs();
    for (const { run, isDone } of runs) check.#stored.set(run, isDone);
    for (const { run, isDone } of runs) {
      if (!isDone) continue;
      // Whoever opens the store counts the marks: with one left out, a run is taken for another.
      if (run !== check.#done) {
        faults.add(part, run, `${check.#done} as the next whole run`, `${run}`);
      }
      check.#done++;
    }
    return check;
  }

  /** Runs that the store says are whole. */
  get done(): number {
    return this.#done;
  }

  /** Stored runs that were not compared, because digests of them are missing. */
  get uncompared(): number {
    return this.#uncompared;
  }

  async add(first: number, digests: Bytes): Promise<void> {
    const { runLeaves } = this.#index;
    const count = digests.length / HASH_LENGTH;
    for (let sequence = first; sequence < first + count;) {
      const offset = sequence % runLeaves;
      const end = Math.min(first + count, sequence - offset + runLeaves);
      // A run counts only from its first digest on, and without a gap.
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

  /** Reports stored runs of which not all of `accepted` digests are there. */
  finish(accepted: number): void {
    const { runLeaves } = this.#index;
    for (const run of this.#stored.keys()) {
      const required = (run + 1) * runLeaves;
      if (accepted < required) {
        this.#faults.add(this.#part, run, `accepted digests up to ${required}`, `${accepted}`);
      } else {
        this.#uncompared++;
      }
    }
    this.#stored.clear();
  }

  async #compare(run: number): Promise<void> {
    const isDone = this.#stored.get(run);
    // A full run that is not sealed yet is found in memory.
    if (isDone === undefined) return;
    this.#stored.delete(run);
    const required = await this.#index.bucketsOf(this.#digests);
    const seen = new Uint8Array(required.length);
    for await (const bucket of this.#index.buckets(run)) {
      const { key } = bucket;
      const name = `${run}/${key}`;
      const entries = required[key];
      if (entries === undefined) {
        this.#faults.add(this.#part, name, `a bucket below ${required.length}`, String(key));
        continue;
      }
      seen[key] = 1;
      if ("damage" in bucket) {
        this.#faults.add(this.#part, name, "the entries of its digests", bucket.damage);
      } else if (!equalBytes(bucket.value, entries)) {
        this.#faults.add(
          this.#part,
          name,
          `the entries of its digests, ${entries.length} bytes`,
          `others, ${bucket.value.length} bytes`,
        );
      }
    }
    // The done mark is written last: without it buckets may be missing.
    if (!isDone) return;
    for (const [bucket, isThere] of seen.entries()) {
      if (!isThere) this.#faults.add(this.#part, `${run}/${bucket}`, "a bucket", "none");
    }
  }
}
