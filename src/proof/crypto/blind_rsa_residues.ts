/**
 * Residues of a modulus of 2,048 bits, as `BigInt`. Not constant time: do not use with private keys.
 *
 * @module
 */

import { BLIND_RSA_EXPONENT, BLIND_RSA_LENGTH, integerOfBytes } from "./blind_rsa.ts";

/** 128 bits more than the modulus, which makes the bias of the remainder negligible. */
const RANDOM_BYTES = BLIND_RSA_LENGTH + 16;

/** A random integer in [1, modulus). */
export function randomResidue(modulus: bigint): bigint {
  const wide = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES));
  return 1n + integerOfBytes(wide) % (modulus - 1n);
}

/** `base` to the power of the public exponent, below `modulus`. */
export function publicPower(base: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let left = BLIND_RSA_EXPONENT, square = base; left > 0n; left >>= 1n) {
    if (left & 1n) result = result * square % modulus;
    square = square * square % modulus;
  }
  return result;
}

/** The inverse of `value`, or `undefined` if it shares a factor with `modulus`. */
export function inverseOf(value: bigint, modulus: bigint): bigint | undefined {
  let [remainder, next] = [modulus, value % modulus];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  if (remainder !== 1n) return undefined;
  return factor < 0n ? factor + modulus : factor;
}
