/**
 * Rounds that have ended after a failed attempt while jobs still wait: given up, or signed and not
 * stored. Their attempts count for these jobs.
 *
 * @module
 */

import type { OpenRound } from "./open_round.ts";
import { areCrossed, type SequenceRange } from "./unformed_ranges.ts";

export class EndedRounds {
  #rounds: OpenRound[] = [];

  /** Oldest first. */
  get all(): readonly OpenRound[] {
    return this.#rounds;
  }

  add(round: OpenRound): void {
    this.#rounds.push(round);
  }

  /** Of the rounds that share a sequence with `range`, the one with the most attempts. */
  before(range: SequenceRange): OpenRound | undefined {
    return this.#rounds
      .filter(({ first, size }) => areCrossed(range, { start: first, end: first + size }))
      .toSorted((a, b) => b.attempts - a.attempts)[0];
  }

  /** Called when the round from `first` is stored, and no sequence below `oldest` is unsigned. */
  stored(first: number, oldest: number): void {
    this.#rounds = this.#rounds.filter((round) =>
      round.isSigned ? round.first !== first : round.first + round.size > oldest
    );
  }
}
