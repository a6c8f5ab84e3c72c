// Canonical integers: 6 words of 64 bits, least significant first, and 48 bytes, most significant
// first; and predicates of the lanes of a pair that need canonical integers.

import { HALF_MODULUS, MODULUS, TWO_256 } from "./curve_constants";
import { pairAdd, pairFromWords, pairIsZero, pairMul, pairSub, pairToWords } from "./field";

/** Bytes of a canonical integer. */
export const INTEGER_BYTES: usize = 48;

/** Bytes that hash_to_field takes for one element (RFC 9380 section 8.8.1, L). */
export const WIDE_BYTES: usize = 64;

const WORDS: usize = 6;

const words: usize = memory.data(48, 16);
const upper0: usize = memory.data(48, 16);
const upper1: usize = memory.data(48, 16);
const lower0: usize = memory.data(48, 16);
const lower1: usize = memory.data(48, 16);
const lower: usize = memory.data(128, 16);
const difference: usize = memory.data(128, 16);

/** The integer of 48 bytes, as words; not compared with p. */
export function wordsFromBytes(dst: usize, bytes: usize): void {
  for (let i: usize = 0; i < WORDS; i++) {
    store<u64>(dst + 8 * i, bswap<u64>(load<u64>(bytes + 8 * (WORDS - 1 - i))));
  }
}

/** The 48 bytes of the integer of 6 words. */
export function bytesFromWords(dst: usize, words: usize): void {
  for (let i: usize = 0; i < WORDS; i++) {
    store<u64>(dst + 8 * i, bswap<u64>(load<u64>(words + 8 * (WORDS - 1 - i))));
  }
}

/** 1 where a < b, for 6 words each, and 0 otherwise: the borrow of a - b, without a branch. */
function isBelow(a: usize, b: usize): u64 {
  let borrow: u64 = 0;
  for (let i: usize = 0; i < WORDS; i++) {
    const minuend = load<u64>(a + 8 * i);
    const subtrahend = load<u64>(b + 8 * i);
    borrow = u64(minuend < subtrahend) | (u64(minuend === subtrahend) & borrow);
  }
  return borrow;
}

/** Whether the integer of 6 words is below p. */
export function isCanonical(words: usize): bool {
  return isBelow(words, MODULUS) !== 0;
}

/**
 * 1 where the integer of 6 words is beyond (p - 1) / 2, the sign of compressed points. A number: of a
 * bool the compiler makes a choice between two flags, which engines may compile to a branch.
 */
export function upperHalf(words: usize): u32 {
  return <u32>isBelow(HALF_MODULUS, words);
}

/** The lanes in which a = b; weights of 8 together. */
export function pairEqualLanes(a: usize, b: usize): u32 {
  pairSub(difference, a, b);
  return pairIsZero(difference);
}

/** The lanes of `a` whose canonical integer is odd: sgn0 of RFC 9380 section 4.1. */
export function pairOddLanes(a: usize): u32 {
  pairToWords(words, a, 0);
  const odd = <u32>load<u64>(words) & 1;
  pairToWords(words, a, 1);
  return odd | ((<u32>load<u64>(words) & 1) << 1);
}

/** The lanes of `a` beyond (p - 1) / 2. */
export function pairUpperLanes(a: usize): u32 {
  pairToWords(words, a, 0);
  const upper = upperHalf(words);
  pairToWords(words, a, 1);
  return upper | (upperHalf(words) << 1);
}

/** dst = the integers of 64 bytes, most significant first, mod p, one in each lane; weight 2. */
export function pairFromWideBytes(dst: usize, bytes0: usize, bytes1: usize): void {
  halvesFromBytes(upper0, lower0, bytes0);
  halvesFromBytes(upper1, lower1, bytes1);
  pairFromWords(lower, lower0, lower1);
  pairFromWords(dst, upper0, upper1);
  pairMul(dst, dst, TWO_256);
  pairAdd(dst, dst, lower);
}

// 64 bytes as two integers of 4 words, below 2^256 < p. The two words above stay zero.
function halvesFromBytes(upper: usize, lower: usize, bytes: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    store<u64>(upper + 8 * i, bswap<u64>(load<u64>(bytes + 8 * (3 - i))));
    store<u64>(lower + 8 * i, bswap<u64>(load<u64>(bytes + 8 * (7 - i))));
  }
}
