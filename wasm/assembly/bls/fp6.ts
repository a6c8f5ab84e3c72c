// Fp6 = Fp2[v] / (v^3 - xi), xi = 1 + u: three pairs, the coefficient of 1 first. Products stay
// unreduced as three wides, so that sums of products share one reduction for each coefficient.

import {
  PAIR,
  pairAdd,
  WIDE,
  wideAdd,
  wideAddXi,
  wideFp2Mul,
  wideMulXi,
  wideReduce,
  wideSub,
  wideSubBoth,
} from "./field";

/** Bytes of an element. */
export const FP6: usize = 3 * PAIR;

/** Bytes of an unreduced product. */
export const WIDE6: usize = 3 * WIDE;

const sumA: usize = memory.data(128, 16);
const sumB: usize = memory.data(128, 16);
const product0: usize = memory.data(256, 16);
const product1: usize = memory.data(256, 16);
const product2: usize = memory.data(256, 16);

/** dst = a + b; weights add. */
export function fp6Add(dst: usize, a: usize, b: usize): void {
  pairAdd(dst, a, b);
  pairAdd(dst + PAIR, a + PAIR, b + PAIR);
  pairAdd(dst + 2 * PAIR, a + 2 * PAIR, b + 2 * PAIR);
}

// dst = (a_i + a_j)(b_i + b_j): the weights of a and b multiply to at most 4.
function crossProduct(dst: usize, a: usize, b: usize, i: usize, j: usize): void {
  pairAdd(sumA, a + i * PAIR, a + j * PAIR);
  pairAdd(sumB, b + i * PAIR, b + j * PAIR);
  wideFp2Mul(dst, sumA, sumB);
}

/** dst = a b, 6 products in Fp2 (Karatsuba); the weights of a and b multiply to at most 4. */
export function wideFp6Mul(dst: usize, a: usize, b: usize): void {
  wideFp2Mul(product0, a, b);
  wideFp2Mul(product1, a + PAIR, b + PAIR);
  wideFp2Mul(product2, a + 2 * PAIR, b + 2 * PAIR);
  // a0 b0 + xi (a1 b2 + a2 b1)
  crossProduct(dst, a, b, 1, 2);
  wideSubBoth(dst, dst, product1, product2);
  wideAddXi(dst, product0, dst);
  // a0 b2 + a2 b0 + a1 b1
  const c2 = dst + 2 * WIDE;
  crossProduct(c2, a, b, 0, 2);
  wideSubBoth(c2, c2, product0, product2);
  wideAdd(c2, c2, product1);
  // a0 b1 + a1 b0 + xi a2 b2
  const c1 = dst + WIDE;
  crossProduct(c1, a, b, 0, 1);
  wideSubBoth(c1, c1, product0, product1);
  wideAddXi(c1, c1, product2);
}

/** dst = a (b0 v + b1 v^2) for the pairs b0, b1 at `b`, 5 products; weights as for a full one. */
export function wideFp6MulUpper(dst: usize, a: usize, b: usize): void {
  wideFp2Mul(product1, a + PAIR, b);
  wideFp2Mul(product2, a + 2 * PAIR, b + PAIR);
  // xi (a1 b1 + a2 b0)
  pairAdd(sumA, a + PAIR, a + 2 * PAIR);
  pairAdd(sumB, b, b + PAIR);
  wideFp2Mul(dst, sumA, sumB);
  wideSubBoth(dst, dst, product1, product2);
  wideMulXi(dst, dst);
  // a0 b0 + xi a2 b1
  const c1 = dst + WIDE;
  wideFp2Mul(c1, a, b);
  wideAddXi(c1, c1, product2);
  // a0 b1 + a1 b0
  const c2 = dst + 2 * WIDE;
  wideFp2Mul(c2, a, b + PAIR);
  wideAdd(c2, c2, product1);
}

/** dst = a + b of unreduced products. */
export function wideFp6Add(dst: usize, a: usize, b: usize): void {
  for (let i: usize = 0; i < WIDE6; i += WIDE) wideAdd(dst + i, a + i, b + i);
}

/** dst = a - b of unreduced products. */
export function wideFp6Sub(dst: usize, a: usize, b: usize): void {
  for (let i: usize = 0; i < WIDE6; i += WIDE) wideSub(dst + i, a + i, b + i);
}

/** dst = a - b - c of unreduced products. */
export function wideFp6SubBoth(dst: usize, a: usize, b: usize, c: usize): void {
  for (let i: usize = 0; i < WIDE6; i += WIDE) wideSubBoth(dst + i, a + i, b + i, c + i);
}

/** dst = a + v b of unreduced products; dst is not b. */
export function wideFp6AddShifted(dst: usize, a: usize, b: usize): void {
  wideAddXi(dst, a, b + 2 * WIDE);
  wideAdd(dst + WIDE, a + WIDE, b);
  wideAdd(dst + 2 * WIDE, a + 2 * WIDE, b + WIDE);
}

/** Reduces each coefficient. */
export function fp6Reduce(dst: usize, src: usize): void {
  wideReduce(dst, src);
  wideReduce(dst + PAIR, src + WIDE);
  wideReduce(dst + 2 * PAIR, src + 2 * WIDE);
}
