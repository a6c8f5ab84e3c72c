/**
 * A cache of rounds that were read from the store: their records, and the trees of rounds that are read
 * often. Bounded by rounds and leaves.
 *
 * @module
 */

import { UPPER_NODE_HEIGHT } from "../../proof/format/records.ts";
import { MAX_ROUND_SIZE } from "../../proof/format/round.ts";
import type { LevelTexts, RoundTexts } from "./attestation_json.ts";

/** Cached rounds: about 2 KiB each without the tree. */
const MAX_ROUNDS = 4096;
/** Leaves of cached trees: 128 bytes each. */
const MAX_LEAVES = 2 ** 17;
/** Leaves of a subtree whose root a round's record has: so many are hashed for a read without the tree. */
export const SUBTREE_LEAVES = 2 ** UPPER_NODE_HEIGHT;
/** A round's tree is not hashed before so many reads, however small the round. */
const LEAST_READS = 4;

/** A cached round. */
export interface StoredRound extends RoundTexts {
  /** How often it was read without its tree. */
  reads: number;
}

/** The rounds that begin within {@linkcode MAX_ROUND_SIZE} sequences, ascending. */
interface Block {
  readonly rounds: StoredRound[];
  leaves: number;
}

/** All methods are synchronous. */
export class StoredRounds {
  /** By first sequence / {@linkcode MAX_ROUND_SIZE}, least recently used first. */
  readonly #blocks = new Map<number, Block>();
  #rounds = 0;
  #leaves = 0;

  /** The cached round of `sequence`. */
  find(sequence: number): StoredRound | undefined {
    const block = Math.floor(sequence / MAX_ROUND_SIZE);
    // No round is larger than a block: it begins in this block or in the previous one.
    return this.#findIn(block, sequence) ?? this.#findIn(block - 1, sequence);
  }

  /** Caches a round. Another reader may have added it meanwhile. */
  add(record: StoredRound["record"]): StoredRound {
    const kept = this.find(record.first);
    if (kept !== undefined) return kept;
    const number = Math.floor(record.first / MAX_ROUND_SIZE);
    let block = this.#blocks.get(number);
    if (block === undefined) this.#blocks.set(number, block = { rounds: [], leaves: 0 });
    const round: StoredRound = { record, reads: 0 };
    block.rounds.splice(countUpTo(block.rounds, record.first), 0, round);
    this.#rounds++;
    this.#evict(block);
    return round;
  }

  /**
   * Counts a read without the tree; true if the tree should be read and cached. The reads of subtrees before have
   * then cost as much as the tree will.
   */
  wantsTree(round: StoredRound): boolean {
    return ++round.reads > Math.max(LEAST_READS, round.record.size / SUBTREE_LEAVES);
  }

  /** Caches the levels of `round`, if the round still is cached. */
  setTree(round: StoredRound, levels: LevelTexts): void {
    const { first, size } = round.record;
    const block = this.#blocks.get(Math.floor(first / MAX_ROUND_SIZE));
    if (round.levels !== undefined || !block?.rounds.includes(round)) return;
    round.levels = levels;
    block.leaves += size;
    this.#leaves += size;
    this.#evict(block);
  }

  #findIn(number: number, sequence: number): StoredRound | undefined {
    const block = this.#blocks.get(number);
    const round = block?.rounds[countUpTo(block.rounds, sequence) - 1];
    if (round === undefined || sequence >= round.record.first + round.record.size) return undefined;
    this.#blocks.delete(number);
    this.#blocks.set(number, block!);
    return round;
  }

  /** Drops the least recently used blocks, but not `latest`. */
  #evict(latest: Block): void {
    if (this.#rounds <= MAX_ROUNDS && this.#leaves <= MAX_LEAVES) return;
    for (const [number, block] of this.#blocks) {
      if (block === latest) continue;
      this.#blocks.delete(number);
      this.#rounds -= block.rounds.length;
      this.#leaves -= block.leaves;
      if (this.#rounds <= MAX_ROUNDS && this.#leaves <= MAX_LEAVES) return;
    }
  }
}

/** How many of `rounds`, in ascending order, begin at or before `sequence`. */
export function countUpTo(rounds: readonly RoundTexts[], sequence: number): number {
  let low = 0;
  let high = rounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rounds[middle]!.record.first <= sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
