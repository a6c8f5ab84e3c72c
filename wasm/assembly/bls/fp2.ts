// What Fp2 = Fp[u] / (u^2 + 1) needs beyond the products of the field.

import {
  pairAdd,
  pairMul,
  pairSqr,
  pairSwap,
  pairZero,
  fp2Conj,
} from "./field";
import { pairInverse } from "./inverse";

const norm: usize = memory.data(128, 16);
const conjugate: usize = memory.data(128, 16);

/** dst = 1 / a, and 0 for 0: the conjugate over the norm. `a` of weight 2 at most; wipes its scratch. */
export function fp2Inverse(dst: usize, a: usize): void {
  pairSqr(norm, a);
  pairSwap(conjugate, norm);
  pairAdd(norm, norm, conjugate);
  pairInverse(norm, norm);
  fp2Conj(conjugate, a);
  pairMul(dst, conjugate, norm);
  pairZero(conjugate);
  pairZero(norm);
}
