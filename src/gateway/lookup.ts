/**
 * Where the packed digests of one request are in an index, as far as memory and the store tell.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import type { Turn } from "../fair_turns.ts";
import { ABSENT, type HashIndex, PERHAPS_SEALED } from "./hash_index.ts";
import { wordsOf } from "./keyed_hash.ts";

/** Each step is taken for all digests; what was found stays found. */
export class Lookup {
  readonly words: Uint32Array;
  /** The hash of each probed digest. */
  readonly hashes: Uint32Array;
  /** Of each digest its number in the index, or {@linkcode ABSENT}. */
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

  /** Fills in what memory knows; true when some may be in sealed runs. */
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

  /** Others were at work while the store was asked: looks up in memory what is still unknown. */
  probeAgain(): void {
    for (let i = 0; i < this.numbers.length; i++) {
      if (this.numbers[i]! >= 0) continue;
      this.numbers[i] = Math.max(ABSENT, this.#index.probe(this.words, i));
    }
  }

  /** How many are {@linkcode ABSENT}. */
  get absent(): number {
    return this.numbers.reduce((sum, number) => sum + (number < 0 ? 1 : 0), 0);
  }

  /** Places of those that are absent, ascending; of one that stands twice the first alone. */
  absentPlaces(): number[] {
    const places: number[] = [];
    this.numbers.forEach((number, i) => {
      if (number < 0) places.push(i);
    });
    return this.firstOfEach(places);
  }

  /** Those of `places` at which no digest of an earlier one stands again. */
  firstOfEach(places: number[]): number[] {
    // Most requests are of one digest, and nothing stands twice there.
    if (places.length <= 1) return places;
    const seen = new Set<string>();
    return places.filter((i) => {
      const size = seen.size;
      return seen.add(this.#hex(i)).size > size;
    });
  }

  #hex(i: number): string {
    return this.#digests.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
  }
}
