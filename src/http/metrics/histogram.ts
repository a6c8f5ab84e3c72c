/**
 * Histograms for Prometheus: the number of values up to each bound, and the sum.
 *
 * @module
 */

/** Upper bounds in seconds, for local operations and requests. */
export const SECONDS: readonly number[] = [
  0.001,
  0.0025,
  0.005,
  0.01,
  0.025,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  30,
];

/** Upper bounds in seconds, for operations that wait for other systems. */
export const LONG_SECONDS: readonly number[] = [
  0.01,
  0.05,
  0.1,
  0.25,
  0.5,
  1,
  2.5,
  5,
  10,
  30,
  60,
  300,
  900,
  3_600,
];

/** Upper bounds for sizes of commits, rounds and batches. */
export const COUNTS: readonly number[] = Array.from({ length: 15 }, (_, i) => 2 ** i);

/** A histogram with fixed bounds. Observing allocates nothing. */
export class Histogram {
  readonly bounds: readonly number[];
  /** Counts of values between two bounds; the last count has no upper bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds` ascend. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let bucket = 0;
    while (bucket < this.bounds.length && value > this.bounds[bucket]!) bucket++;
    this.#counts[bucket]!++;
    this.#sum += value;
  }

  /** The sum of all values. */
  get sum(): number {
    return this.#sum;
  }

  /** The number of values up to each bound, then the number of all values. */
  get cumulative(): readonly number[] {
    let below = 0;
    return Array.from(this.#counts, (count) => below += count);
  }
}
