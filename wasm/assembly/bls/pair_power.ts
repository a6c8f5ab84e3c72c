// Powers of pairs by public exponents, and candidates of square roots, which rest on them. Both lanes
// are raised to the same exponent, so that two cost what one costs.

import { EXPONENT_ROOT, ONE } from "./curve_constants";
import { PAIR, pairCopy, pairMul, pairSqr } from "./field";

// a^0 to a^31: a digit of an exponent has 5 bits.
const powers: usize = memory.data(32 * 128, 16);
const DIGITS: usize = 32;
const DIGIT_BITS: u32 = 5;

const root: usize = memory.data(128, 16);

/**
 * dst = a^exponent in each lane; a of weight 2 at most. `exponent` is a number of digits of 5 bits,
 * a byte, and then these, most significant first, a byte each. The exponent is public, `a` need not
 * be: branches and addresses depend on the exponent alone.
 */
export function pairPower(dst: usize, a: usize, exponent: usize): void {
  pairCopy(powers, ONE);
  pairCopy(powers + PAIR, a);
  for (let i: usize = 2; i < DIGITS; i += 2) {
    pairSqr(powers + i * PAIR, powers + (i >> 1) * PAIR);
    pairMul(powers + (i + 1) * PAIR, powers + i * PAIR, powers + PAIR);
  }
  const count = <u32> load<u8>(exponent);
  pairCopy(dst, powers + <usize> load<u8>(exponent, 1) * PAIR);
  for (let i: u32 = 1; i < count; i++) {
    for (let bit: u32 = 0; bit < DIGIT_BITS; bit++) pairSqr(dst, dst);
    const digit = <usize> load<u8>(exponent + 1 + i);
    if (digit !== 0) pairMul(dst, dst, powers + digit * PAIR);
  }
}

/** Wipes the powers of the last base. */
export function wipePowers(): void {
  memory.fill(powers, 0, DIGITS * PAIR);
}

/**
 * dst = a^((p + 1) / 4) in each lane, a square root of `a` or of -a, whichever has one (p = 3 mod
 * 4); a of weight 2 at most.
 */
export function pairRoot(dst: usize, a: usize): void {
  pairPower(root, a, EXPONENT_ROOT);
  pairMul(dst, root, a);
}
