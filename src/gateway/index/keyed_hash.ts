/**
 * HalfSipHash-2-4 of a digest, with 64 bits of output (Aumasson and Bernstein, github.com/veorq/SipHash).
 * The hash is keyed because clients choose the digests: otherwise they could choose the buckets and the
 * filter blocks.
 *
 * @module
 */

import type { Bytes } from "../../bytes.ts";

/** Words of a 32-byte digest. */
export const DIGEST_WORDS = 8;

/** The digests as words. Copies them unless their offset in the buffer is a multiple of four. */
export function wordsOf(digests: Bytes): Uint32Array {
  const aligned = digests.byteOffset % 4 === 0 ? digests : digests.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
}

const LENGTH_BLOCK = 32 << 24;

/** Writes each hash to two fields, so that the hot path allocates nothing. */
export class KeyedHash {
  readonly #k0: number;
  readonly #k1: number;
  /** High and low half of the last hash, unsigned. */
  high = 0;
  low = 0;
  #v0 = 0;
  #v1 = 0;
  #v2 = 0;
  #v3 = 0;

  /** `key` is eight bytes. */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, key.length);
    this.#k0 = view.getUint32(0, true);
    this.#k1 = view.getUint32(4, true);
  }

  /** Hashes the eight little-endian words that begin at `offset` of `words`. */
  hash(words: Uint32Array, offset: number): void {
    this.#v0 = this.#k0;
    this.#v1 = this.#k1 ^ 0xee;
    this.#v2 = 0x6c796765 ^ this.#k0;
    this.#v3 = 0x74656462 ^ this.#k1;
    for (let i = offset; i < offset + DIGEST_WORDS; i++) this.#absorb(words[i]!);
    this.#absorb(LENGTH_BLOCK);
    this.#v2 ^= 0xee;
    this.#rounds(4);
    this.low = (this.#v1 ^ this.#v3) >>> 0;
    this.#v1 ^= 0xdd;
    this.#rounds(4);
    this.high = (this.#v1 ^ this.#v3) >>> 0;
  }

  #absorb(word: number): void {
    this.#v3 ^= word;
    this.#rounds(2);
    this.#v0 ^= word;
  }

  #rounds(count: number): void {
    let v0 = this.#v0, v1 = this.#v1, v2 = this.#v2, v3 = this.#v3;
    for (let i = 0; i < count; i++) {
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
    this.#v0 = v0;
    this.#v1 = v1;
    this.#v2 = v2;
    this.#v3 = v3;
  }
}
