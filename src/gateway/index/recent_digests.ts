/**
 * The digests of one run of the log in shared memory, found by hash and by sequence. A run has 2^20 leaves;
 * the pages of its memory become resident as they fill.
 *
 * One thread appends, any thread reads. Nothing orders the accesses of two threads here: another thread
 * relies only on sequences that the appending thread has published since by an atomic write. Until then
 * {@linkcode RecentDigests.find} may miss a digest or find one whose words are not all visible.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../base/bytes.ts";
import { DIGEST_WORDS, type KeyedHash } from "./keyed_hash.ts";
import type { SharedRun } from "./shared_index.ts";

/** Leaves of a run. */
export const RUN_LEAVES = 2 ** 20;

const SLOTS = 2 * RUN_LEAVES;
const SLOT_MASK = SLOTS - 1;

/** Offsets in the memory of a run, in bytes: digests, times, slots, count. */
const TIMES_OFFSET = RUN_LEAVES * HASH_LENGTH;
const SLOTS_OFFSET = TIMES_OFFSET + RUN_LEAVES * 4;
const COUNT_OFFSET = SLOTS_OFFSET + SLOTS * 4;
const RUN_LENGTH = COUNT_OFFSET + 4;

/** One run, appended to in sequence order. */
export class RecentDigests implements SharedRun {
  readonly base: number;
  readonly memory: SharedArrayBuffer;
  readonly #words: Uint32Array;
  readonly #bytes: Uint8Array<SharedArrayBuffer>;
  readonly #acceptedAt: Uint32Array;
  /** Open addressing with linear probing: offset + 1, or 0 for a free slot. At most half full. */
  readonly #slots: Uint32Array;
  /** One word: the number of digests. */
  readonly #count: Uint32Array;

  /** The run of `memory`, or an empty one. */
  constructor(base: number, memory = new SharedArrayBuffer(RUN_LENGTH)) {
    this.base = base;
    this.memory = memory;
    this.#words = new Uint32Array(memory, 0, RUN_LEAVES * DIGEST_WORDS);
    this.#bytes = new Uint8Array(memory, 0, RUN_LEAVES * HASH_LENGTH);
    this.#acceptedAt = new Uint32Array(memory, TIMES_OFFSET, RUN_LEAVES);
    this.#slots = new Uint32Array(memory, SLOTS_OFFSET, SLOTS);
    this.#count = new Uint32Array(memory, COUNT_OFFSET, 1);
  }

  /** Sequence after the last digest. */
  get end(): number {
    return this.base + this.#count[0]!;
  }

  get isFull(): boolean {
    return this.#count[0] === RUN_LEAVES;
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
    const at = this.#count[0]!;
    const target = at * DIGEST_WORDS;
    for (let i = 0; i < DIGEST_WORDS; i++) this.#words[target + i] = words[offset + i]!;
    let slot = hash.low & SLOT_MASK;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & SLOT_MASK;
    this.#slots[slot] = at + 1;
    this.#count[0] = at + 1;
    return this.base + at;
  }

  /** Sets the time of acceptance, in Unix seconds, of sequences [start, end). */
  setAcceptedAt(start: number, end: number, seconds: number): void {
    this.#acceptedAt.fill(seconds, start - this.base, end - this.base);
  }

  acceptedAt(sequence: number): number {
    return this.#acceptedAt[sequence - this.base]!;
  }

  /** A copy of the digests of sequences [start, end), in memory that is not shared. */
  digests(start: number, end: number): Bytes {
    return this.#bytes.slice(
      (start - this.base) * HASH_LENGTH,
      (end - this.base) * HASH_LENGTH,
    );
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
