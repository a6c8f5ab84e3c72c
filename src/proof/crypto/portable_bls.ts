/**
 * {@linkcode Bls} in plain JavaScript with noble's points and pairing, also the test oracle for the
 * compiled implementation. BigInt arithmetic is not constant time: precise timing of signatures may
 * leak the key.
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { bytesToNumberBE } from "@noble/curves/utils.js";
import { type Bytes, hexOf } from "../../base/bytes.ts";
import { type Bls, BLS_SECRET_LENGTH, type BlsCheck, invalidSecret } from "./bls.ts";
import {
  decodeSignature,
  hashPoint,
  isPairingOne,
  portableBlsVerifier,
  sumOf,
  sumOfKeys,
  type ValidKey,
} from "./portable_bls_verifier.ts";

const { G1: { Point: G1 }, G2: { Point: G2 } } = bls12_381;
type G1 = typeof G1.BASE;

/** Order of both groups, `r` of the draft. */
const ORDER = G1.Fn.ORDER;
const COEFFICIENT_LENGTH = 16;

/** The scalar of `secretKey`; `invalid_key` outside [1, r-1]. */
function scalarOf(secretKey: Uint8Array): bigint {
  const scalar = secretKey.length === BLS_SECRET_LENGTH ? bytesToNumberBE(secretKey) : 0n;
  if (scalar > 0n && scalar < ORDER) return scalar;
  throw invalidSecret();
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
 * True if a random linear combination of `checks` holds. Fresh coefficients keep crafted signatures
 * from cancelling each other.
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

/** Calls `good` with every valid check, by bisection. */
function bisect(checks: readonly DecodedCheck[], good: (check: DecodedCheck) => void): void {
  if (checks.length === 0) return;
  if (combinationHolds(checks)) return checks.forEach(good);
  if (checks.length === 1) return;
  const middle = Math.ceil(checks.length / 2);
  bisect(checks.slice(0, middle), good);
  bisect(checks.slice(middle), good);
}

/** The portable implementation. */
export const portableBls: Bls = {
  ...portableBlsVerifier,

  skToPk: (secretKey) => G2.BASE.multiply(scalarOf(secretKey)).toBytes(true) as Bytes,

  sign(secretKey, message, dst) {
    const scalar = scalarOf(secretKey);
    return hashPoint(message, dst).multiply(scalar).toBytes(true) as Bytes;
  },

  signatureValidate: (signature) => decodeSignature(signature) !== undefined,

  hashToG1: (message, dst) => hashPoint(message, dst).toBytes(true) as Bytes,

  aggregate(signatures) {
    return sumOf<G1>(G1.ZERO, signatures.map(decodeSignature))?.toBytes(true) as Bytes | undefined;
  },

  aggregateKeys(publicKeys) {
    return sumOfKeys(publicKeys)?.point.toBytes(true) as Bytes | undefined;
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
