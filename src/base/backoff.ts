/**
 * Exponential backoff with jitter.
 *
 * @module
 */

/** First and longest pause. */
export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The pauses of one loop. */
export class Backoff {
  readonly #limits: BackoffLimits;
  readonly #random: () => number;
  #nextMs: number;

  /** @param random numbers in [0, 1) */
  constructor(limits: BackoffLimits, random: () => number) {
    this.#limits = limits;
    this.#random = random;
    this.#nextMs = limits.firstMs;
  }

  /** Milliseconds to wait after a failure: a random part, at least half, of the pause. */
  afterFailure(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(2 * ms, this.#limits.longestMs);
    return ms * (0.5 + this.#random() / 2);
  }

  /** Starts again with the first pause. */
  reset(): void {
    this.#nextMs = this.#limits.firstMs;
  }
}
