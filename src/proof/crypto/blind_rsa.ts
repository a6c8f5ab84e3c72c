/**
 * RSABSSA-SHA384-PSS-Deterministic (RFC 9474 section 5) with keys of 2,048 bits, for tokens of type 2
 * (RFC 9578 section 6): public keys.
 *
 * A public key is a SubjectPublicKeyInfo with the OID and the parameters of RSASSA-PSS (RFC 9578
 * section 6.5). Only the exponent 65,537 is accepted: a key has one encoding of 342 bytes.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, fromHex, hexOf } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";

const invalid = errorBuilder("invalid_key", "Cannot use blind RSA key");

/** Length in bytes of a modulus, a blinded message and a signature. */
export const BLIND_RSA_LENGTH = 256;

/** Length in bytes of the salt of RSASSA-PSS. */
export const BLIND_RSA_SALT_LENGTH = 48;

/** The public exponent of every key. */
export const BLIND_RSA_EXPONENT = 65_537n;

/** DER before the modulus and after it: rsassaPss, SHA-384, MGF1 with SHA-384, 48; and 65,537. */
const PSS_PREFIX = fromHex(
  "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d01" +
    "0108300b0609608648016503040202a2030201300382010f003082010a0282010100",
);
const SUFFIX = fromHex("0203010001");

/** A public key of 2,048 bits. */
export interface BlindRsaKey {
  /** The SubjectPublicKeyInfo: the token key of RFC 9578, whose SHA-256 is the token key ID. */
  readonly spki: Bytes;
  readonly modulus: bigint;
}

/** The big-endian integer of `bytes` (RFC 8017 section 4.2, OS2IP). */
export function integerOfBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x${hexOf(bytes)}`);
}

/** The {@linkcode BLIND_RSA_LENGTH} bytes, big-endian, of an integer (RFC 8017 section 4.1, I2OSP). */
export function bytesOfInteger(integer: bigint): Bytes {
  return fromHex(integer.toString(16).padStart(2 * BLIND_RSA_LENGTH, "0"));
}

/** The key with `modulus`; `invalid_key` unless it has 2,048 bits and is odd. */
export function blindRsaKeyOf(modulus: Uint8Array): BlindRsaKey {
  if (
    modulus.length !== BLIND_RSA_LENGTH || modulus[0]! < 0x80 || modulus.at(-1)! % 2 === 0
  ) throw invalid("the modulus is not an odd integer of 2048 bits");
  return { spki: concat(PSS_PREFIX, modulus, SUFFIX), modulus: integerOfBytes(modulus) };
}

/** Reads a public key in its only encoding; `invalid_key`. */
export function readBlindRsaKey(spki: Uint8Array): BlindRsaKey {
  const end = PSS_PREFIX.length + BLIND_RSA_LENGTH;
  if (
    spki.length !== end + SUFFIX.length ||
    !equalBytes(spki.subarray(0, PSS_PREFIX.length), PSS_PREFIX) ||
    !equalBytes(spki.subarray(end), SUFFIX)
  ) {
    throw invalid(
      `${spki.length} bytes are not the DER of an RSASSA-PSS key of 2048 bits with SHA-384, a ` +
        "salt of 48 bytes and the exponent 65537",
    );
  }
  return blindRsaKeyOf(spki.subarray(PSS_PREFIX.length, end));
}
