/**
 * The acceptance rule for Ed25519 signatures (protocol.md "Signature schemes"): the checks before any
 * arithmetic, and test cases that distinguish the rule from other rules in use.
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
    !equalBytes(signature.subarray(0, ED25519_KEY_LENGTH), IDENTITY);
}

// RFC 8032 section 7.1, TEST 2. Its key has prime order like every screened key, so the cases differ
// in R and S only.
const PUBLIC_KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const MESSAGE = "72";
const CASES: readonly { readonly valid: boolean; readonly r: string; readonly s: string }[] = [
  { // The signature of the RFC.
    valid: true,
    r: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
    s: "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
  },
  { // The same with S + L.
    valid: false,
    r: "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da",
    s: "f52db7415978abc61b2c2eb6aeebfca0387b2eaeb4302aeeb00d291612bb0c10",
  },
  { // R = B + T with T of order 8, S = 1 + ka: only the cofactored equation holds.
    valid: false,
    r: "98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819",
    s: "4ef5a0ba81641a15df29eff27aa679daff0db06a08e08eaecacbfcd9650b0a0c",
  },
  { // R the identity, S = ka.
    valid: false,
    r: "0100000000000000000000000000000000000000000000000000000000000000",
    s: "675d054595fa17cb6a44e3ada6ca385e55667e41a63fdab0ac22d10000354002",
  },
  { // R the identity with a sign bit: holds where R is decoded and compared as a point.
    valid: false,
    r: "0100000000000000000000000000000000000000000000000000000000000080",
    s: "bd498620dc071c7bd37de37a8b3208e5475dd11db9151270fb200f690ae0d009",
  },
  { // R the identity with y = p + 1, likewise.
    valid: false,
    r: "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    s: "0a0403c78756704394a791302d07acbdf846e02e6371010b73f9c021313bde01",
  },
];

/** True if `verify` follows the rule in all test cases. */
export async function followsRule(verify: Ed25519Verify): Promise<boolean> {
  const publicKey = fromHex(PUBLIC_KEY);
  const message = fromHex(MESSAGE);
  for (const { valid, r, s } of CASES) {
    if (await verify(publicKey, message, fromHex(r + s)) !== valid) return false;
  }
  return true;
}
