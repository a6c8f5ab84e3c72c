/**
 * Secret keys at the boundaries of the range, of windows, and of the decompositions by which
 * implementations split a scalar.
 *
 * @module
 */

import { R, X } from "./bls_oracle.ts";

/** Digits in base |x|, which the endomorphism of G2 uses: r = x^4 - x^2 + 1. */
const DIGITS = [
  [0n, 1n, 0n, 0n],
  [0n, 0n, 0n, 1n],
  [X - 1n, X - 1n, X - 1n, 0n],
  [X - 1n, 0n, X - 1n, X - 2n],
  [0n, X - 1n, 0n, X - 2n],
  [1n, 1n, 1n, 1n],
  [X - 1n, X - 1n, X - 2n, X - 1n],
] as const;

function joined(digits: readonly bigint[]): bigint {
  return digits.reduceRight((sum, digit) => sum * X + digit, 0n);
}

/** Scalars of [1, r-1], distinct. */
export const BOUNDARY_SCALARS: readonly bigint[] = [
  ...new Set([
    1n,
    2n,
    3n,
    4n,
    5n,
    7n,
    8n,
    15n,
    16n,
    17n,
    31n,
    32n,
    33n,
    63n,
    64n,
    65n,
    255n,
    256n,
    2n ** 32n,
    2n ** 64n - 1n,
    2n ** 64n,
    2n ** 127n,
    2n ** 128n - 1n,
    2n ** 128n,
    2n ** 192n,
    2n ** 253n,
    2n ** 254n - 1n,
    2n ** 254n,
    R - 1n,
    R - 2n,
    R - 3n,
    R - 16n,
    (R - 1n) / 2n,
    (R + 1n) / 2n,
    R - 2n ** 128n,
    // The split by the endomorphism of G1: k = k0 + k1 * x^2.
    X - 1n,
    X,
    X + 1n,
    X ** 2n - 1n,
    X ** 2n,
    X ** 2n + 1n,
    R - X,
    R - X ** 2n,
    (X ** 2n - 2n) * X ** 2n,
    (X ** 2n - 2n) * X ** 2n + X ** 2n - 1n,
    ...DIGITS.map(joined),
    BigInt(`0x${"55".repeat(32)}`),
    BigInt(`0x2${"a".repeat(63)}`),
    BigInt(`0x0f${"0f".repeat(31)}`),
    BigInt(`0x70${"f0".repeat(31)}`),
  ]),
];

/** Scalars of 32 bytes that are not secret keys. */
export const REFUSED_SCALARS: readonly bigint[] = [
  0n,
  R,
  R + 1n,
  2n * R,
  2n ** 255n,
  2n ** 256n - 1n,
];

if (BOUNDARY_SCALARS.some((scalar) => scalar < 1n || scalar >= R)) {
  throw new RangeError("Cannot list scalars: [1, r-1] required, another found");
}
