/**
 * The `bls` signature scheme (protocol.md "Signature schemes"): BLS12-381 in the
 * minimal-signature-size variant of draft-irtf-cfrg-bls-signature-06. Signatures are points of G1, 48 bytes compressed; public keys
 * are points of G2, 96 bytes compressed; secret keys are scalars, 32 bytes big-endian in [1, r-1].
 *
 * {@linkcode Bls} has a portable and a compiled implementation. Both refuse the identity as key,
 * aggregate key and signature.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { BlsVerifier } from "./bls_verifier.ts";
import { BLS_POSSESSION_DST } from "./domains.ts";

/** Bytes of a secret key. */
export const BLS_SECRET_LENGTH = 32;

/** One signature by all of `publicKeys`, for batch verification. */
export interface BlsCheck {
  /** 96 bytes each, at least one, with verified proofs of possession. */
  readonly publicKeys: readonly Uint8Array[];
  readonly message: Uint8Array;
  /** 48 bytes. */
  readonly signature: Uint8Array;
}

/** The operations of the draft on keys that exist. A bad secret key throws `invalid_key`. */
export interface Bls extends BlsVerifier {
  /** SkToPk (section 2.4). */
  skToPk(secretKey: Uint8Array): Bytes;

  /** CoreSign (section 2.6). No branch and no address depends on `secretKey`. */
  sign(secretKey: Uint8Array, message: Uint8Array, dst: string): Bytes;

  /** True for a point of the subgroup other than the identity. */
  signatureValidate(signature: Uint8Array): boolean;

  /** hash_to_curve of RFC 9380 section 3, suite BLS12381G1_XMD:SHA-256_SSWU_RO_, compressed. */
  hashToG1(message: Uint8Array, dst: string): Bytes;

  /** Aggregate (section 2.8); `undefined` for an empty list, or if a part or the sum is invalid. */
  aggregate(signatures: readonly Uint8Array[]): Bytes | undefined;

  /** The sum of public keys; `undefined` like {@linkcode Bls.aggregate}. */
  aggregateKeys(publicKeys: readonly Uint8Array[]): Bytes | undefined;

  /**
   * {@linkcode fastAggregateVerify} of many checks, with a result for each: verifies one random linear
   * combination, and bisects if it fails. An invalid check passes with probability 2^-128.
   */
  batchVerify(checks: readonly BlsCheck[], dst: string): boolean[];
}

/** The error for a secret key of another length or outside [1, r-1]. */
export function invalidSecret(): CountersignError {
  return new CountersignError(
    "invalid_key",
    "Cannot use BLS secret key: it is not 32 bytes big-endian in [1, r-1]",
  );
}

/** PopProve (section 3.3.2): a proof of possession of `secretKey`, 48 bytes. */
export function popProve(bls: Bls, secretKey: Uint8Array): Bytes {
  return bls.sign(secretKey, bls.skToPk(secretKey), BLS_POSSESSION_DST);
}
