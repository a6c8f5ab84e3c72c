/**
 * Looks up the packed digests of one request in an index, first in memory and then in the store.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../bytes.ts";
import type { Turn } from "../../fair_turns.ts";
import { ABSENT, type HashIndex, PERHAPS_SEALED } from "../index/hash_index.ts";
import { wordsOf } from "../index/keyed_hash.ts";

/** Each method works on all digests and keeps what was found before. */
export class Lookup {
  readonly words: Uint32Array;
  /** The hash of each probed digest. */
  readonly hashes: Uint32Array;
  /** The number of each digest in the index, {@linkcode ABSENT} or {@linkcode PERHAPS_SEALED}. */
  readonly numbers: number[];
  readonly #index: HashIndex;
  readonly #digests: Bytes;

  constructor(index: HashIndex, digests: Bytes) {
    this.#index = index;
    this.#digests = digests;
    this.words = wordsOf(digests);
    const count = digests.length / HASH_LENGTH;
    this.hashes = new Uint32Array(2 * count);
    this.numbers = new Array<number>(count).fill(ABSENT);
  }

  /** Looks up digests in memory; returns true if some may be in sealed runs. */
  probe(): boolean {
    let suspects = false;
    for (let i = 0; i < this.numbers.length; i++) {
      if (this.numbers[i]! >= 0) continue;
      const found = this.#index.probe(this.words, i, this.hashes);
      this.numbers[i] = found;
      suspects ||= found === PERHAPS_SEALED;
    }
    return suspects;
  }

  /** Looks up digests that may be in sealed runs; with `turn`, pauses between slices. */
  async askStore(turn?: Turn): Promise<void> {
    for (let i = 0; i < this.numbers.length; i++) {
      if (this.numbers[i] !== PERHAPS_SEALED) continue;
      const pause = turn?.pause();
      if (pause !== undefined) await pause;
      const digest = this.#digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
      this.numbers[i] = await this.#index.findSealed(digest) ?? ABSENT;
    }
  }

  /** Looks up absent digests in memory again: other requests may have added them. */
  probeAgain(): void {
    for (let i = 0; i < this.numbers.length; i++) {
      if (this.numbers[i]! >= 0) continue;
      this.numbers[i] = Math.max(ABSENT, this.#index.probe(this.words, i));
    }
  }

  /** How many digests are {@linkcode ABSENT}. */
  get absent(): number {
    return this.numbers.reduce((sum, number) => sum + (number < 0 ? 1 : 0), 0);
  }

  /** Positions of absent digests, ascending; only the first of a repeated one. */
  absentPositions(): number[] {
    const positions: number[] = [];
    this.numbers.forEach((number, i) => {
      if (number < 0) positions.push(i);
    });
    return this.firstOfEach(positions);
  }

  /** `positions` without those that repeat the digest of an earlier one. */
  firstOfEach(positions: number[]): number[] {
    // Most requests have one digest.
    if (positions.length <= 1) return positions;
    const seen = new Set<string>();
    return positions.filter((i) => {
      const size = seen.size;
      return seen.add(this.#hex(i)).size > size;
    });
  }

  #hex(i: number): string {
    return this.#digests.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
  }
}
