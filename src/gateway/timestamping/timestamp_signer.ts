/**
 * The key of a time-stamp authority.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { Certificate } from "../../proof/timestamp/certificate.ts";

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

/** Certificates of an authority: that of its key first, each followed by its issuer's. */
export type CertificateChain = readonly [signer: Certificate, ...issuers: Certificate[]];

/** A key with its certificates. */
export interface TimestampIdentity {
  readonly signer: TimestampSigner;
  readonly certificates: CertificateChain;
  /** Dotted object identifier. */
  readonly policy: string;
}
