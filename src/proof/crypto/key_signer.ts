/**
 * The interface of private keys: of a witness, a log or a time-stamp authority, in a file or elsewhere.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

/**
 * The schemes of private keys. Keys of ML-DSA-44 are further ones. The last two are of time-stamp
 * authorities; their public keys are DER of a SubjectPublicKeyInfo.
 */
export type KeyScheme = "ed25519" | "bls" | "ml-dsa-44" | "ecdsa-p256" | "rsa-3072";

/** Signs with one key. */
export interface KeySigner<S extends KeyScheme = "ed25519" | "bls"> {
  readonly scheme: S;
  readonly publicKey: Bytes;
  /** Present for a `bls` key in a file. */
  readonly proofOfPossession?: Bytes;
  /** For a key at a signer: whether its last request failed. */
  readonly isAway?: boolean;
  /**
   * The signature of `message`. With a key in a file it is returned at once. Otherwise the signer is asked, and
   * its answer verified; `signer_unavailable`.
   */
  sign(message: Uint8Array): Bytes | Promise<Bytes>;
}

/** Signs with an ML-DSA-44 key. */
export interface MlDsaKeySigner extends KeySigner<"ml-dsa-44"> {
  sign(message: Uint8Array): Promise<Bytes>;
}
