/**
 * Ed25519 verification that runs in a browser: noble's points and WebCrypto, one rule for both
 * (protocol.md "Signature schemes"). Noble's own `verify` is never called: it uses the cofactored
 * equation.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import { type Bytes, concat, equalBytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import {
  ED25519_KEY_LENGTH,
  type Ed25519Verify,
  followsRule,
  isAdmissible,
} from "./ed25519_rule.ts";
import { KeyCache } from "./key_cache.ts";

export type { Ed25519Verify } from "./ed25519_rule.ts";

const { Point } = ed25519;
const { Fn: Scalar } = Point;
type Point = typeof Point.BASE;

/** The point of RFC 8032 section 5.1.3, strictly decoded, or `undefined`. */
function decodePoint(encoding: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(encoding);
  } catch {
    return undefined;
  }
}

function refusedKey(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_key",
    `Cannot use Ed25519 public key: ${required} required, ${found} found`,
  );
}

/**
 * Requires what protocol.md "Signature schemes" requires of every configured key: 32 bytes, the
 * canonical encoding of
 * a point of prime order. Cofactorless verifiers differ in what they refuse of small order; under
 * such a key that concerns no signature that holds, save those with the identity as R.
 *
 * @throws CountersignError `invalid_key`
 */
export function screenPublicKey(publicKey: Uint8Array): void {
  if (publicKey.length !== ED25519_KEY_LENGTH) {
    throw refusedKey("32 bytes", `${publicKey.length}`);
  }
  const point = decodePoint(publicKey);
  if (point === undefined || !equalBytes(point.toBytes(), publicKey)) {
    throw refusedKey("canonical encoding of a curve point", "another string");
  }
  if (point.isSmallOrder()) throw refusedKey("point of prime order", "one of small order");
  if (!point.isTorsionFree()) throw refusedKey("point of prime order", "one of mixed order");
}

/** {@linkcode Ed25519Verify} over noble's points, about 0.3 ms: where no engine does it. */
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

/** The imported key, or `undefined` where the engine has no Ed25519 or refuses the key. */
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
 * {@linkcode Ed25519Verify} by the engine's WebCrypto, about 45 us. Only an engine for which
 * {@linkcode bestVerify} chooses it is known to follow the rule.
 */
export async function verifyWebCrypto(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  // Browsers leave `subtle` out on pages that were not loaded securely.
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined || !isAdmissible(publicKey, signature)) return false;
  // Copied before the first wait: what was admitted is what is verified, whatever the caller does.
  const [messageCopy, signatureCopy] = [message.slice(), signature.slice()];
  const key = await importWebKey(subtle, publicKey.slice());
  if (key === undefined) return false;
  return await subtle.verify("Ed25519", key, signatureCopy, messageCopy);
}

/** The faster of the two paths that follows the rule in this engine. */
export async function bestVerify(): Promise<Ed25519Verify> {
  return await followsRule(verifyWebCrypto) ? verifyWebCrypto : verifyPortable;
}
