/**
 * Ed25519 with `node:crypto`, for servers and the command line (protocol.md "Signature schemes").
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { type Bytes, concat, fromHex } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { ED25519_KEY_LENGTH, isAdmissible } from "./ed25519_rule.ts";
import { KeyCache } from "./key_cache.ts";

/** DER before the 32 bytes of a public key (RFC 8410 section 4) and of a seed (section 7). */
const SPKI_PREFIX = fromHex("302a300506032b6570032100");
const PKCS8_PREFIX = fromHex("302e020100300506032b657004220420");

const nativeKeys = new KeyCache<KeyObject>(1024);

/** The imported key, or `undefined` if the bytes are not a point of the curve. */
function importNativeKey(publicKey: Uint8Array): KeyObject | undefined {
  const kept = nativeKeys.get(publicKey);
  if (kept !== undefined) return kept;
  const der = Buffer.from(concat(SPKI_PREFIX, publicKey));
  let key;
  try {
    key = createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return undefined;
  }
  nativeKeys.set(publicKey, key);
  return key;
}

/** {@linkcode Ed25519Verify} with `node:crypto`, about 25 us. */
export function verifyNative(
  publicKey: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (!isAdmissible(publicKey, signature)) return false;
  const key = importNativeKey(publicKey);
  return key !== undefined && verify(null, message, key, signature);
}

/** A new private key: 32 random bytes (RFC 8032 section 5.1.5). */
export function generateSeed(): Bytes {
  return crypto.getRandomValues(new Uint8Array(ED25519_KEY_LENGTH));
}

/** Signs with one private key and never exports it. */
export class Ed25519Signer {
  readonly scheme = "ed25519";
  readonly #key: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Bytes;

  /**
   * `seed` is 32 bytes; the caller may wipe it afterwards.
   *
   * @throws CountersignError `invalid_key`
   */
  constructor(seed: Uint8Array) {
    if (seed.length !== ED25519_KEY_LENGTH) {
      throw new CountersignError(
        "invalid_key",
        `Cannot use Ed25519 seed: it has ${seed.length} bytes instead of 32`,
      );
    }
    const der = Buffer.from(concat(PKCS8_PREFIX, seed).buffer);
    this.#key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    der.fill(0);
    const spki = createPublicKey(this.#key).export({ format: "der", type: "spki" });
    this.publicKey = new Uint8Array(spki.subarray(SPKI_PREFIX.length));
  }

  /** The 64-byte signature of `message` (RFC 8032 section 5.1.6). */
  sign(message: Uint8Array): Bytes {
    return new Uint8Array(sign(null, message, this.#key));
  }
}
