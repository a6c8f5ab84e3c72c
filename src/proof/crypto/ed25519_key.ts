/**
 * Points and public keys of Ed25519 (protocol.md "Signature schemes").
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { equalBytes } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { ED25519_KEY_LENGTH } from "./ed25519_rule.ts";
import { KeyCache } from "./key_cache.ts";

const invalid = errorBuilder("invalid_key", "Cannot use Ed25519 public key");

const { Point } = ed25519;
type Point = typeof Point.BASE;

/** The point of RFC 8032 section 5.1.3, strictly decoded, or `undefined`. */
export function decodePoint(encoding: Uint8Array): Point | undefined {
  try {
    return Point.fromBytes(encoding);
  } catch {
    return undefined;
  }
}

/**
 * Each check takes about 1 ms, and the keys of a chain of configurations, or of the at most 100,000 logs of a
 * witness, recur.
 */
const screened = new KeyCache<true>(131_072);

/**
 * Requires the canonical encoding of a point of prime order (protocol.md "Signature schemes");
 * `invalid_key`. Under such a key cofactorless verifiers agree on all valid signatures, except those
 * with the identity as R.
 */
export function screenPublicKey(publicKey: Uint8Array): void {
  if (screened.get(publicKey)) return;
  if (publicKey.length !== ED25519_KEY_LENGTH) {
    throw invalid(`it has ${publicKey.length} bytes instead of 32`);
  }
  const point = decodePoint(publicKey);
  if (point === undefined || !equalBytes(point.toBytes(), publicKey)) {
    throw invalid("it is not the canonical encoding of a curve point");
  }
  if (point.isSmallOrder()) throw invalid("the point has small order");
  if (!point.isTorsionFree()) throw invalid("the point has mixed order");
  screened.set(publicKey, true);
}
