/**
 * What holds of digests that an index is over, and of ids that were spent: none stands twice, and the
 * index is that of them.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { Kernels } from "../crypto/kernels.ts";
import type { DigestSink } from "./digest_rows.ts";
import type { FaultLog, FaultPart } from "./faults.ts";
import { Fingerprints, type Unique } from "./fingerprints.ts";
import { IndexCheck } from "./index_check.ts";
import type { StoredIndex } from "./ports.ts";

/** Takes all of them as they come by. */
export class IndexedDigests implements DigestSink {
  readonly #fingerprints: Fingerprints;
  readonly #index: IndexCheck | undefined;
  readonly #part: FaultPart;
  readonly #faults: FaultLog;

  private constructor(
    fingerprints: Fingerprints,
    index: IndexCheck | undefined,
    { part, faults }: { readonly part: FaultPart; readonly faults: FaultLog },
  ) {
    this.#fingerprints = fingerprints;
    this.#index = index;
    this.#part = part;
    this.#faults = faults;
  }

  /** What is wrong with `index` is reported as of `part`; without one, nothing is compared with it. */
  static async open(
    index: StoredIndex | undefined,
    part: FaultPart,
    { kernels, unique, faults }: {
      readonly kernels: Kernels;
      readonly unique: Unique;
      readonly faults: FaultLog;
    },
  ): Promise<IndexedDigests> {
    const check = index && await IndexCheck.open(index, part, faults);
    return new IndexedDigests(new Fingerprints(kernels, unique), check, { part, faults });
  }

  async add(first: number, digests: Bytes): Promise<void> {
    this.#fingerprints.add(first, digests);
    await this.#index?.add(first, digests);
  }

  /** All up to `end` came by; `feed` gives a sink each of them once more. */
  async finish(end: number, feed: (sink: DigestSink) => Promise<void>): Promise<void> {
    this.#index?.finish(end);
    await this.#fingerprints.report(feed, this.#faults);
  }

  /** Runs that the store says are whole. */
  get runs(): number {
    return this.#index?.done ?? 0;
  }

  /** What could not be compared, once they are finished. */
  get notCompared(): readonly string[] {
    const count = this.#index?.uncompared ?? 0;
    return count === 0 ? [] : [`${count} runs of the ${this.#part}: digests of them are missing`];
  }
}
