/**
 * Ed25519 verification for browsers, with noble or WebCrypto, by one rule (protocol.md "Signature
 * schemes"). Noble's `verify` is not used, since it checks the cofactored equation.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { type Bytes, concat, equalBytes, fromHex } from "../../base/bytes.ts";
import { decodePoint } from "./ed25519_key.ts";
import { ED25519_KEY_LENGTH, type Ed25519Verify, isAdmissible } from "./ed25519_rule.ts";
import { KeyCache } from "./key_cache.ts";

export type { Ed25519Verify } from "./ed25519_rule.ts";

const { Point } = ed25519;
const { Fn: Scalar } = Point;

/** {@linkcode Ed25519Verify} with noble's points, about 0.3 ms. */
export function verifyPortable(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (!isAdmissible(publicKey, signature)) return false;
  const r = signature.subarray(0, ED25519_KEY_LENGTH);
  const s = bytesToNumberLE(signature.subarray(ED25519_KEY_LENGTH));
  // RFC 8032 section 5.1.7, step 1: S in [0, L), or a signature would have several spellings.
  if (!Scalar.isValid(s)) return false;
  const a = decodePoint(publicKey);
  if (a === undefined) return false;
  const k = Scalar.create(bytesToNumberLE(sha512(concat(r, publicKey, message))));
  const expected = Point.BASE.multiplyUnsafe(s).subtract(a.multiplyUnsafe(k));
  // Bytes, not points: an R that is not canonical, or differs by torsion, is refused here.
  return equalBytes(expected.toBytes(), r);
}

const webKeys = new KeyCache<CryptoKey>(256);

/** The imported key, or `undefined` if the engine has no Ed25519 or refuses the key. */
async function importWebKey(
  subtle: SubtleCrypto,
  publicKey: Bytes,
): Promise<CryptoKey | undefined> {
  const kept = webKeys.get(publicKey);
  if (kept !== undefined) return kept;
  try {
    const key = await subtle.importKey("raw", publicKey, "Ed25519", false, ["verify"]);
    webKeys.set(publicKey, key);
    return key;
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

/**
 * {@linkcode Ed25519Verify} with WebCrypto, about 45 us. Use {@linkcode bestVerify}: not every engine
 * follows the rule.
 */
export async function verifyWebCrypto(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  // Browsers omit `subtle` in insecure contexts.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined || !isAdmissible(publicKey, signature)) return false;
  // Copied before the first await: the caller may change its arrays meanwhile.
  const [messageCopy, signatureCopy] = [message.slice(), signature.slice()];
  const key = await importWebKey(subtle, publicKey.slice());
  if (key === undefined) return false;
  return await subtle.verify("Ed25519", key, signatureCopy, messageCopy);
}

/** WebCrypto if it follows the rule in this engine, otherwise noble. */
export async function bestVerify(): Promise<Ed25519Verify> {
  return await followsRule(verifyWebCrypto) ? verifyWebCrypto : verifyPortable;
}

// Test cases that distinguish our rule for Ed25519 signatures (`ed25519_rule.ts`) from other rules in
// use: engines differ in the rule of their WebCrypto.
//
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
