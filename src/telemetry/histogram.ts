/**
 * Histograms as Prometheus counts them: how many values were at most each bound, and their sum.
 *
 * @module
 */

/** Upper bounds in seconds, from a millisecond to longer than anybody waits. */
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

/** Upper bounds in seconds of what may wait for somebody else: to an hour. */
export const LONG_SECONDS: readonly number[] = [
  ...[0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
];

/** Upper bounds of how many there are in one commit, round or batch. */
export const COUNTS: readonly number[] = Array.from({ length: 15 }, (_, i) => 2 ** i);

/** Fixed bounds, and a count for each. Observing allocates nothing. */
export class Histogram {
  readonly bounds: readonly number[];
  /** Of values above the bound before and up to this one; the last has no bound. */
  readonly #counts: Float64Array;
  #sum = 0;

  /** `bounds` ascend. */
  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    let place = 0;
    while (place < this.bounds.length && value > this.bounds[place]!) place++;
    this.#counts[place]!++;
    this.#sum += value;
  }

  /** Of all values. */
  get sum(): number {
    return this.#sum;
  }

  /** How many values were at most each bound, and after those how many there were. */
  get cumulative(): readonly number[] {
    let below = 0;
    return Array.from(this.#counts, (count) => below += count);
  }
}
