/**
 * The digests of one run of the log in memory, found by hash and by sequence. A run has 2^20 leaves; the
 * pages of its arrays become resident as they fill.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../bytes.ts";
import { DIGEST_WORDS, type KeyedHash } from "./keyed_hash.ts";

/** Leaves of a run. */
export const RUN_LEAVES = 2 ** 20;

const SLOT_MASK = 2 * RUN_LEAVES - 1;

/** One run, appended to in sequence order. */
export class RecentDigests {
  /** Sequence of the run's first leaf. */
  readonly base: number;
  readonly #words = new Uint32Array(RUN_LEAVES * DIGEST_WORDS);
  readonly #bytes = new Uint8Array(this.#words.buffer);
  readonly #acceptedAt = new Uint32Array(RUN_LEAVES);
  /** Open addressing with linear probing: offset + 1, or 0 for a free slot. At most half full. */
  readonly #slots = new Uint32Array(2 * RUN_LEAVES);
  #count = 0;

  constructor(base: number) {
    this.base = base;
  }

  /** Sequence after the last digest. */
  get end(): number {
    return this.base + this.#count;
  }

  get isFull(): boolean {
    return this.#count === RUN_LEAVES;
  }

  /** The sequence of the digest at `offset` of `words`, whose hash is in `hash`; -1 if absent. */
  find(hash: KeyedHash, words: Uint32Array, offset: number): number {
    for (let slot = hash.low & SLOT_MASK;; slot = (slot + 1) & SLOT_MASK) {
      const entry = this.#slots[slot]!;
      if (entry === 0) return -1;
      if (this.#equals(entry - 1, words, offset)) return this.base + entry - 1;
    }
  }

  /** Appends a digest that {@linkcode find} did not find, and returns its sequence. */
  append(hash: KeyedHash, words: Uint32Array, offset: number): number {
    let slot = hash.low & SLOT_MASK;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & SLOT_MASK;
    const at = this.#count++;
    this.#slots[slot] = at + 1;
    const target = at * DIGEST_WORDS;
    for (let i = 0; i < DIGEST_WORDS; i++) this.#words[target + i] = words[offset + i]!;
    return this.base + at;
  }

  /** Sets the time of acceptance, in Unix seconds, of sequences [start, end). */
  setAcceptedAt(start: number, end: number, seconds: number): void {
    this.#acceptedAt.fill(seconds, start - this.base, end - this.base);
  }

  acceptedAt(sequence: number): number {
    return this.#acceptedAt[sequence - this.base]!;
  }

  /** A copy of the digests of sequences [start, end). */
  digests(start: number, end: number): Bytes {
    return this.#bytes.slice(
      (start - this.base) * HASH_LENGTH,
      (end - this.base) * HASH_LENGTH,
    ) as Bytes;
  }

  /** The words of all digests, eight each; read-only. */
  get words(): Uint32Array {
    return this.#words;
  }

  #equals(at: number, words: Uint32Array, offset: number): boolean {
    const start = at * DIGEST_WORDS;
    for (let i = 0; i < DIGEST_WORDS; i++) {
      if (this.#words[start + i] !== words[offset + i]) return false;
    }
    return true;
  }
}
