/**
 * Ed25519 verification for browsers, with noble or WebCrypto, by one rule (protocol.md "Signature
 * schemes"). Noble's `verify` is not used, since it checks the cofactored equation.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { type Bytes, concat, equalBytes } from "../../base/bytes.ts";
import { decodePoint } from "./ed25519_key.ts";
import { ED25519_KEY_LENGTH, type Ed25519Verify, isAdmissible } from "./ed25519_rule.ts";
import { followsRule } from "./ed25519_rule_cases.ts";
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
