// The compressed encoding of G2 (the "ZCash" format; draft-irtf-pairing-friendly-curves appendix C):
// 96 bytes, x as its coefficient of u and then that of 1, with three flags in the first byte.

import { EXPONENT_ROOT, HALF, TWIST_B } from "./curve_constants";
import {
  fp2Mul,
  fp2Sqr,
  PAIR,
  pairAdd,
  pairFromWords,
  pairIsZero,
  pairMerge,
  pairMul,
  pairNeg,
  pairSplat0,
  pairSplat1,
  pairSqr,
  pairSub,
  pairSwap,
  pairToWords,
  pairZero,
} from "./field";
import { g2FromAffine, g2IsInSubgroup } from "./g2";
import { pairPower, pairRoot } from "./pair_power";
import { bytesFromWords, INTEGER_BYTES, isCanonical, upperHalf, wordsFromBytes } from "./words";

/** Bytes of an encoding. */
export const G2_ENCODING: usize = 2 * INTEGER_BYTES;

const COMPRESSED: u32 = 0x80;
const IDENTITY: u32 = 0x40;
const UPPER_BIT: u32 = 5;

const words0: usize = memory.data(48, 16);
const words1: usize = memory.data(48, 16);
const first: usize = memory.data(48, 16);
const square: usize = memory.data(128, 16);
const norm: usize = memory.data(128, 16);
const halves: usize = memory.data(128, 16);
const inverses: usize = memory.data(128, 16);
const roots: usize = memory.data(128, 16);
const check: usize = memory.data(128, 16);
const point: usize = memory.data(384, 16);

// dst = a root of `a` in Fp2 where it has one. With s^2 the norm of a, one of t = (a0 + s) / 2 and
// (a0 - s) / 2 is a square, and x0 = sqrt(t), x1 = a1 / (2 x0) is a root: both are tried at once.
function fp2Root(dst: usize, a: usize): void {
  pairSqr(norm, a);
  pairSwap(check, norm);
  pairAdd(norm, norm, check);
  pairRoot(roots, norm);
  pairSplat0(halves, a);
  pairAdd(check, halves, roots);
  pairSub(halves, halves, roots);
  pairMerge(halves, check, halves);
  pairMul(halves, halves, HALF);
  // inverses = t^((p - 3) / 4), the inverse of the root of a square t.
  pairPower(inverses, halves, EXPONENT_ROOT);
  pairMul(roots, halves, inverses);
  pairSplat1(norm, a);
  pairMul(inverses, inverses, norm);
  pairMul(inverses, inverses, HALF);
  pairSqr(check, roots);
  pairSub(check, check, halves);
  if (pairIsZero(check) & 1) {
    pairSwap(inverses, inverses);
    pairMerge(dst, roots, inverses);
  } else {
    pairSwap(roots, roots);
    pairMerge(dst, roots, inverses);
  }
}

// The same for a in Fp: its root, or u times that of -a.
function fp2RootOfFp(dst: usize, a: usize): void {
  pairNeg(check, a);
  pairSwap(check, check);
  pairMerge(halves, a, check);
  pairRoot(roots, halves);
  pairSqr(check, roots);
  pairSub(check, check, halves);
  pairZero(halves);
  if (pairIsZero(check) & 1) pairMerge(dst, roots, halves);
  else pairMerge(dst, halves, roots);
}

// 1 where y is the larger of y and -y: by the coefficient of u, or that of 1 where it is 0.
function isUpper(y: usize): u32 {
  pairToWords(words1, y, 1);
  if (pairIsZero(y) & 2) pairToWords(words1, y, 0);
  return upperHalf(words1);
}

/**
 * The affine point of 96 bytes: canonical, on the curve, in the subgroup of order r and not the
 * identity. Otherwise false, and `affine` is undefined.
 */
export function g2Decode(affine: usize, bytes: usize): bool {
  const flags = <u32> load<u8>(bytes);
  if ((flags & COMPRESSED) === 0 || (flags & IDENTITY) !== 0) return false;
  memory.copy(first, bytes, INTEGER_BYTES);
  store<u8>(first, flags & 0x1f);
  wordsFromBytes(words1, first);
  wordsFromBytes(words0, bytes + INTEGER_BYTES);
  if (!isCanonical(words0) || !isCanonical(words1)) return false;
  pairFromWords(affine, words0, words1);
  fp2Sqr(square, affine);
  fp2Mul(square, square, affine);
  pairAdd(square, square, TWIST_B);
  const y = affine + PAIR;
  if (pairIsZero(square) & 2) fp2RootOfFp(y, square);
  else fp2Root(y, square);
  fp2Sqr(check, y);
  pairSub(check, check, square);
  if (pairIsZero(check) !== 3) return false;
  if (isUpper(y) !== ((flags >> UPPER_BIT) & 1)) pairNeg(y, y);
  g2FromAffine(point, affine);
  return g2IsInSubgroup(point);
}

/** The 96 bytes of an affine point. */
export function g2Encode(bytes: usize, affine: usize): void {
  pairToWords(words1, affine, 1);
  bytesFromWords(bytes, words1);
  pairToWords(words0, affine, 0);
  bytesFromWords(bytes + INTEGER_BYTES, words0);
  // No branch, as in G1.
  const sign = isUpper(affine + PAIR) << UPPER_BIT;
  store<u8>(bytes, load<u8>(bytes) | COMPRESSED | sign);
}
