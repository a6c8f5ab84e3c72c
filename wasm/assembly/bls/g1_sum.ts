// Sums of many points with coefficients. Everything here is public.

import {
  AFFINE,
  POINT,
  g1Add,
  g1AddAffine,
  g1Double,
  g1FromAffine,
  g1Identity,
  g1NegAffine,
} from "./g1";

// Points of one sum at most.
const SUM_LIMIT: u32 = 1024;

// A coefficient's bytes are least significant first.
const COEFFICIENT_BYTES: usize = 16;

const COEFFICIENT_BITS: u32 = 128;

// Bits of a window at most: a byte holds a signed digit, and half as many buckets as digits do.
const LARGEST_WINDOW: u32 = 7;

// 1,024 points take 19 windows of 7 bits; fewer points have fewer digits in all.
const DIGITS: usize = memory.data(1024 * 19);
const BUCKETS: usize = memory.data(64 * 384, 16);
const isFilled: usize = memory.data(64);

const running: usize = memory.data(384, 16);
const windowSum: usize = memory.data(384, 16);
const negative: usize = memory.data(256, 16);

/**
 * dst = sum of r_i P_i, in each lane over that lane's points, of `count` affine pairs and as many
 * coefficients of 128 bits; the count at most 1,024. By buckets for each window of signed
 * digits (Pippenger; Bernstein, Doumen, Lange and Oosterwijk, "Faster batch forgery identification",
 * section 4).
 */
export function g1MultiScalar(dst: usize, affines: usize, coefficients: usize, count: u32): void {
  if (count > SUM_LIMIT) unreachable();
  const window = windowFor(count);
  const windows = windowsOf(window);
  for (let i: usize = 0; i < count; i++) {
    splitSigned(DIGITS + i * windows, coefficients + i * COEFFICIENT_BYTES, window, windows);
  }
  g1Identity(dst);
  for (let w = windows; w-- > 0;) {
    for (let bit: u32 = 0; bit < window; bit++) g1Double(dst, dst);
    fillBuckets(affines, DIGITS + w, windows, count, 1 << (window - 1));
    sumBuckets(1 << (window - 1));
    g1Add(dst, dst, windowSum);
  }
}

// For one bit more than a coefficient has: the last carry.
function windowsOf(window: u32): u32 {
  return (COEFFICIENT_BITS + window) / window;
}

// The bits of a window for which the additions are fewest: one for each point and two for each bucket.
function windowFor(count: u32): u32 {
  let best: u32 = 2;
  let least: u32 = u32.MAX_VALUE;
  for (let window: u32 = 2; window <= LARGEST_WINDOW; window++) {
    const additions = windowsOf(window) * (count + (1 << window));
    if (additions < least) {
      least = additions;
      best = window;
    }
  }
  return best;
}

// Digits in (-2^(window-1), 2^(window-1)], least significant first, a signed byte each. The last window
// has a bit less than the others at least, so that it carries nothing.
function splitSigned(digits: usize, coefficient: usize, window: u32, windows: u32): void {
  let low = load<u64>(coefficient);
  let high = load<u64>(coefficient, 8);
  let carry: i32 = 0;
  const base = 1 << window;
  for (let w: u32 = 0; w < windows; w++) {
    let digit = (<i32>low & (base - 1)) + carry;
    carry = i32(digit > base >> 1);
    digit -= carry << window;
    store<i8>(digits + w, digit);
    low = (low >> window) | (high << (64 - window));
    high >>= window;
  }
}

// Bucket d - 1 takes the points of digit d and the negatives of those of digit -d.
function fillBuckets(affines: usize, digits: usize, stride: usize, count: u32, buckets: u32): void {
  memory.fill(isFilled, 0, buckets);
  for (let i: u32 = 0; i < count; i++, affines += AFFINE, digits += stride) {
    const digit = <i32>load<i8>(digits);
    if (digit === 0) continue;
    const at: usize = (digit < 0 ? -digit : digit) - 1;
    let point = affines;
    if (digit < 0) {
      g1NegAffine(negative, affines);
      point = negative;
    }
    const bucket = BUCKETS + at * POINT;
    if (load<u8>(isFilled + at) !== 0) {
      g1AddAffine(bucket, bucket, point);
    } else {
      store<u8>(isFilled + at, 1);
      g1FromAffine(bucket, point);
    }
  }
}

// windowSum = sum of d times bucket d - 1: the sum of the sums from each bucket upward.
function sumBuckets(buckets: u32): void {
  g1Identity(running);
  g1Identity(windowSum);
  for (let at: usize = buckets; at-- > 0;) {
    if (load<u8>(isFilled + at) !== 0) g1Add(running, running, BUCKETS + at * POINT);
    g1Add(windowSum, windowSum, running);
  }
}
