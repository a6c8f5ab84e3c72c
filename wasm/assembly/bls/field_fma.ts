// Two elements of Fp side by side, one in each lane of 8 vectors of doubles (128 bytes): a *pair*.
// An element of Fp2 is the pair of its coefficients. Limbs are integers of 49 bits, signed; values
// are residues mod p in Montgomery form, not canonical.
//
// Weights: a product or a reduced element has weight 1, a sum the sum of its terms' weights. The
// weights of the two factors of any product multiply to at most 16, to 15 where one was carried.
// `pairCarry` and `pairMul12` take a weight of at most 7 and give 1 and a little, a value below 0.51 p: a sum
// that feeds back into itself without a product between has to pass it (README, "Bounds").

import {
  pairAdd,
  wideFp2Mul,
  wideFp2Sqr,
  wideMul,
  wideReduce,
  wideSqr,
} from "./products";
import { INTEGER_ONE, MODULUS_WORDS, MONTGOMERY_SQUARE, THREE_MODULUS } from "./field_constants";

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
  wideFp2Mul,
  wideFp2Sqr,
  wideMul,
  wideMulXi,
  wideReduce,
  wideSqr,
  wideSub,
  wideSubBoth,
  wideThriceMinusTwice,
  wideThricePlusTwice,
} from "./products";

/** Bytes of a pair. */
export const PAIR: usize = 128;

/** Bytes of an unreduced product. */
export const WIDE: usize = 256;

const LIMBS: usize = 8;
const LIMB_BITS: i64 = 49;
const LIMB_MASK: i64 = (1 << LIMB_BITS) - 1;

const wide: usize = memory.data(256, 16);
const integer: usize = memory.data(128, 16);
const digits: usize = memory.data(64, 16);
const difference: usize = memory.data(48, 16);
const canonical: usize = memory.data(48, 16);

/** dst = a b in each lane. */
export function pairMul(dst: usize, a: usize, b: usize): void {
  wideMul(wide, a, b);
  wideReduce(dst, wide);
}

/** dst = a^2 in each lane; a of weight 2 at most. */
export function pairSqr(dst: usize, a: usize): void {
  wideSqr(wide, a);
  wideReduce(dst, wide);
}

/** dst = a b in Fp2. */
export function fp2Mul(dst: usize, a: usize, b: usize): void {
  wideFp2Mul(wide, a, b);
  wideReduce(dst, wide);
}

/** dst = a^2 in Fp2; a of weight 2 at most. */
export function fp2Sqr(dst: usize, a: usize): void {
  wideFp2Sqr(wide, a);
  wideReduce(dst, wide);
}

/** The canonical integers of 6 words, least significant first, below p, as a pair. */
export function pairFromWords(dst: usize, words0: usize, words1: usize): void {
  digitsFromWords(integer, words0);
  digitsFromWords(integer + 8, words1);
  pairMul(dst, integer, MONTGOMERY_SQUARE);
}

// Into every second double from `dst`.
function digitsFromWords(dst: usize, words: usize): void {
  for (let i: usize = 0; i < LIMBS; i++) {
    const bit = <u32>(i * 49);
    const word = bit >> 6;
    const shift = <u64>(bit & 63);
    let value = load<u64>(words + 8 * word) >> shift;
    if (shift > 15 && word < 5) value |= load<u64>(words + 8 * word + 8) << (64 - shift);
    store<f64>(dst + 16 * i, <f64>(<i64>value & LIMB_MASK));
  }
}

/** The canonical integer of lane `lane` of `a`, as 6 words, least significant first. */
export function pairToWords(words: usize, a: usize, lane: u32): void {
  // Between -2.5 p and 2.5 p.
  pairMul(integer, a, INTEGER_ONE);
  let carry: i64 = 0;
  for (let i: usize = 0; i < LIMBS; i++) {
    carry += <i64>load<f64>(integer + 16 * i + 8 * lane) + load<i64>(THREE_MODULUS + 8 * i);
    store<i64>(digits + 8 * i, carry & LIMB_MASK);
    carry >>= LIMB_BITS;
  }
  for (let i: u32 = 0; i < 6; i++) {
    const bit = i * 64;
    const digit = bit / 49;
    const shift = bit % 49;
    let value = load<u64>(digits + 8 * digit) >> shift;
    value |= load<u64>(digits + 8 * digit + 8) << (49 - shift);
    if (98 - shift < 64 && digit < 6) value |= load<u64>(digits + 8 * digit + 16) << (98 - shift);
    store<u64>(words + 8 * i, value);
  }
  // Below 6 p: 4 + 2 + 1 multiples are enough, each taken off where it fits.
  subtractWhereItFits(words, 2);
  subtractWhereItFits(words, 1);
  subtractWhereItFits(words, 0);
}

// Takes p 2^shift off the integer at `words` unless that is negative.
function subtractWhereItFits(words: usize, shift: u64): void {
  let borrow: u64 = 0;
  let below: u64 = 0;
  for (let i: usize = 0; i < 6; i++) {
    const word = load<u64>(MODULUS_WORDS + 8 * i);
    const multiple = (word << shift) | below;
    below = shift === 0 ? 0 : word >> (64 - shift);
    const value = load<u64>(words + 8 * i);
    const rest = value - multiple;
    const result = rest - borrow;
    borrow = u64(value < multiple) | u64(rest < borrow);
    store<u64>(difference + 8 * i, result);
  }
  const keep: u64 = 0 - borrow;
  for (let i: usize = 0; i < 6; i++) {
    const value = load<u64>(words + 8 * i);
    const rest = load<u64>(difference + 8 * i);
    store<u64>(words + 8 * i, rest ^ ((rest ^ value) & keep));
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
