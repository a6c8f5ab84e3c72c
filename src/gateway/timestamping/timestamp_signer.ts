/**
 * The key of a time-stamp authority.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

export const TIMESTAMP_SCHEMES = ["ecdsa-p256", "rsa-3072"] as const;

/** ECDSA on P-256, or RSASSA-PKCS1-v1_5 with at least 3,072 bits, each with SHA-256. */
export type TimestampScheme = typeof TIMESTAMP_SCHEMES[number];

export interface TimestampSigner {
  readonly scheme: TimestampScheme;
  /** DER of SubjectPublicKeyInfo. */
  readonly publicKey: Bytes;
  /** The signature of `message` as CMS has it: DER of an Ecdsa-Sig-Value, or the bytes of RSA. */
  sign(message: Bytes): Promise<Bytes>;
}

/** A key with its certificates. */
export interface TimestampIdentity {
  readonly signer: TimestampSigner;
  /** DER, the signer's first, each followed by its issuer's. */
  readonly certificates: readonly [signer: Bytes, ...issuers: Bytes[]];
  /** Dotted object identifier. */
  readonly policy: string;
}
