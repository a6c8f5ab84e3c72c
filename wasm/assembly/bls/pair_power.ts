// Powers of pairs by public exponents, and candidates of square roots, which rest on them. Both lanes
// are raised to the same exponent, so that two cost what one costs.

import { EXPONENT_ROOT } from "./curve_constants";
import { PAIR, pairCopy, pairMul, pairSqr } from "./field";

// The odd powers to a^31: a digit of an exponent has 5 bits at most.
const powers: usize = memory.data(16 * 128, 16);
const POWERS: usize = 16;

const square: usize = memory.data(128, 16);
const root: usize = memory.data(128, 16);

/**
 * dst = a^exponent in each lane; a of weight 2 at most. `exponent` is a number of terms, a byte, and
 * for each, from the most significant, how many squarings come before it and its digit, odd or 0, a
 * byte each. The exponent is public, `a` need not be: branches and addresses depend on the exponent
 * alone.
 */
export function pairPower(dst: usize, a: usize, exponent: usize): void {
  pairCopy(powers, a);
  pairSqr(square, a);
  for (let i: usize = 1; i < POWERS; i++) {
    pairMul(powers + i * PAIR, powers + (i - 1) * PAIR, square);
  }
  // Squarings before the first term would be of 1.
  pairCopy(dst, powers + <usize> (load<u8>(exponent, 2) >> 1) * PAIR);
  const end = exponent + 1 + 2 * <usize> load<u8>(exponent);
  for (let term = exponent + 3; term < end; term += 2) {
    for (let i: u32 = load<u8>(term); i > 0; i--) pairSqr(dst, dst);
    const digit = <usize> load<u8>(term, 1);
    if (digit !== 0) pairMul(dst, dst, powers + (digit >> 1) * PAIR);
  }
}

/**
 * dst = a^((p + 1) / 4) in each lane, a square root of `a` or of -a, whichever has one (p = 3 mod
 * 4); a of weight 2 at most.
 */
export function pairRoot(dst: usize, a: usize): void {
  pairPower(root, a, EXPONENT_ROOT);
  pairMul(dst, root, a);
}
