/**
 * {@linkcode Bls} in plain JavaScript over noble's points and pairing: runs anywhere, and is the
 * oracle for any faster implementation. Noble's own signature functions are never called, so that
 * every check stands here. BigInt arithmetic is not constant time: whoever can time a signature to
 * the nanosecond may learn of its key.
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { type Bytes, equalBytes, hexOf } from "../bytes.ts";
import { type Bls, BLS_SECRET_LENGTH, type BlsCheck } from "./bls.ts";
import { generateKey, invalidSecret } from "./bls_key_gen.ts";
import { KeyCache } from "./key_cache.ts";

const { G1: { Point: G1 }, G2: { Point: G2 }, fields: { Fp12 } } = bls12_381;
type G1 = typeof G1.BASE;
type G2 = typeof G2.BASE;
/** The lines of a Miller loop over one fixed point of G2. */
type Lines = ReturnType<typeof bls12_381.utils.calcPairingPrecomputes>;

/** Order of both groups, `r` of the draft. */
const ORDER = G1.Fn.ORDER;
const SIGNATURE_LENGTH = 48;
const PUBLIC_KEY_LENGTH = 96;
const COEFFICIENT_LENGTH = 16;

/** A key that was decoded and validated; its lines are made at its first verification. */
interface ValidKey {
  readonly point: G2;
  lines?: Lines;
}

/** Validating a key takes as long as the rest of a verification. */
const validKeys = new KeyCache<ValidKey>(1024);
let generatorLines: Lines | undefined;

/** What `decode` makes of the one canonical encoding of a point other than the identity. */
function decodePoint<Point extends G1 | G2>(
  encoding: Uint8Array,
  length: number,
  decode: (encoding: Uint8Array) => Point,
): Point | undefined {
  // Before anything else: noble decodes the uncompressed form of twice the length as well.
  if (encoding.length !== length) return undefined;
  let point;
  try {
    // Refuses what is off the curve or outside the subgroup of order r.
    point = decode(encoding);
    point.assertValidity();
  } catch {
    return undefined;
  }
  return point.is0() || !equalBytes(point.toBytes(true), encoding) ? undefined : point;
}

function decodeSignature(signature: Uint8Array): G1 | undefined {
  return decodePoint(signature, SIGNATURE_LENGTH, (encoding) => G1.fromBytes(encoding));
}

function decodeKey(publicKey: Uint8Array): ValidKey | undefined {
  const kept = validKeys.get(publicKey);
  if (kept !== undefined) return kept;
  const point = decodePoint(publicKey, PUBLIC_KEY_LENGTH, (encoding) => G2.fromBytes(encoding));
  if (point === undefined) return undefined;
  const key = { point };
  validKeys.set(publicKey, key);
  return key;
}

/** The sum of `points`, `undefined` of none, when one was refused, or when it is the identity. */
function sumOf<Point extends G1 | G2>(
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

function sumOfKeys(publicKeys: readonly Uint8Array[]): ValidKey | undefined {
  if (publicKeys.length === 1) return decodeKey(publicKeys[0]!);
  const point = sumOf<G2>(G2.ZERO, publicKeys.map((publicKey) => decodeKey(publicKey)?.point));
  return point === undefined ? undefined : { point };
}

/** The scalar of `secretKey`; `invalid_key` outside [1, r-1]. */
function scalarOf(secretKey: Uint8Array): bigint {
  const scalar = secretKey.length === BLS_SECRET_LENGTH ? bytesToNumberBE(secretKey) : 0n;
  if (scalar > 0n && scalar < ORDER) return scalar;
  throw invalidSecret();
}

function hashPoint(message: Uint8Array, dst: string): G1 {
  // An instance, though noble's types promise less of what its hasher answers.
  return bls12_381.G1.hashToCurve(message, { DST: dst }) as G1;
}

/** e(`signature`, -P2) times the product of all e(point, key) is one. */
function isPairingOne(
  signature: G1,
  terms: readonly { readonly point: G1; readonly key: ValidKey }[],
): boolean {
  generatorLines ??= bls12_381.utils.calcPairingPrecomputes(G2.BASE.negate());
  const pairs: Parameters<typeof bls12_381.millerLoopBatch>[0] = [];
  const push = (point: G1, lines: Lines) => {
    // The identity contributes one; a loop over it would not.
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

/** A check whose points are decoded and validated. */
interface DecodedCheck {
  readonly index: number;
  readonly key: ValidKey;
  /** Equal for equal aggregate keys. */
  readonly keyId: string;
  readonly hash: G1;
  readonly signature: G1;
}

function decodeCheck(check: BlsCheck, index: number, dst: string): DecodedCheck | undefined {
  const key = sumOfKeys(check.publicKeys);
  const signature = decodeSignature(check.signature);
  if (key === undefined || signature === undefined) return undefined;
  const keyId = hexOf(key.point.toBytes(true));
  return { index, key, keyId, hash: hashPoint(check.message, dst), signature };
}

function randomCoefficient(): bigint {
  return bytesToNumberBE(crypto.getRandomValues(new Uint8Array(COEFFICIENT_LENGTH)));
}

/**
 * True when a random linear combination of `checks` holds. Each coefficient is fresh: whoever made
 * the signatures cannot have had them cancel one another.
 */
function combinationHolds(checks: readonly DecodedCheck[]): boolean {
  let sum: G1 = G1.ZERO;
  const terms = new Map<string, { point: G1; readonly key: ValidKey }>();
  for (const { key, keyId, hash, signature } of checks) {
    const coefficient = checks.length === 1 ? 1n : randomCoefficient();
    sum = sum.add(signature.multiplyUnsafe(coefficient));
    const term = terms.get(keyId) ?? { point: G1.ZERO, key };
    term.point = term.point.add(hash.multiplyUnsafe(coefficient));
    terms.set(keyId, term);
  }
  return isPairingOne(sum, [...terms.values()]);
}

/** Calls `good` with every check that holds, by halving what does not hold together. */
function bisect(checks: readonly DecodedCheck[], good: (check: DecodedCheck) => void): void {
  if (checks.length === 0) return;
  if (combinationHolds(checks)) return checks.forEach(good);
  if (checks.length === 1) return;
  const middle = Math.ceil(checks.length / 2);
  bisect(checks.slice(0, middle), good);
  bisect(checks.slice(middle), good);
}

/** The portable implementation: about 5 ms for a verification. */
export const portableBls: Bls = {
  keyGen: generateKey,

  skToPk: (secretKey) => G2.BASE.multiply(scalarOf(secretKey)).toBytes(true) as Bytes,

  sign(secretKey, message, dst) {
    const scalar = scalarOf(secretKey);
    return hashPoint(message, dst).multiply(scalar).toBytes(true) as Bytes;
  },

  keyValidate: (publicKey) => decodeKey(publicKey) !== undefined,

  signatureValidate: (signature) => decodeSignature(signature) !== undefined,

  hashToG1: (message, dst) => hashPoint(message, dst).toBytes(true) as Bytes,

  verify(publicKey, message, signature, dst) {
    return portableBls.fastAggregateVerify([publicKey], message, signature, dst);
  },

  aggregate(signatures) {
    return sumOf<G1>(G1.ZERO, signatures.map(decodeSignature))?.toBytes(true) as Bytes | undefined;
  },

  aggregateKeys(publicKeys) {
    return sumOfKeys(publicKeys)?.point.toBytes(true) as Bytes | undefined;
  },

  fastAggregateVerify(publicKeys, message, signature, dst) {
    const check = decodeCheck({ publicKeys, message, signature }, 0, dst);
    return check !== undefined && combinationHolds([check]);
  },

  batchVerify(checks, dst) {
    const verdicts = checks.map(() => false);
    const decoded = checks.map((check, index) => decodeCheck(check, index, dst));
    bisect(decoded.filter((check) => check !== undefined), ({ index }) => {
      verdicts[index] = true;
    });
    return verdicts;
  },
};
