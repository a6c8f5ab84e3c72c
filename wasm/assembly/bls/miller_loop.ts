// Products of Miller loops of the optimal ate pairing, e(P, Q) for P in G1 and Q in G2. A line
// through points of the twist, at P, times w^3 and a factor in Fp2, both of which the final
// exponentiation maps to 1, is l0 + l1 xP v + l4 yP v w: three pairs (l0, l1, l4).

import { FP2_ONE, GENERATOR_X, GENERATOR_Y, X_MAGNITUDE } from "./curve_constants";
import {
  fp2Mul,
  fp2MulXi,
  fp2Sqr,
  PAIR,
  pairAdd,
  pairCarry,
  pairCopy,
  pairDbl,
  pairMul,
  pairMul12,
  pairNeg,
  pairSub,
  pairZero,
  wideAdd,
  wideAddXi,
  wideFp2Mul,
  wideFp2Sqr,
  wideReduce,
  wideSub,
  wideSubBoth,
} from "./field";
import { FP12, fp12Conj, fp12MulSparse, fp12Sqr } from "./fp12";
import { AFFINE_G2, G2, g2FromAffine } from "./g2";

/** Pairs of points that one loop takes. */
export const MAX_TERMS: usize = 64;

const Y: usize = PAIR;
const Z: usize = 2 * PAIR;
const LINE: usize = 3 * PAIR;


const t0: usize = memory.data(128, 16);
const t1: usize = memory.data(128, 16);
const t2: usize = memory.data(128, 16);
const t3: usize = memory.data(128, 16);
const t4: usize = memory.data(128, 16);
const t5: usize = memory.data(128, 16);
const wide0: usize = memory.data(256, 16);
const wide1: usize = memory.data(256, 16);

// The line at 2 T in `line`, and T = 2 T (Costello, Lange and Naehrig, 2010, scaled by 4).
function doublingStep(line: usize, point: usize): void {
  fp2Sqr(t0, point + Y);
  fp2Sqr(t1, point + Z);
  fp2Mul(t2, point + Y, point + Z);
  fp2Mul(t3, point, point + Y);
  fp2Sqr(t4, point);
  // t1 = E = 3 b Z^2
  fp2MulXi(t5, t1);
  pairMul12(t1, t5);
  // l0 = Y^2 - E, l1 = -3 X^2, l4 = 2 Y Z
  pairSub(line, t0, t1);
  pairDbl(t5, t4);
  pairAdd(t5, t5, t4);
  pairNeg(line + PAIR, t5);
  pairDbl(t2, t2);
  pairCopy(line + 2 * PAIR, t2);
  // X = 2 X Y (Y^2 - 3 E)
  pairDbl(t5, t1);
  pairAdd(t5, t5, t1);
  pairSub(t4, t0, t5);
  pairDbl(t3, t3);
  fp2Mul(point, t3, t4);
  // Z = 4 Y^2 (2 Y Z)
  pairDbl(t2, t2);
  pairDbl(t2, t2);
  fp2Mul(point + Z, t0, t2);
  // Y = (Y^2 + 3 E)^2 - 12 E^2
  pairAdd(t4, t0, t5);
  pairCarry(t4, t4);
  wideFp2Sqr(wide0, t4);
  wideFp2Sqr(wide1, t1);
  for (let i = 0; i < 2; i++) wideAdd(wide1, wide1, wide1);
  wideSub(wide0, wide0, wide1);
  wideAdd(wide1, wide1, wide1);
  wideSub(wide0, wide0, wide1);
  wideReduce(point + Y, wide0);
}

// The line through T and Q in `line`, and T = T + Q for an affine Q other than T and -T.
function additionStep(line: usize, point: usize, q: usize): void {
  // t0 = theta = Y - yQ Z, t1 = delta = X - xQ Z
  fp2Mul(t2, q + Y, point + Z);
  pairSub(t0, point + Y, t2);
  fp2Mul(t2, q, point + Z);
  pairSub(t1, point, t2);
  wideFp2Mul(wide0, t0, q);
  wideFp2Mul(wide1, t1, q + Y);
  wideSub(wide0, wide0, wide1);
  wideReduce(line, wide0);
  pairNeg(line + PAIR, t0);
  pairCopy(line + 2 * PAIR, t1);
  // t2 = delta^2, t3 = delta^3, t4 = X delta^2, t5 = delta^3 + Z theta^2 - 2 X delta^2
  fp2Sqr(t2, t1);
  fp2Mul(t3, t2, t1);
  fp2Mul(t4, t2, point);
  fp2Sqr(t2, t0);
  fp2Mul(t5, t2, point + Z);
  pairAdd(t5, t5, t3);
  pairSub(t5, t5, t4);
  pairSub(t5, t5, t4);
  fp2Mul(point, t1, t5);
  pairSub(t4, t4, t5);
  wideFp2Mul(wide0, t0, t4);
  wideFp2Mul(wide1, point + Y, t3);
  wideSub(wide0, wide0, wide1);
  wideReduce(point + Y, wide0);
  fp2Mul(point + Z, point + Z, t3);
}

const product0: usize = memory.data(256, 16);
const product1: usize = memory.data(256, 16);
const product4: usize = memory.data(256, 16);
const sparse: usize = memory.data(640, 16);

// dst = (a_i + a_j)(b_i + b_j) - x - y
function lineCross(dst: usize, a: usize, b: usize, i: usize, j: usize, x: usize, y: usize): void {
  pairAdd(t0, a + i, a + j);
  pairAdd(t1, b + i, b + j);
  wideFp2Mul(wide0, t0, t1);
  wideSubBoth(wide0, wide0, x, y);
  wideReduce(dst, wide0);
}

// f = f a b for two lines at their points, whose product has five coefficients.
function multiplyByLines(f: usize, a: usize, b: usize): void {
  wideFp2Mul(product0, a, b);
  wideFp2Mul(product1, a + PAIR, b + PAIR);
  wideFp2Mul(product4, a + 2 * PAIR, b + 2 * PAIR);
  lineCross(sparse + PAIR, a, b, 0, PAIR, product0, product1);
  lineCross(sparse + 3 * PAIR, a, b, 0, 2 * PAIR, product0, product4);
  lineCross(sparse + 4 * PAIR, a, b, PAIR, 2 * PAIR, product1, product4);
  wideReduce(sparse + 2 * PAIR, product1);
  wideAddXi(product0, product0, product4);
  wideReduce(sparse, product0);
  fp12MulSparse(f, f, sparse);
}

function multiplyByLine(f: usize, a: usize): void {
  pairCopy(sparse, a);
  pairCarry(sparse, sparse);
  pairCopy(sparse + PAIR, a + PAIR);
  pairZero(sparse + 2 * PAIR);
  pairCopy(sparse + 3 * PAIR, a + 2 * PAIR);
  pairZero(sparse + 4 * PAIR);
  fp12MulSparse(f, f, sparse);
}

// The lines of the generator do not depend on anything: made once, at first use.
const generatorLines: usize = memory.data(26112, 16);
const generator: usize = memory.data(256, 16);
const generatorPoint: usize = memory.data(384, 16);
let hasGeneratorLines: bool = false;

function prepareGenerator(): void {
  pairCopy(generator, GENERATOR_X);
  pairCopy(generator + Y, GENERATOR_Y);
  g2FromAffine(generatorPoint, generator);
  const magnitude = load<u64>(X_MAGNITUDE);
  let line = generatorLines;
  for (let bit: i32 = 62; bit >= 0; bit--) {
    doublingStep(line, generatorPoint);
    line += LINE;
    if ((magnitude >> <u64>bit) & 1) {
      additionStep(line, generatorPoint, generator);
      line += LINE;
    }
  }
  hasGeneratorLines = true;
}

// The terms of a loop: term 0 is the generator's.
const evaluation: usize = memory.data(16384, 16);
const keys: usize = memory.data(16384, 16);
const points: usize = memory.data(24576, 16);
const lines: usize = memory.data(24576, 16);
let terms: usize = 0;

/** Begins a product with e(P, generator of G2) for P affine, in both lanes of x and of y. */
export function beginProduct(x: usize, y: usize): void {
  terms = 0;
  addTerm(x, y, generator);
}

/** Adds the factor e(P, Q) for an affine Q; P as in {@link beginProduct}. */
export function addTerm(x: usize, y: usize, q: usize): void {
  pairCopy(evaluation + terms * AFFINE_G2, x);
  pairCopy(evaluation + terms * AFFINE_G2 + Y, y);
  if (terms > 0) {
    memory.copy(keys + terms * AFFINE_G2, q, AFFINE_G2);
    g2FromAffine(points + terms * G2, q);
  }
  terms++;
}

// The line of each term in `lines`, at its point.
function evaluateLines(generatorLine: usize, isAddition: bool): void {
  for (let i: usize = 0; i < terms; i++) {
    const line = lines + i * LINE;
    if (i === 0) memory.copy(line, generatorLine, LINE);
    else if (isAddition) additionStep(line, points + i * G2, keys + i * AFFINE_G2);
    else doublingStep(line, points + i * G2);
    pairMul(line + PAIR, line + PAIR, evaluation + i * AFFINE_G2);
    pairMul(line + 2 * PAIR, line + 2 * PAIR, evaluation + i * AFFINE_G2 + Y);
  }
}

function multiplyByAllLines(f: usize): void {
  let i: usize = 0;
  for (; i + 1 < terms; i += 2) multiplyByLines(f, lines + i * LINE, lines + (i + 1) * LINE);
  if (i < terms) multiplyByLine(f, lines + i * LINE);
}

/** f = the product of the Miller loops of all terms. */
export function millerLoop(f: usize): void {
  if (!hasGeneratorLines) prepareGenerator();
  memory.fill(f, 0, FP12);
  pairCopy(f, FP2_ONE);
  const magnitude = load<u64>(X_MAGNITUDE);
  let generatorLine = generatorLines;
  for (let bit: i32 = 62; bit >= 0; bit--) {
    if (bit < 62) fp12Sqr(f, f);
    evaluateLines(generatorLine, false);
    multiplyByAllLines(f);
    generatorLine += LINE;
    if ((magnitude >> <u64>bit) & 1) {
      evaluateLines(generatorLine, true);
      multiplyByAllLines(f);
      generatorLine += LINE;
    }
  }
  fp12Conj(f, f);
}
