/**
 * Pauses between attempts at what fails: each twice the one before, and none the same for two
 * gateways that failed together.
 *
 * @module
 */

/** How long to wait, in milliseconds. */
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

  /** Milliseconds to wait after one more failure: between half of the pause and all of it. */
  afterFailure(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(2 * ms, this.#limits.longestMs);
    return ms * (0.5 + this.#random() / 2);
  }

  /** The next failure is a first one. */
  reset(): void {
    this.#nextMs = this.#limits.firstMs;
  }
}
