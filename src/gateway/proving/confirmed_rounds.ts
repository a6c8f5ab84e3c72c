/**
 * Rounds whose signatures are durable: the contiguous confirmed prefix of the log, and the latest rounds
 * with their trees, so that new attestations are read without the store. Bounded.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../base/bytes.ts";
import type { RoundTree } from "../../proof/merkle/round_tree.ts";
import type { RoundTexts } from "./attestation_json.ts";
import { countUpTo } from "./stored_rounds.ts";

/** A round in memory. */
export interface RecentRound extends RoundTexts {
  readonly tree: RoundTree;
}

/** Sequences [first, end). */
export interface ConfirmedRange {
  readonly first: number;
  readonly end: number;
}

/** Leaves whose rounds stay in memory: 64 bytes each, and 128 of hex after the first read. */
const MAX_RECENT_LEAVES = 2 ** 17;
const MAX_RECENT_ROUNDS = 4096;

/** All methods are synchronous. */
export class ConfirmedRounds {
  /** Ascending by first sequence. */
  readonly #recent: RecentRound[] = [];
  #recentLeaves = 0;
  /** Confirmed beyond the prefix, ascending. Between two of them is a gap, so they are few. */
  #beyond: ConfirmedRange[] = [];
  #end = 0;

  /** `end` is the sequence after a confirmed prefix; `beyond` are the stored rounds after it. */
  constructor(end: number, beyond: readonly ConfirmedRange[]) {
    this.advanceTo(end, beyond);
  }

  /** Sequence after the contiguous confirmed prefix. */
  get end(): number {
    return this.#end;
  }

  /** The confirmed ranges after the prefix, ascending; no two touch. */
  get beyond(): readonly ConfirmedRange[] {
    return [...this.#beyond];
  }

  /** What is not confirmed, ascending. The last range is after all that is. */
  get gaps(): readonly ConfirmedRange[] {
    const firsts = [this.#end, ...this.#beyond.map(({ end }) => end)];
    return firsts.map((first, i) => ({
      first,
      end: this.#beyond[i]?.first ?? Number.MAX_SAFE_INTEGER,
    }));
  }

  /** Whether the round of `sequence` is durable. */
  isConfirmed(sequence: number): boolean {
    return sequence < this.#end || this.find(sequence) !== undefined ||
      this.#beyond.some(({ first, end }) => sequence >= first && sequence < end);
  }

  /** A round is durable; its tree stays in memory. */
  add(round: RecentRound): void {
    const { first, size } = round.record;
    let at = this.#recent.length;
    while (at > 0 && this.#recent[at - 1]!.record.first > first) at--;
    this.#recent.splice(at, 0, round);
    this.#recentLeaves += size;
    this.addStored(first, first + size);
    this.#evict();
  }

  /** A round of [first, end) is durable; it is read from the store. */
  addStored(first: number, end: number): void {
    const beyond = this.#beyond;
    // The ranges [from, to) touch the round or share a sequence with it. Mostly it is the last one.
    let to = beyond.length;
    while (to > 0 && beyond[to - 1]!.first > end) to--;
    let from = to;
    while (from > 0 && beyond[from - 1]!.end >= first) from--;
    const joined = beyond.slice(from, to);
    beyond.splice(from, to - from, {
      first: Math.min(first, ...joined.map((range) => range.first)),
      end: Math.max(end, ...joined.map((range) => range.end)),
    });
    if (beyond[0]!.first <= this.#end) this.#end = Math.max(this.#end, beyond.shift()!.end);
  }

  /**
   * {@linkcode end} and the stored rounds after it, as known elsewhere: they are at least those known here.
   * The rounds in memory stay.
   */
  advanceTo(end: number, beyond: readonly ConfirmedRange[]): void {
    this.#end = end;
    this.#beyond = [];
    for (const round of beyond) this.addStored(round.first, round.end);
  }

  /** The recent round of `sequence`. */
  find(sequence: number): RecentRound | undefined {
    const round = this.#recent[countUpTo(this.#recent, sequence) - 1];
    return round !== undefined && sequence < round.record.first + round.record.size
      ? round
      : undefined;
  }

  /** Packed leaf hashes of [start, end) if all of them are recent. */
  leaves(start: number, end: number): Bytes | undefined {
    const parts: Bytes[] = [];
    for (let sequence = start; sequence < end;) {
      const round = this.find(sequence);
      if (round === undefined) return undefined;
      const { first, size } = round.record;
      const to = Math.min(end, first + size);
      parts.push(
        round.tree.leaves.subarray((sequence - first) * HASH_LENGTH, (to - first) * HASH_LENGTH),
      );
      sequence = to;
    }
    return concat(...parts);
  }

  #evict(): void {
    while (this.#recentLeaves > MAX_RECENT_LEAVES || this.#recent.length > MAX_RECENT_ROUNDS) {
      // V8 moves the start of the array; splice() would move all rounds.
      this.#recentLeaves -= this.#recent.shift()!.record.size;
    }
  }
}
