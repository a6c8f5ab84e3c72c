/**
 * Latencies in buckets that widen with the value: constant memory, and quantiles with an error of
 * at most 1 in 256.
 *
 * @module
 */

/** Buckets of one octave: 2^7, the half of which is the largest error of a value in its bucket. */
const OCTAVE_BITS = 7;
const OCTAVE = 1 << OCTAVE_BITS;
/** Units in a millisecond: a lone request of 0.1 ms is still 1,000 of them. */
const UNITS_PER_MS = 10_000;
/** Values have 32 bits, or 7 minutes; larger ones count as the maximum. */
const MAX_UNITS = 2 ** 32 - 1;
const BUCKETS = (32 - OCTAVE_BITS + 1) * OCTAVE;

/** A histogram of latencies in milliseconds. */
export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #maxMs = 0;

  get count(): number {
    return this.#count;
  }

  /** The largest recorded value; 0 if empty. */
  get maxMs(): number {
    return this.#maxMs;
  }

  /** Counts one value; below 0 it is 0. */
  record(ms: number): void {
    this.#counts[bucketOf(ms)]!++;
    this.#count++;
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  /** Counts all that `other` counted. */
  add(other: Histogram): void {
    other.#counts.forEach((count, bucket) => this.#counts[bucket]! += count);
    this.#count += other.#count;
    this.#maxMs = Math.max(this.#maxMs, other.#maxMs);
  }

  /**
   * The value of rank ceil(q * count), the nearest-rank quantile, in milliseconds; `NaN` if empty.
   */
  quantile(q: number): number {
    if (this.#count === 0) return NaN;
    let left = Math.max(1, Math.ceil(q * this.#count));
    if (left === this.#count) return this.#maxMs;
    let bucket = -1;
    while (left > 0) left -= this.#counts[++bucket]!;
    return Math.min(this.#maxMs, middleOf(bucket));
  }
}

/** Values below one octave have a bucket each; from there on each octave has as many. */
function bucketOf(ms: number): number {
  const units = Math.min(MAX_UNITS, Math.max(0, Math.round(ms * UNITS_PER_MS)));
  const shift = Math.max(0, 31 - Math.clz32(units) - OCTAVE_BITS);
  return (shift << OCTAVE_BITS) + (units >>> shift);
}

function middleOf(bucket: number): number {
  const shift = Math.max(0, (bucket >>> OCTAVE_BITS) - 1);
  const lowest = (bucket - (shift << OCTAVE_BITS)) * 2 ** shift;
  return (lowest + (2 ** shift - 1) / 2) / UNITS_PER_MS;
}
