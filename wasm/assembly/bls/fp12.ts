// Fp12 = Fp6[w] / (w^2 - v): two elements of Fp6, the coefficient of 1 first. Coefficients of every
// element that is kept have weight 1.

import { FROBENIUS, FROBENIUS_SQUARED } from "./curve_constants";
import {
  fp2Conj,
  fp2Mul,
  fp2MulXi,
  PAIR,
  pairAdd,
  pairCarry,
  pairCopy,
  pairMul,
  pairNeg,
  WIDE,
  wideAdd,
  wideAddXi,
  wideFp2Mul,
  wideFp2Sqr,
  wideMulXi,
  wideReduce,
  wideSub,
  wideSubBoth,
  wideThriceMinusTwice,
  wideThricePlusTwice,
} from "./field";
import { fp2Inverse } from "./fp2";
import {
  FP6,
  fp6Add,
  fp6Reduce,
  wideFp6Add,
  wideFp6AddShifted,
  wideFp6Mul,
  wideFp6MulUpper,
  wideFp6Sub,
  wideFp6SubBoth,
} from "./fp6";

/** Bytes of an element. */
export const FP12: usize = 2 * FP6;

const sumA: usize = memory.data(384, 16);
const sumB: usize = memory.data(384, 16);
const low: usize = memory.data(768, 16);
const high: usize = memory.data(768, 16);
const cross: usize = memory.data(768, 16);
const norm: usize = memory.data(384, 16);

/** dst = a. */
export function fp12Copy(dst: usize, a: usize): void {
  memory.copy(dst, a, FP12);
}

// With a0 b0 in `low`, a1 b1 in `high` and (a0 + a1)(b0 + b1) in `cross`.
function finishKaratsuba(dst: usize): void {
  wideFp6SubBoth(cross, cross, low, high);
  fp6Reduce(dst + FP6, cross);
  wideFp6AddShifted(low, low, high);
  fp6Reduce(dst, low);
}

/** dst = a b. */
export function fp12Mul(dst: usize, a: usize, b: usize): void {
  fp6Add(sumA, a, a + FP6);
  fp6Add(sumB, b, b + FP6);
  wideFp6Mul(cross, sumA, sumB);
  wideFp6Mul(low, a, b);
  wideFp6Mul(high, a + FP6, b + FP6);
  finishKaratsuba(dst);
}

/** dst = a b for b = b0 + b1 w with b1 = c1 v + c2 v^2: the five pairs of b0, c1, c2 at `b`. */
export function fp12MulSparse(dst: usize, a: usize, b: usize): void {
  fp6Add(sumA, a, a + FP6);
  pairCopy(sumB, b);
  pairAdd(sumB + PAIR, b + PAIR, b + 3 * PAIR);
  pairAdd(sumB + 2 * PAIR, b + 2 * PAIR, b + 4 * PAIR);
  wideFp6Mul(cross, sumA, sumB);
  wideFp6Mul(low, a, b);
  wideFp6MulUpper(high, a + FP6, b + 3 * PAIR);
  finishKaratsuba(dst);
}

/** dst = a^2: with t = a0 a1, (a0 + a1)(a0 + v a1) - t - v t + 2 t w. */
export function fp12Sqr(dst: usize, a: usize): void {
  const a1 = a + FP6;
  fp6Add(sumA, a, a1);
  // Weights 3, 2, 2; the first is carried, so that sums of two weigh at most 4.
  fp2MulXi(sumB, a1 + 2 * PAIR);
  pairAdd(sumB, sumB, a);
  pairCarry(sumB, sumB);
  pairAdd(sumB + PAIR, a + PAIR, a1);
  pairAdd(sumB + 2 * PAIR, a + 2 * PAIR, a1 + PAIR);
  wideFp6Mul(low, sumA, sumB);
  wideFp6Mul(high, a, a1);
  wideFp6Sub(low, low, high);
  wideFp6Add(cross, high, high);
  fp6Reduce(dst + FP6, cross);
  // low - v t
  wideMulXi(high + 2 * WIDE, high + 2 * WIDE);
  wideSub(low, low, high + 2 * WIDE);
  wideSub(low + WIDE, low + WIDE, high);
  wideSub(low + 2 * WIDE, low + 2 * WIDE, high + WIDE);
  fp6Reduce(dst, low);
}

/** dst = a^(p^6): a0 - a1 w. In the cyclotomic subgroup that is the inverse. */
export function fp12Conj(dst: usize, a: usize): void {
  if (dst !== a) memory.copy(dst, a, FP6);
  for (let i: usize = FP6; i < FP12; i += PAIR) pairNeg(dst + i, a + i);
}

const t0: usize = memory.data(128, 16);
const t1: usize = memory.data(128, 16);
const t2: usize = memory.data(128, 16);
const wide: usize = memory.data(256, 16);

// dst = x y + z w, all in Fp2.
function fp2ProductSum(dst: usize, x: usize, y: usize, z: usize, w: usize): void {
  wideFp2Mul(wide, x, y);
  wideFp2Mul(cross, z, w);
  wideAdd(wide, wide, cross);
  wideReduce(dst, wide);
}

// dst = 1 / a in Fp6, by the adjoint over the norm; a of weight 1.
function fp6Inverse(dst: usize, a: usize): void {
  const a1 = a + PAIR;
  const a2 = a + 2 * PAIR;
  // A = a0^2 - xi a1 a2, B = xi a2^2 - a0 a1, C = a1^2 - a0 a2
  wideFp2Mul(cross, a1, a2);
  wideMulXi(cross, cross);
  wideFp2Sqr(wide, a);
  wideSub(wide, wide, cross);
  wideReduce(t0, wide);
  wideFp2Sqr(wide, a2);
  wideMulXi(wide, wide);
  wideFp2Mul(cross, a, a1);
  wideSub(wide, wide, cross);
  wideReduce(t1, wide);
  wideFp2Sqr(wide, a1);
  wideFp2Mul(cross, a, a2);
  wideSub(wide, wide, cross);
  wideReduce(t2, wide);
  // The norm: a0 A + xi (a2 B + a1 C)
  fp2ProductSum(norm, a2, t1, a1, t2);
  fp2MulXi(norm, norm);
  fp2Mul(norm + PAIR, a, t0);
  pairAdd(norm, norm, norm + PAIR);
  pairCarry(norm, norm);
  fp2Inverse(norm, norm);
  fp2Mul(dst, t0, norm);
  fp2Mul(dst + PAIR, t1, norm);
  fp2Mul(dst + 2 * PAIR, t2, norm);
}

/** dst = 1 / a, and 0 for 0: (a0 - a1 w) / (a0^2 - v a1^2). */
export function fp12Inverse(dst: usize, a: usize): void {
  wideFp6Mul(low, a, a);
  wideFp6Mul(high, a + FP6, a + FP6);
  wideMulXi(high + 2 * WIDE, high + 2 * WIDE);
  wideSub(low, low, high + 2 * WIDE);
  wideSub(low + WIDE, low + WIDE, high);
  wideSub(low + 2 * WIDE, low + 2 * WIDE, high + WIDE);
  fp6Reduce(sumA, low);
  fp6Inverse(sumB, sumA);
  wideFp6Mul(low, a, sumB);
  wideFp6Mul(high, a + FP6, sumB);
  fp6Reduce(dst, low);
  fp6Reduce(dst + FP6, high);
  for (let i: usize = FP6; i < FP12; i += PAIR) pairNeg(dst + i, dst + i);
}

// The coefficient of v^i w^j stands at place i + 3 j and takes the factor of w^(2 i + j).
function exponentAt(place: usize): usize {
  return place < 3 ? 2 * place : 2 * (place - 3) + 1;
}

/** dst = a^p. */
export function fp12Frobenius(dst: usize, a: usize): void {
  for (let place: usize = 0; place < 6; place++) {
    const exponent = exponentAt(place);
    fp2Conj(t0, a + place * PAIR);
    if (exponent === 0) pairCopy(dst, t0);
    else fp2Mul(dst + place * PAIR, t0, FROBENIUS + (exponent - 1) * PAIR);
  }
}

/** dst = a^(p^2). */
export function fp12FrobeniusSquared(dst: usize, a: usize): void {
  for (let place: usize = 0; place < 6; place++) {
    const exponent = exponentAt(place);
    const factor = FROBENIUS_SQUARED + (exponent - 1) * PAIR;
    if (exponent === 0) pairCopy(dst, a);
    else pairMul(dst + place * PAIR, a + place * PAIR, factor);
  }
}

const squareA: usize = memory.data(256, 16);
const squareB: usize = memory.data(256, 16);
const mixed: usize = memory.data(256, 16);
const first: usize = memory.data(128, 16);
const second: usize = memory.data(128, 16);

// (a + b s)^2 = `squareA` + `mixed` s in Fp4 = Fp2[s] / (s^2 - xi), not reduced; a and b of weight 1.
function fp4Sqr(a: usize, b: usize): void {
  wideFp2Sqr(squareA, a);
  wideFp2Sqr(squareB, b);
  pairAdd(t0, a, b);
  wideFp2Sqr(mixed, t0);
  wideSubBoth(mixed, mixed, squareA, squareB);
  wideAddXi(squareA, squareA, squareB);
}

// dst = 3 t - 2 z for an unreduced t, which is lost.
function thriceMinusTwice(dst: usize, t: usize, z: usize): void {
  wideThriceMinusTwice(t, t, z);
  wideReduce(dst, t);
}

// dst = 3 t + 2 z.
function thricePlusTwice(dst: usize, t: usize, z: usize): void {
  wideThricePlusTwice(t, t, z);
  wideReduce(dst, t);
}

/**
 * dst = a^2 for a in the cyclotomic subgroup, a^(p^4 - p^2 + 1) = 1 (Granger and Scott, "Faster
 * squaring in the cyclotomic subgroup of sixth degree extensions", 2010).
 */
export function fp12CyclotomicSqr(dst: usize, a: usize): void {
  const g0: usize = 0;
  const g1: usize = PAIR;
  const g2: usize = 2 * PAIR;
  const h0: usize = 3 * PAIR;
  const h1: usize = 4 * PAIR;
  const h2: usize = 5 * PAIR;
  fp4Sqr(a + g0, a + h1);
  thriceMinusTwice(dst + g0, squareA, a + g0);
  thricePlusTwice(dst + h1, mixed, a + h1);
  // The squares of the other two change places, and dst may be a.
  fp4Sqr(a + g1, a + h2);
  wideMulXi(mixed, mixed);
  thriceMinusTwice(first, squareA, a + g2);
  thricePlusTwice(second, mixed, a + h0);
  fp4Sqr(a + h0, a + g2);
  thriceMinusTwice(dst + g1, squareA, a + g1);
  thricePlusTwice(dst + h2, mixed, a + h2);
  pairCopy(dst + g2, first);
  pairCopy(dst + h0, second);
}
