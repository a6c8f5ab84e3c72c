/**
 * The parameters of BLS12-381 and arithmetic for the generators of kernels. Not part of a kernel.
 *
 * @module
 */

/** Parameter of the curve family; negative. */
export const X = -0xd201000000010000n;

/** Order of the base field. */
export const P =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** Order of the groups: x^4 - x^2 + 1. */
export const R = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

if (R !== X ** 4n - X ** 2n + 1n || 3n * P !== (X - 1n) ** 2n * R + 3n * X) {
  throw new Error("The parameters do not belong to one curve");
}

/** `a` mod `m`, in [0, m). */
export function modulo(a: bigint, m: bigint): bigint {
  const rest = a % m;
  return rest < 0n ? rest + m : rest;
}

/** The residue of `a` mod `m` of least magnitude. */
export function centred(a: bigint, m: bigint): bigint {
  const rest = modulo(a, m);
  return 2n * rest > m ? rest - m : rest;
}

/** `base` to `exponent` mod `m`. */
export function power(base: bigint, exponent: bigint, m: bigint): bigint {
  let result = 1n;
  for (let square = modulo(base, m), e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = result * square % m;
    square = square * square % m;
  }
  return result;
}

/** The inverse of `a` mod `m`, which need not be prime. */
export function inverse(a: bigint, m: bigint): bigint {
  let [r0, r1] = [m, modulo(a, m)];
  let [s0, s1] = [0n, 1n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1] = [r1, r0 - quotient * r1];
    [s0, s1] = [s1, s0 - quotient * s1];
  }
  if (r0 !== 1n) throw new Error("An element without an inverse");
  return modulo(s0, m);
}

/** An element c0 + c1 u of Fp2 = Fp[u] / (u^2 + 1). */
export type Fp2 = readonly [c0: bigint, c1: bigint];

/** The product of two elements of Fp2. */
export function multiplyFp2([a0, a1]: Fp2, [b0, b1]: Fp2): Fp2 {
  return [modulo(a0 * b0 - a1 * b1, P), modulo(a0 * b1 + a1 * b0, P)];
}

/** `base` to `exponent` in Fp2. */
export function powerFp2(base: Fp2, exponent: bigint): Fp2 {
  let result: Fp2 = [1n, 0n];
  for (let square = base, e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = multiplyFp2(result, square);
    square = multiplyFp2(square, square);
  }
  return result;
}
