// Inverses mod p by the division steps of Bernstein and Yang ("Fast constant-time gcd computation
// and modular inversion", 2019), 30 at a time. Numbers have 13 limbs of 30 bits, of which the last is
// signed, each in 64 bits. No branch and no address depends on a number.

import { MODULUS, ONE } from "./curve_constants";
import {
  pairChoose,
  pairFromWords,
  pairIsZero,
  pairMul,
  pairSwap,
  pairToWords,
  pairZero,
} from "./field";

const LIMBS: usize = 13;
const LIMB_BITS: i64 = 30;
const LIMB_MASK: i64 = (1 << LIMB_BITS) - 1;
const TOP: usize = 8 * (LIMBS - 1);

// Theorem 11.2 there: floor((49 * 381 + 57) / 17) = 1101 steps end for every number below 2^381.
const BATCHES: u32 = 37;
const STEPS: u32 = 30;

// f and g; d and e with d a = f and e a = g mod p; the modulus. Wiped after use.
const f: usize = memory.data(520, 16);
const g: usize = f + 104;
const d: usize = f + 208;
const e: usize = f + 312;
const modulus: usize = f + 416;

// The matrix of the last 30 steps: 2^30 f' = f2f f + g2f g, and 2^30 g' = f2g f + g2g g.
let f2f: i64 = 0;
let g2f: i64 = 0;
let f2g: i64 = 0;
let g2g: i64 = 0;

const words: usize = memory.data(48, 16);
const factor: usize = memory.data(128, 16);
const other: usize = memory.data(128, 16);
const product: usize = memory.data(128, 16);

/**
 * dst = 1 / a in each lane, 0 for 0; a of weight 2 at most. One inversion: that of the product. Leaves
 * nothing of `a`, but for what {@link pairIsZero} does.
 */
export function pairInverse(dst: usize, a: usize): void {
  const zeros = pairIsZero(a);
  pairChoose(factor, ONE, a, zeros);
  pairSwap(other, factor);
  pairMul(product, factor, other);
  pairToWords(words, product, 0);
  wordsInverse(words, words);
  pairFromWords(product, words, words);
  pairMul(product, product, other);
  pairZero(other);
  pairChoose(dst, other, product, zeros);
  memory.fill(words, 0, 48);
  pairZero(factor);
  pairZero(product);
}

/** dst = 1 / a mod p for the canonical integer of 6 words at `a`, and 0 for 0; dst may be a. */
export function wordsInverse(dst: usize, a: usize): void {
  limbsFromWords(modulus, MODULUS);
  memory.copy(f, modulus, 104);
  limbsFromWords(g, a);
  memory.fill(d, 0, 208);
  store<i64>(e, 1);
  const inverse = modulusInverse();
  let delta: i32 = 1;
  for (let i: u32 = 0; i < BATCHES; i++) {
    delta = divisionSteps(delta);
    updatePair();
    updateCofactors(inverse);
  }
  // f is 1 or -1, or p or -p where a is 0; and so is d times a.
  finish();
  wordsFromLimbs(dst, d);
  memory.fill(f, 0, 520);
  f2f = g2f = f2g = g2g = 0;
}

// The inverse of p mod 2^32, by Newton's iteration.
function modulusInverse(): u32 {
  const low = <u32> load<i64>(modulus) | (<u32> load<i64>(modulus, 8) << 30);
  let inverse = low;
  for (let i = 0; i < 4; i++) inverse *= 2 - low * inverse;
  return inverse;
}

// 30 steps on the low bits of f and g, into the matrix. A row of it is one number, the first entry
// plus 2^32 times the second: steps are linear in the rows.
function divisionSteps(delta: i32): i32 {
  let lowF = load<i64>(f) | (load<i64>(f, 8) << LIMB_BITS);
  let lowG = load<i64>(g) | (load<i64>(g, 8) << LIMB_BITS);
  let rowF: i64 = 1;
  let rowG: i64 = 1 << 32;
  let change: i64 = delta;
  for (let i: u32 = 0; i < STEPS; i++) {
    const isOdd = 0 - (lowG & 1);
    const isPositive = (0 - change) >> 63;
    // An odd g takes f off or adds it; then f takes the old g where the two change places.
    lowG += ((lowF ^ isPositive) - isPositive) & isOdd;
    rowG += ((rowF ^ isPositive) - isPositive) & isOdd;
    const swaps = isOdd & isPositive;
    lowF += lowG & swaps;
    rowF += rowG & swaps;
    change = (change ^ swaps) - swaps + 1;
    lowG >>= 1;
    rowF <<= 1;
  }
  f2f = <i64> <i32> rowF;
  g2f = (rowF - f2f) >> 32;
  f2g = <i64> <i32> rowG;
  g2g = (rowG - f2g) >> 32;
  return <i32> change;
}

// (f, g) times the matrix, exactly.
function updatePair(): void {
  const u = f2f, v = g2f, q = f2g, r = g2g;
  let carryF: i64 = u * load<i64>(f) + v * load<i64>(g);
  let carryG: i64 = q * load<i64>(f) + r * load<i64>(g);
  for (let i: usize = 8; i <= TOP; i += 8) {
    const limbF = load<i64>(f + i);
    const limbG = load<i64>(g + i);
    carryF = (carryF >> LIMB_BITS) + u * limbF + v * limbG;
    carryG = (carryG >> LIMB_BITS) + q * limbF + r * limbG;
    store<i64>(f + i - 8, carryF & LIMB_MASK);
    store<i64>(g + i - 8, carryG & LIMB_MASK);
  }
  store<i64>(f + TOP, carryF >> LIMB_BITS);
  store<i64>(g + TOP, carryG >> LIMB_BITS);
}

// (d, e) times the matrix mod p: the multiple of p added makes the division by 2^30 exact, and keeps
// both in (-2 p, p).
function updateCofactors(inverse: u32): void {
  const u = f2f, v = g2f, q = f2g, r = g2g;
  const signD = load<i64>(d + TOP) >> 63;
  const signE = load<i64>(e + TOP) >> 63;
  let timesD = (u & signD) + (v & signE);
  let timesE = (q & signD) + (r & signE);
  let carryD: i64 = u * load<i64>(d) + v * load<i64>(e);
  let carryE: i64 = q * load<i64>(d) + r * load<i64>(e);
  timesD -= (<i64>(inverse * <u32>carryD) + timesD) & LIMB_MASK;
  timesE -= (<i64>(inverse * <u32>carryE) + timesE) & LIMB_MASK;
  carryD += timesD * load<i64>(modulus);
  carryE += timesE * load<i64>(modulus);
  for (let i: usize = 8; i <= TOP; i += 8) {
    const limbD = load<i64>(d + i);
    const limbE = load<i64>(e + i);
    const limb = load<i64>(modulus + i);
    carryD = (carryD >> LIMB_BITS) + u * limbD + v * limbE + timesD * limb;
    carryE = (carryE >> LIMB_BITS) + q * limbD + r * limbE + timesE * limb;
    store<i64>(d + i - 8, carryD & LIMB_MASK);
    store<i64>(e + i - 8, carryE & LIMB_MASK);
  }
  store<i64>(d + TOP, carryD >> LIMB_BITS);
  store<i64>(e + TOP, carryE >> LIMB_BITS);
}

// d times the sign of f, in [0, p).
function finish(): void {
  addWhere(load<i64>(d + TOP) >> 63, 0);
  addWhere(load<i64>(d + TOP) >> 63, load<i64>(f + TOP) >> 63);
  addWhere(load<i64>(d + TOP) >> 63, 0);
}

// d += p where `mask` is set, then d = -d where `negates` is.
function addWhere(mask: i64, negates: i64): void {
  let carry: i64 = 0;
  for (let i: usize = 0; i <= TOP; i += 8) {
    const sum = load<i64>(d + i) + (load<i64>(modulus + i) & mask);
    carry += (sum ^ negates) - negates;
    store<i64>(d + i, i < TOP ? carry & LIMB_MASK : carry);
    carry >>= LIMB_BITS;
  }
}

function limbsFromWords(dst: usize, words: usize): void {
  for (let i: usize = 0; i < LIMBS; i++) {
    const bit: usize = i * 30;
    const shift = <u64>(bit & 63);
    const word = words + ((bit >> 6) << 3);
    let limb = load<u64>(word) >> shift;
    if (shift > 34 && i < LIMBS - 1) limb |= load<u64>(word, 8) << (64 - shift);
    store<u64>(dst + 8 * i, limb & LIMB_MASK);
  }
}

function wordsFromLimbs(dst: usize, limbs: usize): void {
  for (let i: usize = 0; i < 6; i++) {
    const bit: usize = i * 64;
    const shift = <u64>(bit % 30);
    const limb = limbs + 8 * (bit / 30);
    // No word begins in the last 4 bits of a limb: three limbs are enough.
    const word = (load<u64>(limb) >> shift) | (load<u64>(limb, 8) << (30 - shift)) |
      (load<u64>(limb, 16) << (60 - shift));
    store<u64>(dst + 8 * i, word);
  }
}
