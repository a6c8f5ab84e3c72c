/**
 * The durable sequences that no round has yet.
 *
 * @module
 */

import { MAX_ROUND_SIZE } from "../../proof/format/round.ts";

/** Sequences [start, end). */
export interface SequenceRange {
  readonly start: number;
  readonly end: number;
}

/** Whether both have a sequence. */
export function areCrossed(a: SequenceRange, b: SequenceRange): boolean {
  return a.start < b.end && b.start < a.end;
}

/**
 * The durable sequences that no round has yet: gaps that were found at start, and the tail. Returned in
 * pieces of at most one round, the oldest first.
 */
export class UnformedRanges {
  /** Ascending. The last one is the tail, which grows and may be empty; the others are not empty. */
  readonly #ranges: { start: number; end: number }[];
  readonly #tail: { start: number; end: number };
  /** No round is formed from this sequence on. */
  #limit = Infinity;

  /** Sequences below `formed` are signed, except `gaps`. */
  constructor({ gaps, formed }: {
    readonly gaps: readonly SequenceRange[];
    readonly formed: number;
  }) {
    this.#tail = { start: formed, end: formed };
    this.#ranges = [...gaps.map((gap) => ({ ...gap })), this.#tail];
  }

  /** Sequences below `end` are durable. */
  advance(end: number): void {
    this.#tail.end = Math.max(this.#tail.end, end);
  }

  /** Sequences from `limit` on stay unformed until the next call. */
  set limit(limit: number) {
    this.#limit = limit;
  }

  /** The sequences of the next round, if any. */
  next(): SequenceRange | undefined {
    const range = this.#ranges[0]!;
    const { start } = range;
    if (start === range.end || start >= this.#limit) return undefined;
    const end = Math.min(range.end, start + MAX_ROUND_SIZE, this.#limit);
    range.start = end;
    if (end === range.end && range !== this.#tail) this.#ranges.shift();
    return { start, end };
  }

  /** Whether all of the sequences [start, end) are unformed and below the limit. */
  has({ start, end }: SequenceRange): boolean {
    return end <= this.#limit &&
      this.#ranges.some((range) => range.start <= start && end <= range.end);
  }

  /** Takes sequences that {@linkcode UnformedRanges.has}. */
  take({ start, end }: SequenceRange): void {
    const at = this.#ranges.findIndex((range) => range.start <= start && end <= range.end);
    const range = this.#ranges[at]!;
    const before = { start: range.start, end: start };
    range.start = end;
    const isEmpty = range.start === range.end && range !== this.#tail;
    this.#ranges.splice(at, isEmpty ? 1 : 0, ...(before.start < before.end ? [before] : []));
  }

  /** Sequences that a round had: they are in none now. They join the ranges beside them. */
  giveBack({ start, end }: SequenceRange): void {
    const at = this.#ranges.findIndex((range) => range.start >= end);
    const before = this.#ranges[at - 1];
    const after = this.#ranges[at]!;
    const joins = before?.end === start;
    const given = { start: joins ? before.start : start, end };
    const isAfter = after.start === end;
    if (isAfter) after.start = given.start;
    this.#ranges.splice(joins ? at - 1 : at, joins ? 1 : 0, ...(isAfter ? [] : [given]));
  }

  /** The unformed sequences, ascending. */
  get ranges(): SequenceRange[] {
    return this.#ranges.filter(({ start, end }) => start < end).map((range) => ({ ...range }));
  }

  /** The first unformed sequence, or `Infinity`. */
  get start(): number {
    const { start, end } = this.#ranges[0]!;
    return start < end ? start : Infinity;
  }

  /** The sequence after the last durable one. */
  get end(): number {
    return this.#tail.end;
  }

  /** The sequence after the last one that is in a round. */
  get formed(): number {
    return this.#tail.start;
  }

  /** How many sequences are unformed. */
  get count(): number {
    return this.#ranges.reduce((count, { start, end }) => count + end - start, 0);
  }

  /** How many sequences the tail has. */
  get tailCount(): number {
    return this.#tail.end - this.#tail.start;
  }
}
