/**
 * Verification of blind RSA signatures with `node:crypto`, for servers: they are RSASSA-PSS signatures
 * with a salt of 48 bytes.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { constants, createPublicKey, type KeyObject, verify } from "node:crypto";
import { concat, fromHex } from "../../base/bytes.ts";
import {
  BLIND_RSA_LENGTH,
  BLIND_RSA_SALT_LENGTH,
  type BlindRsaKey,
  integerOfBytes,
} from "./blind_rsa.ts";

/**
 * DER before the modulus with the OID rsaEncryption (RFC 8017 appendix A.1), which `node:crypto` can
 * import.
 */
const ENCRYPTION_PREFIX = fromHex(
  "30820122300d06092a864886f70d01010105000382010f003082010a0282010100",
);
/** Modulus and exponent, the end of every SubjectPublicKeyInfo. */
const MODULUS_LENGTH = BLIND_RSA_LENGTH + 5;

const imported = new WeakMap<BlindRsaKey, KeyObject>();

/** The key as `node:crypto` uses it. */
export function nativeKeyOf(key: BlindRsaKey): KeyObject {
  let found = imported.get(key);
  if (found === undefined) {
    const der = concat(ENCRYPTION_PREFIX, key.spki.subarray(-MODULUS_LENGTH));
    found = createPublicKey({ key: Buffer.from(der.buffer), format: "der", type: "spki" });
    imported.set(key, found);
  }
  return found;
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
      key: nativeKeyOf(key),
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: BLIND_RSA_SALT_LENGTH,
    }, signature);
}
