/**
 * {@linkcode BlsVerifier} in plain JavaScript with noble's points and pairing; runs anywhere. It
 * calls none of noble's signature functions, so this file contains every check.
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { equalBytes } from "../../base/bytes.ts";
import type { BlsVerifier } from "./bls_verifier.ts";
import { KeyCache } from "./key_cache.ts";

const { G1: { Point: G1 }, G2: { Point: G2 }, fields: { Fp12 } } = bls12_381;
export type G1 = typeof G1.BASE;
export type G2 = typeof G2.BASE;
/** The lines of a Miller loop over one fixed point of G2. */
type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

const SIGNATURE_LENGTH = 48;
const PUBLIC_KEY_LENGTH = 96;

/** A decoded and validated key. Its lines are computed at the first verification. */
export interface ValidKey {
  readonly point: G2;
  lines?: Lines;
}

/** Validating a key takes as long as the rest of a verification. */
const validKeys = new KeyCache<ValidKey>(1024);
let generatorLines: Lines | undefined;

/** Decodes the canonical encoding of a point other than the identity; otherwise `undefined`. */
function decodePoint<Point extends G1 | G2>(
  encoding: Uint8Array,
  length: number,
  decode: (encoding: Uint8Array) => Point,
): Point | undefined {
  // Checked first: noble also decodes the uncompressed form, which is twice as long.
  if (encoding.length !== length) return undefined;
  let point;
  try {
    // Refuses points off the curve or outside the subgroup of order r.
    point = decode(encoding);
    point.assertValidity();
  } catch {
    return undefined;
  }
  return point.is0() || !equalBytes(point.toBytes(true), encoding) ? undefined : point;
}

export function decodeSignature(signature: Uint8Array): G1 | undefined {
  return decodePoint(signature, SIGNATURE_LENGTH, (encoding) => G1.fromBytes(encoding));
}

export function decodeKey(publicKey: Uint8Array): ValidKey | undefined {
  const kept = validKeys.get(publicKey);
  if (kept !== undefined) return kept;
  const point = decodePoint(publicKey, PUBLIC_KEY_LENGTH, (encoding) => G2.fromBytes(encoding));
  if (point === undefined) return undefined;
  const key = { point };
  validKeys.set(publicKey, key);
  return key;
}

/** The sum of `points`; `undefined` for no points, an invalid point, or the identity as sum. */
export function sumOf<Point extends G1 | G2>(
  zero: Point,
  points: readonly (Point | undefined)[],
): Point | undefined {
  let sum = zero;
  for (const point of points) {
    if (point === undefined) return undefined;
    sum = sum.add(point as never) as Point;
  }
  return sum.is0() ? undefined : sum;
}

export function sumOfKeys(publicKeys: readonly Uint8Array[]): ValidKey | undefined {
  if (publicKeys.length === 1) return decodeKey(publicKeys[0]!);
  const point = sumOf<G2>(G2.ZERO, publicKeys.map((publicKey) => decodeKey(publicKey)?.point));
  return point === undefined ? undefined : { point };
}

export function hashPoint(message: Uint8Array, dst: string): G1 {
  // The hasher returns an instance of the point class, which noble's types do not say.
  return bls12_381.G1.hashToCurve(message, { DST: dst }) as G1;
}

/** True if e(`signature`, -P2) times the product of all e(point, key) is one. */
export function isPairingOne(
  signature: G1,
  terms: readonly { readonly point: G1; readonly key: ValidKey }[],
): boolean {
  generatorLines ??= bls12_381.utils.calcPairingPrecomputes(G2.BASE.negate());
  const pairs: Parameters<typeof bls12_381.millerLoopBatch>[0] = [];
  const push = (point: G1, lines: Lines) => {
    // The pairing of the identity is one, but a Miller loop over it is not.
    if (point.is0()) return;
    const { x, y } = point.toAffine();
    pairs.push([lines, x, y]);
  };
  push(signature, generatorLines);
  for (const { point, key } of terms) {
    push(point, key.lines ??= bls12_381.utils.calcPairingPrecomputes(key.point));
  }
  const product = Fp12.finalExponentiate(bls12_381.millerLoopBatch(pairs));
  return Fp12.eql(product, Fp12.ONE);
}

/** The portable verifier; a verification takes about 5 ms. */
export const portableBlsVerifier: BlsVerifier = {
  keyValidate: (publicKey) => decodeKey(publicKey) !== undefined,

  verify(publicKey, message, signature, dst) {
    return portableBlsVerifier.fastAggregateVerify([publicKey], message, signature, dst);
  },

  fastAggregateVerify(publicKeys, message, signature, dst) {
    const key = sumOfKeys(publicKeys);
    const point = decodeSignature(signature);
    return key !== undefined && point !== undefined &&
      isPairingOne(point, [{ point: hashPoint(message, dst), key }]);
  },
};
