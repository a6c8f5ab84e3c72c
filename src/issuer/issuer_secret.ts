/**
 * One key pair of an issuer, and when it serves.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { BlindRsaSigner, generateBlindRsaKey } from "../crypto/blind_rsa_signer.ts";
import { loadVoprf } from "../crypto/voprf.ts";
import { TOKEN_TYPE, type TokenType } from "../format/privacy_pass.ts";

/** From when to when a key serves, in Unix seconds. */
export interface KeyPeriod {
  /** The first second in which it signs. */
  readonly notBefore: number;
  /** The first second in which its tokens are taken no more. */
  readonly notAfter: number;
}

/** A private key: an issuer's, and of type 1 also that of a gateway which takes its tokens. */
export interface IssuerSecret extends KeyPeriod {
  readonly tokenType: TokenType;
  /** PKCS #8 (type 2), or a scalar of 48 bytes (type 1). Never logged, on no route. */
  readonly privateKey: Bytes;
  /** As a directory has it: SubjectPublicKeyInfo (type 2), or a compressed point (type 1). */
  readonly tokenKey: Bytes;
}

/** The public key of a private one; `invalid_key`. */
export async function tokenKeyOf(tokenType: TokenType, privateKey: Uint8Array): Promise<Bytes> {
  return tokenType === TOKEN_TYPE.blindRsa
    ? new BlindRsaSigner(privateKey).publicKey.spki
    : (await loadVoprf()).publicKeyOf(privateKey);
}

/** A new key of `tokenType` for `period`. */
export async function generateIssuerSecret(
  tokenType: TokenType,
  { notBefore, notAfter }: KeyPeriod,
): Promise<IssuerSecret> {
  const privateKey = tokenType === TOKEN_TYPE.blindRsa
    ? await generateBlindRsaKey()
    : (await loadVoprf()).generateKeyPair().privateKey;
  const tokenKey = await tokenKeyOf(tokenType, privateKey);
  return { tokenType, privateKey, tokenKey, notBefore, notAfter };
}
