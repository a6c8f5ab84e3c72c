/**
 * RSABSSA-SHA384-PSS-Deterministic (RFC 9474 section 5) with keys of 2,048 bits, for tokens of type 2
 * (RFC 9578 section 6): public keys, and the verification of signatures, which are RSASSA-PSS
 * signatures with a salt of 48 bytes.
 *
 * A public key is a SubjectPublicKeyInfo with the OID and the parameters of RSASSA-PSS (RFC 9578
 * section 6.5). Only the exponent 65,537 is accepted: a key has one encoding of 342 bytes.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { type Bytes, concat, equalBytes } from "../bytes.ts";
import { errorBuilder } from "../errors.ts";

const invalid = errorBuilder("invalid_key", "Cannot use blind RSA key");

/** Length in bytes of a modulus, a blinded message and a signature. */
export const BLIND_RSA_LENGTH = 256;

/** Length in bytes of the salt of RSASSA-PSS. */
export const BLIND_RSA_SALT_LENGTH = 48;

/** The public exponent of every key. */
export const BLIND_RSA_EXPONENT = 65_537n;

/** DER before the modulus and after it: rsassaPss, SHA-384, MGF1 with SHA-384, 48; and 65,537. */
const PSS_PREFIX = Uint8Array.fromHex(
  "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f70d01" +
    "0108300b0609608648016503040202a2030201300382010f003082010a0282010100",
);
const SUFFIX = Uint8Array.fromHex("0203010001");

/** The same with the OID rsaEncryption (RFC 8017 appendix A.1), which `node:crypto` can import. */
const ENCRYPTION_PREFIX = Uint8Array.fromHex(
  "30820122300d06092a864886f70d01010105000382010f003082010a0282010100",
);

/** A public key of 2,048 bits. */
export interface BlindRsaKey {
  /** The SubjectPublicKeyInfo: the token key of RFC 9578, whose SHA-256 is the token key ID. */
  readonly spki: Bytes;
  readonly modulus: bigint;
  readonly imported: KeyObject;
}

/** The big-endian integer of `bytes` (RFC 8017 section 4.2, OS2IP). */
export function integerOfBytes(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytes.toHex()}`);
}

/** The {@linkcode BLIND_RSA_LENGTH} bytes, big-endian, of an integer (RFC 8017 section 4.1, I2OSP). */
export function bytesOfInteger(integer: bigint): Bytes {
  return Uint8Array.fromHex(integer.toString(16).padStart(2 * BLIND_RSA_LENGTH, "0"));
}

/** The key with `modulus`; `invalid_key` unless it has 2,048 bits and is odd. */
export function blindRsaKeyOf(modulus: Uint8Array): BlindRsaKey {
  if (
    modulus.length !== BLIND_RSA_LENGTH || modulus[0]! < 0x80 || modulus.at(-1)! % 2 === 0
  ) throw invalid("the modulus is not an odd integer of 2048 bits");
  return {
    spki: concat(PSS_PREFIX, modulus, SUFFIX),
    modulus: integerOfBytes(modulus),
    imported: createPublicKey({
      key: Buffer.from(concat(ENCRYPTION_PREFIX, modulus, SUFFIX).buffer),
      format: "der",
      type: "spki",
    }),
  };
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

/** True if `signature` over `message` is valid (RFC 8017 section 8.1.2). Never throws. */
export function verifyBlindRsa(
  key: BlindRsaKey,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  // Section 5.2.2 allows only integers below the modulus; the native check accepts others.
  return signature.length === BLIND_RSA_LENGTH && integerOfBytes(signature) < key.modulus &&
    verify("sha384", message, {
      key: key.imported,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: BLIND_RSA_SALT_LENGTH,
    }, signature);
}
