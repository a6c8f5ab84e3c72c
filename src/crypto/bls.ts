/**
 * The `bls` signature scheme (protocol.md "Signature schemes"): BLS12-381 in the
 * minimal-signature-size variant of
 * draft-irtf-cfrg-bls-signature-06. Signatures are points of G1, 48 bytes compressed; public keys
 * are points of G2, 96 bytes compressed; secret keys are scalars, 32 bytes big-endian in [1, r-1].
 *
 * Everything that signs or verifies takes a {@linkcode Bls}, so that the portable implementation
 * and the compiled one are interchangeable and testable side by side. The identity is refused as
 * key, aggregate key and signature everywhere.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { BlsVerifier } from "./bls_verifier.ts";
import { BLS_POSSESSION_DST } from "./domains.ts";

/** Bytes of a secret key. */
export const BLS_SECRET_LENGTH = 32;

/** One signature by all of `publicKeys`, to be verified among others. */
export interface BlsCheck {
  /** 96 bytes each, at least one. The caller knows that their owners possess them. */
  readonly publicKeys: readonly Uint8Array[];
  readonly message: Uint8Array;
  /** 48 bytes. */
  readonly signature: Uint8Array;
}

/** All operations of the draft. A bad secret key throws `invalid_key`. */
export interface Bls extends BlsVerifier {
  /** KeyGen (section 2.3) of at least 32 secret bytes, with an empty key_info. */
  keyGen(keyMaterial: Uint8Array): Bytes;

  /** SkToPk (section 2.4). */
  skToPk(secretKey: Uint8Array): Bytes;

  /** CoreSign (section 2.6). No branch and no address depends on `secretKey`. */
  sign(secretKey: Uint8Array, message: Uint8Array, dst: string): Bytes;

  /** The same check of a signature: signature_subgroup_check, and not the identity. */
  signatureValidate(signature: Uint8Array): boolean;

  /** hash_to_curve of RFC 9380 section 3, suite BLS12381G1_XMD:SHA-256_SSWU_RO_, compressed. */
  hashToG1(message: Uint8Array, dst: string): Bytes;

  /** Aggregate (section 2.8): the sum, `undefined` of none or when any, or the sum, is refused. */
  aggregate(signatures: readonly Uint8Array[]): Bytes | undefined;

  /** The sum of public keys, `undefined` of none or when any, or the sum, is refused. */
  aggregateKeys(publicKeys: readonly Uint8Array[]): Bytes | undefined;

  /**
   * {@linkcode fastAggregateVerify} of many at once, each with its verdict: one random linear
   * combination of all, bisected where it fails. A wrong one passes with probability 2^-128.
   */
  batchVerify(checks: readonly BlsCheck[], dst: string): boolean[];
}

/** PopProve (section 3.3.2): 48 bytes that show possession of `secretKey`. */
export function popProve(bls: Bls, secretKey: Uint8Array): Bytes {
  return bls.sign(secretKey, bls.skToPk(secretKey), BLS_POSSESSION_DST);
}
