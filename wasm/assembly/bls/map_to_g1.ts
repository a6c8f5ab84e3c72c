// map_to_curve of the suite of RFC 9380 section 8.8.1: the simplified SWU map to E', which is
// 11-isogenous to E, and the isogeny. Both lanes map an element each.

import {
  EXPONENT_ROOT,
  ISOGENY_X_DENOMINATOR,
  ISOGENY_X_NUMERATOR,
  ISOGENY_Y_DENOMINATOR,
  ISOGENY_Y_NUMERATOR,
  ONE,
  SSWU_A,
  SSWU_B,
  SSWU_ROOT_OF_MINUS_Z,
  SSWU_Z,
} from "./curve_constants";
import {
  PAIR,
  pairAdd,
  pairChoose,
  pairCopy,
  pairIsZero,
  pairMul,
  pairNeg,
  pairSqr,
} from "./field";
import { Y, Z } from "./g1";
import { pairPower } from "./pair_power";
import { pairEqualLanes, pairOddLanes } from "./words";

/** Degrees of the isogeny's polynomials (appendix E.2). */
const X_NUMERATOR_DEGREE: usize = 11;
const X_DENOMINATOR_DEGREE: usize = 10;
const Y_DEGREE: usize = 15;

const scaled: usize = memory.data(128, 16);
const sum: usize = memory.data(128, 16);
const numerator: usize = memory.data(128, 16);
const denominator: usize = memory.data(128, 16);
const square: usize = memory.data(128, 16);
const radicand: usize = memory.data(128, 16);
const divisor: usize = memory.data(128, 16);
const product: usize = memory.data(128, 16);
const power: usize = memory.data(128, 16);
const root: usize = memory.data(128, 16);
const other: usize = memory.data(128, 16);
const x: usize = memory.data(128, 16);
const y: usize = memory.data(128, 16);
const xNumerator: usize = memory.data(128, 16);
const xDenominator: usize = memory.data(128, 16);
const yNumerator: usize = memory.data(128, 16);
const yDenominator: usize = memory.data(128, 16);

/** dst = the point of E, in homogeneous coordinates, of each lane of `u`; u of weight 2 at most. */
export function mapToG1(dst: usize, u: usize): void {
  mapToIsogenous(u);
  isogeny(dst);
}

/**
 * The simplified SWU map (appendix F.2) with sqrt_ratio of F.2.1.2, to (x, y) of E', affine.
 *
 * The power that gives the root gives the inverse too. With a = n d^3 for the radicand n / d, the
 * power is s = a^((p-3)/4), and s^2 = a^((p-3)/2) is 1 / a where a is a square and -1 / a otherwise;
 * so 1 / d = n d^2 / a = +-s^2 n d^2. No radicand is 0: E' has no point with y = 0, since its order
 * is odd.
 */
function mapToIsogenous(u: usize): void {
  pairSqr(scaled, u);
  pairMul(scaled, SSWU_Z, scaled);
  pairSqr(sum, scaled);
  pairAdd(sum, sum, scaled);
  // x1 = numerator / denominator.
  pairAdd(numerator, sum, ONE);
  pairMul(numerator, SSWU_B, numerator);
  pairNeg(denominator, sum);
  pairChoose(denominator, SSWU_Z, denominator, pairIsZero(sum));
  pairMul(denominator, SSWU_A, denominator);
  // g(x1) = radicand / divisor, divisor = denominator^3.
  pairSqr(square, denominator);
  pairMul(divisor, square, denominator);
  pairSqr(radicand, numerator);
  pairMul(product, SSWU_A, square);
  pairAdd(radicand, radicand, product);
  pairMul(radicand, radicand, numerator);
  pairMul(product, SSWU_B, divisor);
  pairAdd(radicand, radicand, product);

  // product = n d, other = n d^2, power = (n d^3)^((p-3)/4); radicand of weight 2.
  pairMul(product, radicand, divisor);
  pairMul(other, product, divisor);
  pairMul(power, other, divisor);
  pairPower(power, power, EXPONENT_ROOT);
  pairMul(root, power, product);
  pairSqr(y, root);
  pairMul(y, y, divisor);
  const squares = pairEqualLanes(y, radicand);

  // 1 / denominator = denominator^2 / divisor.
  pairSqr(x, power);
  pairMul(x, x, other);
  pairMul(x, x, square);
  pairMul(x, x, numerator);
  pairNeg(other, x);
  pairChoose(x, x, other, squares);
  // Where g(x1) is no square: x2 = Z u^2 x1, and y2 = Z u^3 sqrt(Z g(x1)), where the root of Z n / d
  // is that of -n / d times that of -Z.
  pairMul(other, scaled, x);
  pairChoose(x, x, other, squares);
  pairMul(other, root, SSWU_ROOT_OF_MINUS_Z);
  pairMul(other, other, scaled);
  pairMul(other, other, u);
  pairChoose(y, root, other, squares);
  const odd = pairOddLanes(u) ^ pairOddLanes(y);
  pairNeg(other, y);
  pairChoose(y, other, y, odd);
}

/** dst = (xn / xd, y yn / yd), the identity where a denominator is 0 (section 6.6.3). */
function isogeny(dst: usize): void {
  polynomial(xNumerator, ISOGENY_X_NUMERATOR, X_NUMERATOR_DEGREE);
  polynomial(xDenominator, ISOGENY_X_DENOMINATOR, X_DENOMINATOR_DEGREE);
  polynomial(yNumerator, ISOGENY_Y_NUMERATOR, Y_DEGREE);
  polynomial(yDenominator, ISOGENY_Y_DENOMINATOR, Y_DEGREE);
  // All of weight 2.
  pairMul(yNumerator, yNumerator, y);
  pairMul(dst, xNumerator, yDenominator);
  pairMul(dst + Y, yNumerator, xDenominator);
  pairMul(dst + Z, xDenominator, yDenominator);
  const poles = pairIsZero(dst + Z);
  pairChoose(dst + Y, ONE, dst + Y, poles);
}

// The polynomial of `degree` at x, weight 2; coefficients from the constant upward (Horner).
function polynomial(dst: usize, coefficients: usize, degree: usize): void {
  pairCopy(dst, coefficients + degree * PAIR);
  for (let at = coefficients + degree * PAIR; at > coefficients;) {
    at -= PAIR;
    pairMul(dst, dst, x);
    pairAdd(dst, dst, at);
  }
}
