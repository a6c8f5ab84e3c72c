/**
 * The durable sequences that no round holds yet: gaps that were found at start, and the tail.
 *
 * @module
 */

import { MAX_ROUND_SIZE } from "../../format/round.ts";

/** Sequences [start, end). */
export interface SequenceRange {
  readonly start: number;
  readonly end: number;
}

/** Hands them out in pieces of at most a round, the oldest first. */
export class UnformedRanges {
  readonly #gaps: SequenceRange[];
  /** Sequence from which the tail is unformed. */
  #formed: number;
  #durable: number;

  /** All of `gaps` lie below `formed`, up to which all else is signed. */
  constructor({ gaps, formed }: {
    readonly gaps: readonly SequenceRange[];
    readonly formed: number;
  }) {
    this.#gaps = [...gaps];
    this.#formed = formed;
    this.#durable = formed;
  }

  /** Sequences below `end` are durable. */
  advance(end: number): void {
    this.#durable = Math.max(this.#durable, end);
  }

  /** The sequences of the next round; `undefined` when there are none. */
  next(): SequenceRange | undefined {
    const gap = this.#gaps[0];
    if (gap !== undefined) {
      const end = Math.min(gap.end, gap.start + MAX_ROUND_SIZE);
      if (end === gap.end) this.#gaps.shift();
      else this.#gaps[0] = { start: end, end: gap.end };
      return { start: gap.start, end };
    }
    if (this.#formed >= this.#durable) return undefined;
    const start = this.#formed;
    this.#formed = Math.min(this.#durable, start + MAX_ROUND_SIZE);
    return { start, end: this.#formed };
  }

  /** The first of them; `Infinity` when there are none. */
  get start(): number {
    return Math.min(
      this.#gaps[0]?.start ?? Infinity,
      this.#formed < this.#durable ? this.#formed : Infinity,
    );
  }

  /** How many there are. */
  get count(): number {
    return this.#gaps.reduce((count, { start, end }) => count + end - start, this.tailCount);
  }

  /** How many there are that were not found at start. */
  get tailCount(): number {
    return this.#durable - this.#formed;
  }
}
