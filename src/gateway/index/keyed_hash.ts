/**
 * HalfSipHash-2-4 of a digest, with 64 bits of output (Aumasson and Bernstein, github.com/veorq/SipHash).
 * The hash is keyed because clients choose the digests: otherwise they could choose the buckets and the
 * filter blocks.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

/** Words of a 32-byte digest. */
export const DIGEST_WORDS = 8;

/** The digests as words. Copies them unless their offset in the buffer is a multiple of four. */
export function wordsOf(digests: Bytes): Uint32Array {
  const aligned = digests.byteOffset % 4 === 0 ? digests : digests.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

const LENGTH_BLOCK = 32 << 24;

/** Two rounds for each word and for the block of the length, then four before each half of the output. */
const STEPS = DIGEST_WORDS + 5;

/** Writes each hash to two fields, so that the hot path allocates nothing. */
export class KeyedHash {
  readonly #k0: number;
  readonly #k1: number;
  /** High and low half of the last hash, unsigned. */
  high = 0;
  low = 0;

  /** `key` is eight bytes. */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, key.length);
    this.#k0 = view.getInt32(0, true);
    this.#k1 = view.getInt32(4, true);
  }

  /** Hashes the eight little-endian words that begin at `offset` of `words`. */
  hash(words: Uint32Array, offset: number): void {
    // One loop over local variables: fields would be written to memory in each round.
    let v0 = this.#k0, v1 = this.#k1 ^ 0xee, v2 = 0x6c796765 ^ v0, v3 = 0x74656462 ^ this.#k1;
    for (let step = 0; step < STEPS; step++) {
      let word = 0;
      if (step < DIGEST_WORDS) word = words[offset + step]! | 0;
      else if (step === DIGEST_WORDS) word = LENGTH_BLOCK;
      else if (step === DIGEST_WORDS + 1) v2 ^= 0xee;
      else if (step === DIGEST_WORDS + 3) {
        this.low = (v1 ^ v3) >>> 0;
        v1 ^= 0xdd;
      }
      v3 ^= word;
      for (let round = 0; round < 2; round++) {
        v0 = (v0 + v1) | 0;
        v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
        v0 = (v0 << 16) | (v0 >>> 16);
        v2 = (v2 + v3) | 0;
        v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
        v0 = (v0 + v3) | 0;
        v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
        v2 = (v2 + v1) | 0;
        v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
        v2 = (v2 << 16) | (v2 >>> 16);
      }
      v0 ^= word;
    }
    this.high = (v1 ^ v3) >>> 0;
  }
}
