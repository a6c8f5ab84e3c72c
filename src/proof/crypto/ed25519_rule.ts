/**
 * The acceptance rule for Ed25519 signatures (protocol.md "Signature schemes"), and its checks before
 * any arithmetic.
 *
 * The rule is RFC 8032 section 5.1.7 with the cofactorless equation: the bytes of encode([S]B - [k]A)
 * equal R; S is below L; A is canonical; R is not the identity.
 *
 * @module
 */

import { equalBytes, fromHex } from "../../base/bytes.ts";

/** Length in bytes of a public key, of a seed, and of either half of a signature. */
export const ED25519_KEY_LENGTH = 32;

/** Length in bytes of a signature, R || S. */
export const ED25519_SIGNATURE_LENGTH = 64;

/**
 * True if `signature` (64 bytes) over `message` is valid under `publicKey` (32 bytes) by the rule.
 * False for other lengths and points off the curve; never throws.
 */
export type Ed25519Verify = (
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
) => boolean | Promise<boolean>;

const IDENTITY = fromHex("01".padEnd(64, "0"));

// The two points with x = 0 are (0, 1) and (0, -1). RFC 8032 section 5.1.3, step 4, refuses a sign
// bit on either.
const SIGNED_ZERO_X = [
  fromHex("01".padEnd(62, "0") + "80"),
  fromHex("ec".padEnd(64, "f")),
];

/** False if the 32 bytes of `encoding` have y >= p = 2^255 - 19, or x = 0 with a sign bit. */
export function isCanonicalEncoding(encoding: Uint8Array): boolean {
  // y >= p leaves bits 8 to 254 all set: 30 bytes of ff and 7 bits of the last one.
  const reachesPrime = encoding[0]! >= 0xed && encoding.subarray(1, 31).every((b) => b === 0xff) &&
    encoding[31]! % 0x80 === 0x7f;
  return !reachesPrime && !SIGNED_ZERO_X.some((bad) => equalBytes(bad, encoding));
}

/**
 * The checks before any arithmetic: the lengths, a canonical A (BoringSSL, Go and OpenSSL reduce y,
 * others refuse it), and an R that is not the identity (with which S = [k]a signs without a nonce).
 * Other encodings of the identity fail later, because R is compared as bytes.
 */
export function isAdmissible(publicKey: Uint8Array, signature: Uint8Array): boolean {
  return publicKey.length === ED25519_KEY_LENGTH &&
    signature.length === ED25519_SIGNATURE_LENGTH &&
    isCanonicalEncoding(publicKey) &&
    IDENTITY.some((byte, i) => signature[i] !== byte);
}
