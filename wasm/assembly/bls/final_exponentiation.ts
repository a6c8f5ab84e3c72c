// The final exponentiation: a^(3 (p^12 - 1) / r). The factor 3 is prime to r, so that a product of
// pairings is 1 exactly when this is.

import { X_MAGNITUDE } from "./curve_constants";
import {
  fp12Conj,
  fp12Copy,
  fp12CyclotomicSqr,
  fp12Frobenius,
  fp12FrobeniusSquared,
  fp12Inverse,
  fp12Mul,
} from "./fp12";

const base: usize = memory.data(768, 16);
const t0: usize = memory.data(768, 16);
const t1: usize = memory.data(768, 16);
const t2: usize = memory.data(768, 16);

// dst = a^x for a in the cyclotomic subgroup; x is negative, and dst is not a.
function powerOfX(dst: usize, a: usize): void {
  const magnitude = load<u64>(X_MAGNITUDE);
  fp12Copy(dst, a);
  for (let bit: i32 = 62; bit >= 0; bit--) {
    fp12CyclotomicSqr(dst, dst);
    if ((magnitude >> <u64>bit) & 1) fp12Mul(dst, dst, a);
  }
  fp12Conj(dst, dst);
}

/**
 * dst = a^(3 (p^12 - 1) / r) for a other than 0. The easy part raises to (p^6 - 1)(p^2 + 1); the hard
 * part, times 3, is (x - 1)^2 (x + p)(x^2 + p^2 - 1) + 3 (Hayashida, Hayasaka and Teruya, "Efficient
 * final exponentiation via cyclotomic structure for pairings over families of elliptic curves", 2020).
 */
export function finalExponentiation(dst: usize, a: usize): void {
  fp12Inverse(t0, a);
  fp12Conj(t1, a);
  fp12Mul(t0, t1, t0);
  fp12FrobeniusSquared(base, t0);
  fp12Mul(base, base, t0);

  // t1 = base^((x - 1)^2)
  powerOfX(t0, base);
  fp12Conj(t1, base);
  fp12Mul(t1, t0, t1);
  powerOfX(t0, t1);
  fp12Conj(t1, t1);
  fp12Mul(t1, t0, t1);
  // t1 = t1^(x + p)
  powerOfX(t0, t1);
  fp12Frobenius(t1, t1);
  fp12Mul(t1, t0, t1);
  // t0 = t1^(x^2 + p^2 - 1)
  powerOfX(t2, t1);
  powerOfX(t0, t2);
  fp12FrobeniusSquared(t2, t1);
  fp12Mul(t0, t0, t2);
  fp12Conj(t1, t1);
  fp12Mul(t0, t0, t1);
  // dst = t0 base^3
  fp12CyclotomicSqr(t1, base);
  fp12Mul(t1, t1, base);
  fp12Mul(dst, t0, t1);
}
