// Points of E: y^2 = x^3 + 4 over Fp, two at once, one in each lane: the pairs X, Y, Z of
// homogeneous coordinates x = X / Z, y = Y / Z; the identity is (0 : 1 : 0). An affine pair of
// points is the pairs x, y and has no identity.
//
// The formulas are the complete ones of Renes, Costello and Batina (eprint 2015/1060, section 3.2,
// a = 0): they hold for every two points of a group of odd order, as E(Fp) is, so that no lane ever
// asks which case it has. Coordinates have weight 1 before and after every operation.

import { BETA, CURVE_B, ONE } from "./curve_constants";
import {
  PAIR,
  WIDE,
  pairAdd,
  pairChoose,
  pairCopy,
  pairDbl,
  pairIsZero,
  pairMerge,
  pairMul,
  pairMul12,
  pairNeg,
  pairSqr,
  pairSub,
  pairSwap,
  pairZero,
  wideAdd,
  wideMul,
  wideReduce,
  wideSub,
} from "./field";
import { pairInverse } from "./inverse";
import { pairEqualLanes } from "./words";

/** Bytes of two points, X, Y and Z. */
export const POINT: usize = 3 * PAIR;

/** Bytes of two affine points, x and y. */
export const AFFINE: usize = 2 * PAIR;

/** Where Y and Z are. */
export const Y: usize = PAIR;
export const Z: usize = 2 * PAIR;

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

/** dst = a + b. Algorithm 7. */
export function g1Add(dst: usize, a: usize, b: usize): void {
  // X1 X2, Y1 Y2, Z1 Z2.
  pairMul(t0, a, b);
  pairMul(t1, a + Y, b + Y);
  pairMul(t2, a + Z, b + Z);
  // X1 Y2 + X2 Y1, Y1 Z2 + Y2 Z1, X1 Z2 + X2 Z1, of weight 3 each.
  crossProduct(t3, a, a + Y, b, b + Y, t0, t1);
  crossProduct(t4, a + Y, a + Z, b + Y, b + Z, t1, t2);
  crossProduct(t5, a, a + Z, b, b + Z, t0, t2);
  pairMul12(t2, t2);
  pairMul12(t5, t5);
  finishSum(dst);
}

/** dst = a + b for an affine b. Algorithm 8. */
export function g1AddAffine(dst: usize, a: usize, b: usize): void {
  pairMul(t0, a, b);
  pairMul(t1, a + Y, b + Y);
  crossProduct(t3, a, a + Y, b, b + Y, t0, t1);
  // With Z2 = 1, of weight 2.
  pairMul(t4, b + Y, a + Z);
  pairAdd(t4, t4, a + Y);
  pairMul(t5, b, a + Z);
  pairAdd(t5, t5, a);
  pairMul12(t2, a + Z);
  pairMul12(t5, t5);
  finishSum(dst);
}

// dst = u1 v2 + u2 v1 = (u1 + v1) (u2 + v2) - u1 u2 - v1 v2; weights 2 2.
// @ts-ignore: decorator
@inline
function crossProduct(
  dst: usize,
  u1: usize,
  v1: usize,
  u2: usize,
  v2: usize,
  u12: usize,
  v12: usize,
): void {
  pairAdd(dst, u1, v1);
  pairAdd(t6, u2, v2);
  pairMul(dst, dst, t6);
  pairSub(dst, dst, u12);
  pairSub(dst, dst, v12);
}

// The common end of both sums, from t0 = X1 X2, t1 = Y1 Y2, t2 = 12 Z1 Z2, t3 = X1 Y2 + X2 Y1,
// t4 = Y1 Z2 + Y2 Z1, t5 = 12 (X1 Z2 + X2 Z1); weights 1 1 1 3 3 1.
function finishSum(dst: usize): void {
  pairDbl(t6, t0);
  pairAdd(t0, t0, t6);
  pairAdd(t6, t1, t2);
  pairSub(t1, t1, t2);
  // Now t0 = 3 X1 X2, t1 = Y1 Y2 - 12 Z1 Z2, t6 = Y1 Y2 + 12 Z1 Z2; weights 3 2 2.
  wideMul(wide0, t3, t1); // 6
  wideMul(wide1, t4, t5); // 3
  wideSub(wide0, wide0, wide1);
  wideReduce(dst, wide0);
  wideMul(wide0, t1, t6); // 4
  wideMul(wide1, t5, t0); // 3
  wideAdd(wide0, wide0, wide1);
  wideReduce(dst + Y, wide0);
  wideMul(wide0, t6, t4); // 6
  wideMul(wide1, t0, t3); // 9
  wideAdd(wide0, wide0, wide1);
  wideReduce(dst + Z, wide0);
}

/** dst = 2 a. Algorithm 9. */
export function g1Double(dst: usize, a: usize): void {
  pairSqr(t0, a + Y);
  pairMul(t1, a + Y, a + Z);
  pairSqr(t2, a + Z);
  pairMul12(t2, t2);
  pairMul(t3, a, a + Y);
  pairDbl(t3, t3);
  // 8 Y^2.
  pairDbl(t4, t0);
  pairDbl(t4, t4);
  pairDbl(t4, t4);
  pairMul(dst + Z, t1, t4); // 1 8
  pairAdd(t5, t0, t2);
  // Y^2 - 36 Z^2.
  pairSub(t0, t0, t2);
  pairSub(t0, t0, t2);
  pairSub(t0, t0, t2);
  wideMul(wide0, t0, t5); // 4 2
  wideMul(wide1, t2, t4); // 1 8
  wideAdd(wide0, wide0, wide1);
  wideReduce(dst + Y, wide0);
  pairMul(dst, t0, t3); // 4 2
}

/** dst = -a. */
export function g1Neg(dst: usize, a: usize): void {
  pairCopy(dst, a);
  pairNeg(dst + Y, a + Y);
  pairCopy(dst + Z, a + Z);
}

/** dst = -a, both affine. */
export function g1NegAffine(dst: usize, a: usize): void {
  pairCopy(dst, a);
  pairNeg(dst + Y, a + Y);
}

/** dst = (beta x, y): -x^2 a where `a` is of order r (eprint 2021/1130), x of the curve family. */
export function g1Endomorphism(dst: usize, a: usize): void {
  pairMul(dst, a, BETA);
  pairCopy(dst + Y, a + Y);
  pairCopy(dst + Z, a + Z);
}

export function g1Copy(dst: usize, a: usize): void {
  pairCopy(dst, a);
  pairCopy(dst + Y, a + Y);
  pairCopy(dst + Z, a + Z);
}

/** The identity in both lanes. */
export function g1Identity(dst: usize): void {
  pairZero(dst);
  pairCopy(dst + Y, ONE);
  pairZero(dst + Z);
}

export function g1FromAffine(dst: usize, a: usize): void {
  pairCopy(dst, a);
  pairCopy(dst + Y, a + Y);
  pairCopy(dst + Z, ONE);
}

/** Lane l of dst is that of `a` where bit l of `lanes` is set, and of `b` otherwise: by masks. */
export function g1Choose(dst: usize, a: usize, b: usize, lanes: u32): void {
  pairChoose(dst, a, b, lanes);
  pairChoose(dst + Y, a + Y, b + Y, lanes);
  pairChoose(dst + Z, a + Z, b + Z, lanes);
}

/** Lane 0 of `a` and lane 1 of `b`. */
export function g1Merge(dst: usize, a: usize, b: usize): void {
  pairMerge(dst, a, b);
  pairMerge(dst + Y, a + Y, b + Y);
  pairMerge(dst + Z, a + Z, b + Z);
}

export function g1Swap(dst: usize, a: usize): void {
  pairSwap(dst, a);
  pairSwap(dst + Y, a + Y);
  pairSwap(dst + Z, a + Z);
}

/** dst = a in affine coordinates, (0, 0) for the identity; the inversions of both lanes are one. */
export function g1ToAffine(dst: usize, a: usize): void {
  pairInverse(t0, a + Z);
  pairMul(dst, a, t0);
  pairMul(dst + Y, a + Y, t0);
}

/**
 * dst = `count` pairs of points in affine coordinates, by one inversion (Montgomery's trick). False,
 * and dst worth nothing, where any of them is the identity; dst and points apart.
 */
export function g1ManyToAffine(dst: usize, points: usize, count: u32): bool {
  if (count === 0) return true;
  // The product of all Z before each point stands where its x will.
  pairCopy(t1, ONE);
  for (let i: usize = 0; i < count; i++) {
    pairCopy(dst + i * AFFINE, t1);
    pairMul(t1, t1, points + i * POINT + Z);
  }
  if (pairIsZero(t1) !== 0) return false;
  pairInverse(t0, t1);
  for (let i: usize = count; i-- > 0;) {
    const point = points + i * POINT;
    const affine = dst + i * AFFINE;
    pairMul(t1, t0, affine);
    pairMul(t0, t0, point + Z);
    pairMul(affine, point, t1);
    pairMul(affine + Y, point + Y, t1);
  }
  return true;
}

/** The lanes of `a` that are the identity. */
export function g1IdentityLanes(a: usize): u32 {
  return pairIsZero(a + Z);
}

/** The lanes in which a = b. */
export function g1EqualLanes(a: usize, b: usize): u32 {
  pairMul(t0, a, b + Z);
  pairMul(t1, b, a + Z);
  pairMul(t2, a + Y, b + Z);
  pairMul(t3, b + Y, a + Z);
  // Where only one of them is the identity, the products with its Y differ.
  return pairEqualLanes(t0, t1) & pairEqualLanes(t2, t3);
}

/** dst = x^3 + 4, of weight 2. */
export function g1CurveSide(dst: usize, x: usize): void {
  pairSqr(t2, x);
  pairMul(t2, t2, x);
  pairAdd(dst, t2, CURVE_B);
}

/** Wipes what the last operations left in the scratch of this file, of products and of comparisons. */
export function g1Wipe(): void {
  memory.fill(t0, 0, SCRATCH_BYTES);
  pairMul(t0, ONE, ONE);
  pairIsZero(t0);
}
