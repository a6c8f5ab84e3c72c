/**
 * Looks up the packed digests of one request in an index, first in memory and then in the store.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import type { Turn } from "../../base/fair_turns.ts";
import { ABSENT, type DigestIndex, PERHAPS_SEALED } from "../index/digest_index.ts";
import { wordsOf } from "../index/keyed_hash.ts";

/** A digest is in an unsealed run, at a sequence that is not final. */
export const NOT_FINAL = -3;

/** Each method works on all digests and keeps the sequences that were found before. */
export class Lookup {
  readonly digests: Bytes;
  /**
   * The number of each digest in the index, {@linkcode ABSENT}, {@linkcode PERHAPS_SEALED} or
   * {@linkcode NOT_FINAL}.
   */
  readonly numbers: number[];
  readonly #index: DigestIndex;
  readonly #words: Uint32Array;
  readonly #finalEnd: () => number;

  /** Numbers in unsealed runs are final below `finalEnd`. */
  constructor(index: DigestIndex, digests: Bytes, finalEnd: () => number) {
    this.digests = digests;
    this.#index = index;
    this.#words = wordsOf(digests);
    this.#finalEnd = finalEnd;
    this.numbers = new Array<number>(digests.length / HASH_LENGTH).fill(ABSENT);
  }

  /** Looks up digests in memory; returns true if some may be in sealed runs. */
  probe(): boolean {
    let suspects = false;
    for (let i = 0; i < this.numbers.length; i++) {
      if (this.numbers[i]! >= 0) continue;
      const found = this.#probeOne(i);
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
      const digest = this.digests.slice(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
      this.numbers[i] = await this.#index.findSealed(digest) ?? ABSENT;
    }
  }

  /**
   * Looks up absent digests in memory again, after {@linkcode askStore}: other requests may have added them.
   */
  probeAgain(): void {
    for (let i = 0; i < this.numbers.length; i++) {
      if (this.numbers[i] !== ABSENT) continue;
      const found = this.#probeOne(i);
      if (found !== PERHAPS_SEALED) this.numbers[i] = found;
    }
  }

  /** Positions of absent digests, ascending; only the first of a repeated one. */
  absentPositions(): number[] {
    const positions: number[] = [];
    this.numbers.forEach((number, i) => {
      if (number === ABSENT) positions.push(i);
    });
    // Most requests have one digest.
    if (positions.length <= 1) return positions;
    const seen = new Set<string>();
    return positions.filter((i) => {
      const size = seen.size;
      return seen.add(this.#hex(i)).size > size;
    });
  }

  /** Positions of digests without a final number, ascending. */
  openPositions(): number[] {
    const positions: number[] = [];
    this.numbers.forEach((number, i) => {
      if (number < 0) positions.push(i);
    });
    return positions;
  }

  /** The digests at `positions`, which ascend. */
  digestsAt(positions: readonly number[]): Bytes {
    if (positions.length === this.numbers.length) return this.digests;
    const digests = new Uint8Array(positions.length * HASH_LENGTH);
    positions.forEach((position, i) => {
      const digest = this.digests.subarray(position * HASH_LENGTH, (position + 1) * HASH_LENGTH);
      digests.set(digest, i * HASH_LENGTH);
    });
    return digests;
  }

  #probeOne(i: number): number {
    const found = this.#index.probe(this.#words, i);
    return found < this.#finalEnd() ? found : NOT_FINAL;
  }

  #hex(i: number): string {
    return this.digests.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH).toHex();
  }
}
