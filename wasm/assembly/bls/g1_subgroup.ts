// The subgroup of order r, both lanes at once: the membership check and the clearing of the
// cofactor.

import { X_MAGNITUDE } from "./curve_constants";
import {
  g1Add,
  g1Choose,
  g1Copy,
  g1Double,
  g1Endomorphism,
  g1EqualLanes,
  g1Neg,
} from "./g1";

const multiple: usize = memory.data(384, 16);
const square: usize = memory.data(384, 16);
const image: usize = memory.data(384, 16);

/** dst = |x| a, x of the curve family: 63 doublings and 5 additions; dst and `a` apart. */
export function g1MulX(dst: usize, a: usize): void {
  const x = load<u64>(X_MAGNITUDE);
  g1Copy(dst, a);
  for (let bit: u64 = 1 << 62; bit !== 0; bit >>= 1) {
    g1Double(dst, dst);
    if ((x & bit) !== 0) g1Add(dst, dst, a);
  }
}

/**
 * The lanes of `a` that are of order r or 1: those where (beta x, y) is -x^2 a (Scott, eprint
 * 2021/1130, section 4; its proof covers every point of E(Fp)).
 */
export function g1SubgroupLanes(a: usize): u32 {
  g1MulX(multiple, a);
  return endomorphismLanes(a);
}

/** dst = a times h_eff = 1 - x (RFC 9380 section 8.8.1): of order r or 1. */
export function g1ClearCofactor(dst: usize, a: usize): void {
  // x is negative.
  g1MulX(multiple, a);
  g1Add(dst, multiple, a);
}

/**
 * Clears the cofactor of lane 0 and answers whether lane 1 is of order r or 1, for the price of the
 * latter. dst has both lanes; dst and `a` apart.
 */
export function g1ClearAndCheck(dst: usize, a: usize): bool {
  g1MulX(multiple, a);
  g1Add(dst, multiple, a);
  g1Choose(dst, dst, a, 1);
  return (endomorphismLanes(a) & 2) !== 0;
}

// The lanes where the endomorphism gives -|x| multiple.
function endomorphismLanes(a: usize): u32 {
  g1MulX(square, multiple);
  g1Neg(square, square);
  g1Endomorphism(image, a);
  return g1EqualLanes(square, image);
}
