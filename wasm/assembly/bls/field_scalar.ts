// Two elements of Fp, one after the other, 64 bytes apart (128 bytes): a *pair*. An element of Fp2
// is the pair of its coefficients. An element has 7 words of 56 bits, signed; values are residues
// mod p in Montgomery form, not canonical. Same interface and same weights as `field_fma.ts`, for
// engines without vector instructions (README, "The field on 56-bit words").

import {
  columnsFp2Mul,
  columnsFp2Sqr,
  columnsMul,
  columnsSqr,
  pairAdd,
  pairCarry,
  pairNeg,
  reduceColumns,
  reduceWords,
  wordsOfColumns,
} from "./products";
import { MODULUS_DIGITS, MODULUS_WORDS, MONTGOMERY_SQUARE } from "./field_constants";

export {
  fp2Conj,
  fp2MulXi,
  pairAdd,
  pairCarry,
  pairChoose,
  pairCopy,
  pairMerge,
  pairMul12,
  pairNeg,
  pairSplat0,
  pairSplat1,
  pairSub,
  pairSwap,
  pairZero,
  wideAdd,
  wideAddXi,
  wideCopy,
  wideMulXi,
  wideSub,
  wideSubBoth,
} from "./products";

/** Bytes of a pair. */
export const PAIR: usize = 128;

/** Bytes of an unreduced product: 14 words of each lane, 128 bytes apart. */
export const WIDE: usize = 256;

const LANE: usize = 64;
const WIDE_LANE: usize = 128;
const WORDS: usize = 7;
const WORD_BITS: i64 = 56;
const WORD_MASK: i64 = (1 << WORD_BITS) - 1;

// 27 columns of each lane, 256 bytes apart.
const columns: usize = memory.data(512, 16);
const columns1: usize = columns + 256;

// 14 words, of which the upper 7 stay 0.
const extended: usize = memory.data(112, 16);
const integer: usize = memory.data(64, 16);
const twice: usize = memory.data(128, 16);
const difference: usize = memory.data(48, 16);
const canonical: usize = memory.data(48, 16);

/** dst = a b in each lane. */
export function pairMul(dst: usize, a: usize, b: usize): void {
  columnsMul(columns, a, b);
  columnsMul(columns1, a + LANE, b + LANE);
  reduceBoth(dst);
}

/** dst = a^2 in each lane; a of weight 2 at most. */
export function pairSqr(dst: usize, a: usize): void {
  columnsSqr(columns, a);
  columnsSqr(columns1, a + LANE);
  reduceBoth(dst);
}

/** dst = a b in Fp2. */
export function fp2Mul(dst: usize, a: usize, b: usize): void {
  columnsFp2Mul(columns, a, b);
  reduceBoth(dst);
}

/** dst = a^2 in Fp2; a of weight 2 at most. */
export function fp2Sqr(dst: usize, a: usize): void {
  columnsFp2Sqr(columns, a);
  reduceBoth(dst);
}

function reduceBoth(dst: usize): void {
  reduceColumns(dst, columns);
  reduceColumns(dst + LANE, columns1);
}

/** dst = a b in each lane, not reduced. */
export function wideMul(dst: usize, a: usize, b: usize): void {
  columnsMul(columns, a, b);
  columnsMul(columns1, a + LANE, b + LANE);
  widen(dst);
}

/** dst = a^2 in each lane, not reduced; a of weight 2 at most. */
export function wideSqr(dst: usize, a: usize): void {
  columnsSqr(columns, a);
  columnsSqr(columns1, a + LANE);
  widen(dst);
}

/** dst = a b in Fp2, not reduced. */
export function wideFp2Mul(dst: usize, a: usize, b: usize): void {
  columnsFp2Mul(columns, a, b);
  widen(dst);
}

/** dst = a^2 in Fp2, not reduced; a of weight 2 at most. */
export function wideFp2Sqr(dst: usize, a: usize): void {
  columnsFp2Sqr(columns, a);
  widen(dst);
}

function widen(dst: usize): void {
  wordsOfColumns(dst, columns);
  wordsOfColumns(dst + WIDE_LANE, columns1);
}

/** dst = 3 a + 2 z for unreduced `a` and an element z, which joins the upper words. */
export function wideThricePlusTwice(dst: usize, a: usize, z: usize): void {
  pairAdd(twice, z, z);
  pairCarry(twice, twice);
  thriceAndTwice(dst, a);
}

/** dst = 3 a - 2 z. */
export function wideThriceMinusTwice(dst: usize, a: usize, z: usize): void {
  pairAdd(twice, z, z);
  pairNeg(twice, twice);
  pairCarry(twice, twice);
  thriceAndTwice(dst, a);
}

function thriceAndTwice(dst: usize, a: usize): void {
  for (let lane: usize = 0; lane < 2; lane++) {
    const from = a + lane * WIDE_LANE;
    const to = dst + lane * WIDE_LANE;
    for (let i: usize = 0; i < WORDS; i++) {
      store<i64>(to + 8 * i, 3 * load<i64>(from + 8 * i));
      const upper: usize = 8 * (WORDS + i);
      const rest = load<i64>(twice + lane * LANE + 8 * i);
      store<i64>(to + upper, 3 * load<i64>(from + upper) + rest);
    }
  }
}

/** The element of a sum of unreduced products. */
export function wideReduce(dst: usize, src: usize): void {
  reduceWords(dst, src);
  reduceWords(dst + LANE, src + WIDE_LANE);
}

/** The canonical integers of 6 words, least significant first, below p, as a pair. */
export function pairFromWords(dst: usize, words0: usize, words1: usize): void {
  laneFromWords(dst, words0);
  laneFromWords(dst + LANE, words1);
}

function laneFromWords(dst: usize, words: usize): void {
  let above: u64 = 0;
  for (let i: usize = 0; i < WORDS - 1; i++) {
    const word = load<u64>(words + 8 * i);
    store<u64>(integer + 8 * i, ((word << (8 * i)) | above) & WORD_MASK);
    above = word >> (56 - 8 * i);
  }
  store<u64>(integer + 8 * (WORDS - 1), above);
  columnsMul(columns, integer, MONTGOMERY_SQUARE);
  reduceColumns(dst, columns);
}

/** The canonical integer of lane `lane` of `a`, as 6 words, least significant first. */
export function pairToWords(words: usize, a: usize, lane: u32): void {
  memory.copy(extended, a + LANE * lane, 8 * WORDS);
  reduceWords(integer, extended);
  // Between -0.51 p and 0.51 p: one multiple of p makes it positive, and at most that is too much.
  let carry: i64 = 0;
  for (let i: usize = 0; i < WORDS; i++) {
    carry += load<i64>(integer + 8 * i) + load<i64>(MODULUS_DIGITS + 8 * i);
    store<i64>(integer + 8 * i, carry & WORD_MASK);
    carry >>= WORD_BITS;
  }
  for (let i: usize = 0; i < WORDS - 1; i++) {
    const digit = load<u64>(integer + 8 * i);
    const next = load<u64>(integer + 8 * i + 8);
    store<u64>(words + 8 * i, (digit >> (8 * i)) | (next << (56 - 8 * i)));
  }
  subtractWhereItFits(words);
}

// Takes p off the integer at `words` unless that is negative.
function subtractWhereItFits(words: usize): void {
  let borrow: u64 = 0;
  for (let i: usize = 0; i < 48; i += 8) {
    const value = load<u64>(words + i);
    const modulus = load<u64>(MODULUS_WORDS + i);
    const rest = value - modulus;
    store<u64>(difference + i, rest - borrow);
    borrow = u64(value < modulus) | u64(rest < borrow);
  }
  const keep: u64 = 0 - borrow;
  for (let i: usize = 0; i < 48; i += 8) {
    const value = load<u64>(words + i);
    const rest = load<u64>(difference + i);
    store<u64>(words + i, rest ^ ((rest ^ value) & keep));
  }
}

/** Lanes of `a`, as bits, that are 0 mod p. */
export function pairIsZero(a: usize): u32 {
  return isZeroLane(a, 0) | (isZeroLane(a, 1) << 1);
}

function isZeroLane(a: usize, lane: u32): u32 {
  pairToWords(canonical, a, lane);
  let any: u64 = 0;
  for (let i: usize = 0; i < 48; i += 8) any |= load<u64>(canonical + i);
  return <u32>(((any | (0 - any)) >> 63) ^ 1);
}

/** dst = 2 a. */
export function pairDbl(dst: usize, a: usize): void {
  pairAdd(dst, a, a);
}
