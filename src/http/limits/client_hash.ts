/**
 * Assigns clients to slots of a table by tabulation hashing (Zobrist, 1970). The words are random, so a
 * client cannot choose another client to share a slot with.
 *
 * @module
 */

import type { ClientKey } from "./client_key.ts";

const BYTES_OF_KEY = 8;
const WORDS = BYTES_OF_KEY * 256;

/** Bytes of the random words at the start of a table. */
export const HASH_BYTES = WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** Writes the random words of a new table. */
export function initializeHash(memory: ArrayBufferLike): void {
  // Random numbers cannot be written to shared memory directly.
  new Uint32Array(memory, 0, WORDS).set(crypto.getRandomValues(new Uint32Array(WORDS)));
}

/** A hash function with its own random words. */
export class ClientHash {
  /** A random word for each value of each byte of a key. */
  readonly #words: Uint32Array;

  /** `memory` begins with the words of {@linkcode initializeHash}. */
  constructor(memory: ArrayBufferLike) {
    this.#words = new Uint32Array(memory, 0, WORDS);
  }

  /** 32 bits, as a signed integer. */
  of({ high, low }: ClientKey): number {
    const words = this.#words;
    return words[high >>> 24]! ^ words[256 + (high >>> 16 & 255)]! ^
      words[512 + (high >>> 8 & 255)]! ^ words[768 + (high & 255)]! ^
      words[1024 + (low >>> 24)]! ^ words[1280 + (low >>> 16 & 255)]! ^
      words[1536 + (low >>> 8 & 255)]! ^ words[1792 + (low & 255)]!;
  }
}
