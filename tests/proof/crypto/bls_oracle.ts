/**
 * BLS12-381 by its definitions. Uses only the field arithmetic and the complete addition formulas
 * of `@noble/curves`; encodings, membership and multiples are implemented here, without
 * endomorphisms, windows or caches.
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { concat } from "../../../src/base/bytes.ts";
import type { Bytes } from "../../../src/base/bytes.ts";

export const { Fp, Fp2 } = bls12_381.fields;
export const G1 = bls12_381.G1.Point;
export const G2 = bls12_381.G2.Point;

export type G1Point = InstanceType<typeof G1>;
export type G2Point = InstanceType<typeof G2>;

/** Order of the base field. */
export const P = Fp.ORDER;

/** Order of the groups. */
export const R = bls12_381.fields.Fr.ORDER;

/** |x|, the absolute value of the curve's parameter: r = x^4 - x^2 + 1. */
export const X = 0xd201000000010000n;

/** Cofactors of G1 in E(Fp) and of G2 in E'(Fp2). Both are odd. */
export const H1 = (X + 1n) ** 2n / 3n;
export const H2 = (X ** 8n + 4n * X ** 7n + 5n * X ** 6n - 4n * X ** 4n - 6n * X ** 3n -
  4n * X ** 2n + 4n * X + 13n) / 9n;

interface Group<Point> {
  add(other: Point): Point;
  double(): Point;
  is0(): boolean;
}

/**
 * [scalar]point for any scalar, also beyond the order of the point. The formulas are complete on
 * curves without points of order two, and both orders are odd.
 */
export function multiple<Point extends Group<Point>>(
  point: Point,
  scalar: bigint,
  zero: Point,
): Point {
  let sum = zero;
  for (const bit of scalar.toString(2)) {
    sum = sum.double();
    if (bit === "1") sum = sum.add(point);
  }
  return sum;
}

/** 32 bytes big-endian, the form of a secret key; accepts invalid scalars too. */
export function scalarBytes(scalar: bigint): Bytes {
  return bigEndian(scalar, 32);
}

/** `length` bytes big-endian. */
export function bigEndian(value: bigint, length: number): Bytes {
  return Uint8Array.fromHex(value.toString(16).padStart(2 * length, "0"));
}

/** The flags of a compressed encoding, in the first byte. */
export const COMPRESSED = 0x80;
export const INFINITY = 0x40;
export const SIGN = 0x20;

/** An encoding of G1 with these flags: 48 bytes, `x` below 2^381. */
export function encodingOfG1(x: bigint, flags: number): Bytes {
  const bytes = bigEndian(x, 48);
  bytes[0]! |= flags;
  return bytes;
}

/** An encoding of G2 with these flags: 96 bytes, c1 before c0. */
export function encodingOfG2(c0: bigint, c1: bigint, flags: number): Bytes {
  const bytes = concat(bigEndian(c1, 48), bigEndian(c0, 48));
  bytes[0]! |= flags;
  return bytes;
}

/** The sign of y: true if y is larger than -y; in Fp2, c1 is compared before c0. */
function isLarger(y: bigint): boolean {
  return 2n * y > P;
}

/** Compressed form of any point of E(Fp), in the subgroup or not. */
export function encodeG1(point: G1Point): Bytes {
  if (point.is0()) return encodingOfG1(0n, COMPRESSED | INFINITY);
  const { x, y } = point.toAffine();
  return encodingOfG1(x, COMPRESSED | (isLarger(y) ? SIGN : 0));
}

/** Compressed form of any point of E'(Fp2), in the subgroup or not. */
export function encodeG2(point: G2Point): Bytes {
  if (point.is0()) return encodingOfG2(0n, 0n, COMPRESSED | INFINITY);
  const { x, y } = point.toAffine();
  const sign = isLarger(y.c1 === 0n ? y.c0 : y.c1) ? SIGN : 0;
  return encodingOfG2(x.c0, x.c1, COMPRESSED | sign);
}

/** The encoding of -P from that of P, which is not the identity. */
export function negated(encoding: Uint8Array): Bytes {
  const bytes = Uint8Array.from(encoding);
  bytes[0]! ^= SIGN;
  return bytes;
}

/** A point of E(Fp) with this x, or `undefined`. One of H1 is in the subgroup. */
export function pointOfG1(x: bigint): G1Point | undefined {
  const square = Fp.add(Fp.mul(Fp.sqr(x), x), 4n);
  const y = rootOf(() => Fp.sqrt(square));
  return y === undefined ? undefined : new G1(x, y, Fp.ONE);
}

/** A point of E'(Fp2) with this x, or `undefined`. */
export function pointOfG2(c0: bigint, c1: bigint): G2Point | undefined {
  const x = Fp2.create({ c0, c1 });
  const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.create({ c0: 4n, c1: 4n }));
  const y = rootOf(() => Fp2.sqrt(square));
  return y === undefined ? undefined : new G2(x, y, Fp2.ONE);
}

function rootOf<T>(root: () => T): T | undefined {
  try {
    return root();
  } catch {
    return undefined;
  }
}

/** hash_to_curve of RFC 9380 for G1, compressed. */
export function hashedToG1(message: Uint8Array, dst: string): G1Point {
  return bls12_381.G1.hashToCurve(message, { DST: dst });
}

/** [scalar] of the generator of G2, compressed: a public key. */
export function publicKeyOf(scalar: bigint): Bytes {
  return encodeG2(multiple(G2.BASE, scalar, G2.ZERO));
}

/** [scalar] of the hashed message, compressed: a signature. */
export function signatureOf(scalar: bigint, message: Uint8Array, dst: string): Bytes {
  return encodeG1(multiple(hashedToG1(message, dst), scalar, G1.ZERO));
}
