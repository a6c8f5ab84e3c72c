// G2 on the sextic twist y^2 = x^3 + 4 (1 + u) over Fp2. Points are homogeneous, x = X / Z and
// y = Y / Z, three pairs; the identity is (0 : 1 : 0). The complete formulas of Renes, Costello and
// Batina (2015, algorithms 7 and 9) have no exceptional case on it: its order is odd. Coordinates
// have weight 1.

import { FP2_ONE, PSI_X, PSI_Y, TWIST_B, X_MAGNITUDE } from "./curve_constants";
import {
  fp2Conj,
  fp2Mul,
  fp2MulXi,
  fp2Sqr,
  PAIR,
  pairAdd,
  pairCopy,
  pairDbl,
  pairIsZero,
  pairMul12,
  pairNeg,
  pairSub,
  pairZero,
  WIDE,
  wideAdd,
  wideFp2Mul,
  wideFp2Sqr,
  wideReduce,
  wideSub,
} from "./field";
import { fp2Inverse } from "./fp2";

/** Bytes of a point. */
export const G2: usize = 3 * PAIR;

/** Bytes of an affine point other than the identity: x, then y. */
export const AFFINE_G2: usize = 2 * PAIR;

const Y: usize = PAIR;
const Z: usize = 2 * PAIR;

// In one piece, to be wiped.
const SCRATCH_BYTES: usize = 7 * 128 + 2 * 256;
const t0: usize = memory.data(7 * 128 + 2 * 256, 16);
const t1: usize = t0 + PAIR;
const t2: usize = t0 + 2 * PAIR;
const t3: usize = t0 + 3 * PAIR;
const t4: usize = t0 + 4 * PAIR;
const t5: usize = t0 + 5 * PAIR;
const t6: usize = t0 + 6 * PAIR;
const wide0: usize = t0 + 7 * PAIR;
const wide1: usize = wide0 + WIDE;
const multiple: usize = memory.data(384, 16);
const image: usize = memory.data(384, 16);

/** dst = the identity. */
export function g2Identity(dst: usize): void {
  pairZero(dst);
  pairCopy(dst + Y, FP2_ONE);
  pairZero(dst + Z);
}

/** dst = the point of affine coordinates. */
export function g2FromAffine(dst: usize, affine: usize): void {
  memory.copy(dst, affine, AFFINE_G2);
  pairCopy(dst + Z, FP2_ONE);
}

// dst = 3 b a, with 3 b = 12 (1 + u); `a` of weight 3 at most.
function mul3b(dst: usize, a: usize): void {
  fp2MulXi(dst, a);
  pairMul12(dst, dst);
}

// dst = (p_i + p_j)(q_i + q_j) - x - y: weight 3.
function crossTerm(dst: usize, p: usize, q: usize, i: usize, j: usize, x: usize, y: usize): void {
  pairAdd(t5, p + i, p + j);
  pairAdd(t6, q + i, q + j);
  fp2Mul(dst, t5, t6);
  pairSub(dst, dst, x);
  pairSub(dst, dst, y);
}

/** dst = p + q. */
export function g2Add(dst: usize, p: usize, q: usize): void {
  fp2Mul(t0, p, q);
  fp2Mul(t1, p + Y, q + Y);
  fp2Mul(t2, p + Z, q + Z);
  crossTerm(t3, p, q, 0, Y, t0, t1);
  crossTerm(t4, p, q, Y, Z, t1, t2);
  crossTerm(dst, p, q, 0, Z, t0, t2);
  const t7 = t5;
  mul3b(t7, dst);
  pairDbl(t6, t0);
  pairAdd(t0, t6, t0);
  mul3b(t6, t2);
  // t0 = 3 X1 X2, t1 = Y1 Y2 - 3 b Z1 Z2, t2 = Y1 Y2 + 3 b Z1 Z2, t7 = 3 b (X1 Z2 + X2 Z1)
  pairAdd(t2, t1, t6);
  pairSub(t1, t1, t6);
  wideFp2Mul(wide0, t3, t1);
  wideFp2Mul(wide1, t4, t7);
  wideSub(wide0, wide0, wide1);
  wideReduce(dst, wide0);
  wideFp2Mul(wide0, t1, t2);
  wideFp2Mul(wide1, t7, t0);
  wideAdd(wide0, wide0, wide1);
  wideReduce(dst + Y, wide0);
  wideFp2Mul(wide0, t2, t4);
  wideFp2Mul(wide1, t0, t3);
  wideAdd(wide0, wide0, wide1);
  wideReduce(dst + Z, wide0);
}

/** dst = 2 p. */
export function g2Double(dst: usize, p: usize): void {
  fp2Sqr(t0, p + Y);
  fp2Mul(t1, p + Y, p + Z);
  fp2Sqr(t2, p + Z);
  fp2Mul(t3, p, p + Y);
  mul3b(t4, t2);
  // t0 = Y^2, t4 = 3 b Z^2, t5 = 8 Y^2
  pairDbl(t5, t0);
  pairDbl(t5, t5);
  pairDbl(t5, t5);
  fp2Mul(dst + Z, t1, t5);
  pairAdd(t2, t0, t4);
  pairDbl(t6, t4);
  pairAdd(t6, t6, t4);
  pairSub(t0, t0, t6);
  wideFp2Mul(wide0, t4, t5);
  wideFp2Mul(wide1, t0, t2);
  wideAdd(wide0, wide0, wide1);
  wideReduce(dst + Y, wide0);
  pairDbl(t3, t3);
  fp2Mul(dst, t0, t3);
}

/** Whether p is the identity. */
export function g2IsIdentity(p: usize): bool {
  return pairIsZero(p + Z) === 3;
}

/** Whether p and q are one point. */
export function g2Equal(p: usize, q: usize): bool {
  for (let i: usize = 0; i < Z; i += PAIR) {
    wideFp2Mul(wide0, p + i, q + Z);
    wideFp2Mul(wide1, q + i, p + Z);
    wideSub(wide0, wide0, wide1);
    wideReduce(t0, wide0);
    if (pairIsZero(t0) !== 3) return false;
  }
  return g2IsIdentity(p) === g2IsIdentity(q);
}

/** dst = affine coordinates of p, which is not the identity. */
export function g2ToAffine(dst: usize, p: usize): void {
  fp2Inverse(t3, p + Z);
  fp2Mul(dst, p, t3);
  fp2Mul(dst + Y, p + Y, t3);
}

/** Whether (x, y) satisfies the curve's equation. */
export function g2IsOnCurve(affine: usize): bool {
  fp2Sqr(t0, affine);
  fp2Mul(t1, t0, affine);
  pairAdd(t1, t1, TWIST_B);
  wideFp2Sqr(wide0, affine + Y);
  wideReduce(t0, wide0);
  pairSub(t0, t0, t1);
  return pairIsZero(t0) === 3;
}

// dst = |x| p; p is not the identity's alias of dst.
function multiplyByMagnitude(dst: usize, p: usize): void {
  const magnitude = load<u64>(X_MAGNITUDE);
  memory.copy(dst, p, G2);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    g2Double(dst, dst);
    if ((magnitude >> <u64>bit) & 1) g2Add(dst, dst, p);
  }
}

// dst = psi(p): untwist, Frobenius, twist.
function psi(dst: usize, p: usize): void {
  fp2Conj(t0, p);
  fp2Mul(dst, t0, PSI_X);
  fp2Conj(t0, p + Y);
  fp2Mul(dst + Y, t0, PSI_Y);
  fp2Conj(dst + Z, p + Z);
}

/**
 * Whether a point of the curve is in the subgroup of order r: psi(p) = x p (Scott, "A note on group
 * membership tests for G1, G2 and GT on BLS pairing-friendly curves", 2021, section 4).
 */
export function g2IsInSubgroup(p: usize): bool {
  multiplyByMagnitude(multiple, p);
  pairNeg(multiple + Y, multiple + Y);
  psi(image, p);
  return g2Equal(multiple, image);
}

/** Wipes what the last operations left in the scratch of this file, of products and of comparisons. */
export function g2Wipe(): void {
  memory.fill(t0, 0, SCRATCH_BYTES);
  fp2Mul(t0, FP2_ONE, FP2_ONE);
  pairIsZero(t0);
}
