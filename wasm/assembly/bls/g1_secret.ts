// Multiplication of a point by a secret. No branch and no address depends on the scalar: digits are
// split without comparisons that branch, tables are read whole, and the sums are complete.
//
// With k = k1 + k2 x^2, x of the curve family, and x^2 P = -phi(P) for P of order r, k P is the sum
// of k1 P and k2 (-phi(P)) (Gallant, Lambert and Vanstone, 2001; the endomorphism of `g1.ts`): two
// scalars of 128 bits, one in each lane, in one run.

import { X_SQUARED } from "./curve_constants";
import {
  POINT,
  g1Add,
  g1Choose,
  g1Copy,
  g1Double,
  g1Endomorphism,
  g1Identity,
  g1Merge,
  g1Neg,
  g1Swap,
  g1ToAffine,
  g1Wipe,
} from "./g1";

const SCALAR_BITS: u32 = 256;

/** Digits are of 4 bits, in [-8, 8], and take 32 places and a carry. */
const WINDOW: u32 = 4;
const WINDOWS: usize = 33;
const TABLE_POINTS: u32 = 9;

// 0 to 8 times both points: public.
const table: usize = memory.data(9 * 384, 16);
const points: usize = memory.data(384, 16);

// All data derived from the scalar, contiguous to be wiped: k1, k2; digits of both; points.
const SECRET_BYTES: usize = 32 + 2 * 40 + 3 * 384;
const secret: usize = memory.data(32 + 2 * 40 + 3 * 384, 16);
const remainder: usize = secret;
const quotient: usize = secret + 16;
const digits0: usize = secret + 32;
const digits1: usize = secret + 72;
const selected: usize = secret + 112;
const negated: usize = secret + 496;
const sum: usize = secret + 880;

/**
 * dst = k a, affine, in both lanes, for the scalar of 4 words, least significant first, 0 < k < r;
 * `a` in both lanes and of order r. Homogeneous coordinates would leak information about k
 * (Naccache, Smart and Stern, 2004), so they are wiped.
 */
export function g1MultiplySecret(dst: usize, a: usize, scalar: usize): void {
  g1Endomorphism(points, a);
  g1Neg(points, points);
  g1Merge(points, a, points);
  fillTable();
  divideBySquare(scalar);
  splitDigits(digits0, remainder);
  splitDigits(digits1, quotient);
  g1Identity(sum);
  for (let w = WINDOWS; w-- > 0;) {
    for (let bit: u32 = 0; bit < WINDOW; bit++) g1Double(sum, sum);
    select(<i32>load<i8>(digits0 + w), <i32>load<i8>(digits1 + w));
    g1Add(sum, sum, selected);
  }
  g1Swap(selected, sum);
  g1Add(sum, sum, selected);
  g1ToAffine(dst, sum);
  memory.fill(secret, 0, SECRET_BYTES);
  g1Wipe();
}

function fillTable(): void {
  g1Identity(table);
  g1Copy(table + POINT, points);
  for (let i: usize = 2; i < TABLE_POINTS; i += 2) {
    g1Double(table + i * POINT, table + (i >> 1) * POINT);
    if (i + 1 < TABLE_POINTS) g1Add(table + (i + 1) * POINT, table + i * POINT, points);
  }
}

// remainder + quotient x^2 = k, bit by bit. x^2 has 128 bits, so the doubled remainder has 129.
function divideBySquare(scalar: usize): void {
  const low = load<u64>(X_SQUARED);
  const high = load<u64>(X_SQUARED, 8);
  let r0: u64 = 0, r1: u64 = 0, q0: u64 = 0, q1: u64 = 0;
  for (let bit = SCALAR_BITS; bit-- > 0;) {
    const top = r1 >> 63;
    r1 = (r1 << 1) | (r0 >> 63);
    r0 = (r0 << 1) | ((load<u64>(scalar + ((bit >> 6) << 3)) >> (bit & 63)) & 1);
    const d0 = r0 - low;
    const b0 = borrowOf(r0, low, d0);
    const d1 = r1 - high - b0;
    // It fits where the difference does not borrow from the bit above.
    const fits = top | (borrowOf(r1, high, d1) ^ 1);
    const mask: u64 = 0 - fits;
    r0 ^= (r0 ^ d0) & mask;
    r1 ^= (r1 ^ d1) & mask;
    q1 = (q1 << 1) | (q0 >> 63);
    q0 = (q0 << 1) | fits;
  }
  store<u64>(remainder, r0);
  store<u64>(remainder, r1, 8);
  store<u64>(quotient, q0);
  store<u64>(quotient, q1, 8);
}

// The borrow of difference = a - b, or of a - b - 1 where that is the difference.
// @ts-ignore: decorator
@inline
function borrowOf(a: u64, b: u64, difference: u64): u64 {
  return ((~a & b) | (~(a ^ b) & difference)) >> 63;
}

// Digits from the least significant, a signed byte each: those above 8 become negative and carry.
function splitDigits(digits: usize, scalar: usize): void {
  let carry: i32 = 0;
  for (let w: u32 = 0; w < <u32>WINDOWS - 1; w++) {
    const word = load<u64>(scalar + ((w >> 4) << 3));
    const digit = (<i32>(word >> ((w & 15) << 2)) & 15) + carry;
    carry = (8 - digit) >>> 31;
    store<i8>(digits + w, digit - (carry << 4));
  }
  store<i8>(digits + WINDOWS - 1, carry);
}

// selected = d0 and d1 times the points in their lanes: by masks over the whole table.
function select(d0: i32, d1: i32): void {
  const sign0 = d0 >> 31;
  const sign1 = d1 >> 31;
  const index0 = (d0 ^ sign0) - sign0;
  const index1 = (d1 ^ sign1) - sign1;
  for (let i: i32 = 0; i < <i32>TABLE_POINTS; i++) {
    const lanes = isZero(index0 ^ i) | (isZero(index1 ^ i) << 1);
    g1Choose(selected, table + <usize>i * POINT, selected, lanes);
  }
  g1Neg(negated, selected);
  g1Choose(selected, negated, selected, <u32>(sign0 & 1) | (<u32>(sign1 & 1) << 1));
}

// 1 for 0, and 0 for what is between 1 and 15.
// @ts-ignore: decorator
@inline
function isZero(value: i32): u32 {
  return <u32>(value - 1) >>> 31;
}
