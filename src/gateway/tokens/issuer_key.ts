/**
 * The key pairs of an issuer (RFC 9578 section 6.2).
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { BlindRsaSigner, generateBlindRsaKey } from "../../proof/crypto/blind_rsa_signer.ts";
import { tokenKeyIdOf } from "../../proof/format/privacy_pass.ts";
import type { KeyPeriod } from "./key_schedule.ts";

/** A private key, as a key file holds it. */
export interface IssuerSecret extends KeyPeriod {
  /** PKCS #8. Never logged and never served. */
  readonly privateKey: Bytes;
  /** SubjectPublicKeyInfo, as in the directory. */
  readonly tokenKey: Bytes;
}

/** A key that signs and does not expose its private part. */
export interface IssuerKey extends KeyPeriod {
  readonly tokenKey: Bytes;
  /** The last byte of the token key ID, by which a request names its key. */
  readonly truncatedId: number;
  readonly signer: Pick<BlindRsaSigner, "checkBlinded" | "sign">;
}

/** The last byte of the ID of a token key. */
export function truncatedIdOf(tokenKey: Uint8Array): number {
  return tokenKeyIdOf(tokenKey).at(-1)!;
}

/** Loads `secret` for signing. */
export function issuerKeyOf(secret: IssuerSecret): IssuerKey {
  const { tokenKey, privateKey, notBefore, notAfter } = secret;
  return {
    tokenKey,
    notBefore,
    notAfter,
    truncatedId: truncatedIdOf(tokenKey),
    signer: new BlindRsaSigner(privateKey),
  };
}

/** The public key of a private one; `invalid_key`. */
export function tokenKeyOf(privateKey: Uint8Array): Bytes {
  return new BlindRsaSigner(privateKey).publicKey.spki;
}

/** Generates a key for `period`. */
export async function generateIssuerSecret(
  { notBefore, notAfter }: KeyPeriod,
): Promise<IssuerSecret> {
  const privateKey = await generateBlindRsaKey();
  return { privateKey, tokenKey: tokenKeyOf(privateKey), notBefore, notAfter };
}
