/**
 * Work that waits too long: digests without signatures, signed digests without a tree head.
 *
 * @module
 */

import type { Clock } from "../base/clock.ts";
import { Condition, type Report } from "../base/report.ts";

/** How often progress is reviewed. */
export const REVIEW_MS = 2_000;
/** The gateway is stalled once the oldest unfinished digest has waited for this long. */
export const STALLED_MS = 30_000;
/** Seconds that a batch may take to be cosigned and published, in addition to its age. */
const PUBLISHING_SECONDS = 60;

/** Seconds after which a digest is late for publication, where batches may be `maxAgeMs` old. */
export function publishingLimit(maxAgeMs: number): number {
  return PUBLISHING_SECONDS + Math.ceil(maxAgeMs / 1000);
}

export interface StallContext {
  readonly clock: Clock;
  readonly report: Report;
  /** Sequence of the oldest digest that waits; absent where none does. */
  readonly oldest: () => number | undefined;
  readonly limitMs: number;
  /** Reported when the wait exceeds the limit, and when it ends. */
  readonly begun: string;
  readonly ended: string;
}

/** Measures how long the same digest is the oldest. It counts reviews, since the clock may be set. */
export class Stall {
  readonly #context: StallContext;
  readonly #condition: Condition;
  #oldest: number | undefined;
  #reviews = 0;

  constructor(context: StallContext) {
    this.#context = context;
    this.#condition = new Condition(context);
  }

  /** Whether the oldest digest has waited longer than the limit, as of the last review. */
  get isStalled(): boolean {
    const { oldest, limitMs } = this.#context;
    return this.#reviews * REVIEW_MS >= limitMs && oldest() === this.#oldest;
  }

  /** To be called every {@linkcode REVIEW_MS}. */
  review(): void {
    const { oldest, begun, ended } = this.#context;
    const found = oldest();
    this.#reviews = found !== undefined && found === this.#oldest ? this.#reviews + 1 : 0;
    this.#oldest = found;
    if (this.isStalled) this.#condition.holds(begun, { level: "error" });
    else this.#condition.ended(ended);
  }
}
