/**
 * Verification of the `bls` scheme (docs/verification.md, rule S10).
 *
 * @module
 */

import { BLS_POSSESSION_DST } from "./domains.ts";

/**
 * Verification, with the names of the draft. Never throws: wrong lengths, encodings that are not
 * canonical, points off the curve or outside the subgroup of order r, and the identity give `false`
 * or `undefined`. `dst` is the domain separation tag of RFC 9380 section 3.1 as ASCII text.
 */
export interface BlsVerifier {
  /** KeyValidate (section 2.5). */
  keyValidate(publicKey: Uint8Array): boolean;

  /** CoreVerify (section 2.7). */
  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, dst: string): boolean;

  /**
   * FastAggregateVerify (section 3.3.4): `signature` is the sum of signatures by all `publicKeys`
   * over one message. Sound only for keys whose possession was proven. False for no keys.
   */
  fastAggregateVerify(
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
    signature: Uint8Array,
    dst: string,
  ): boolean;
}

/** PopVerify (section 3.3.3). */
export function popVerify(
  bls: Pick<BlsVerifier, "verify">,
  publicKey: Uint8Array,
  proof: Uint8Array,
): boolean {
  return bls.verify(publicKey, publicKey, proof, BLS_POSSESSION_DST);
}
