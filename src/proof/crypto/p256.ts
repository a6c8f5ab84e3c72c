/**
 * ECDSA over P-256 with SHA-256 (FIPS 186-5 section 6.4), of digests; WebCrypto would need the whole
 * message. Signatures are DER (RFC 3279 section 2.2.3), public keys uncompressed points of 65 bytes.
 * Noble's curves are loaded at the first use.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

/** Length in bytes of a public key: 0x04 and the two coordinates. */
export const P256_KEY_LENGTH = 65;

// Other implementations do not normalise S.
const OF_DIGESTS = { prehash: false, lowS: false, format: "der" } as const;

async function loadCurve() {
  return (await import("@noble/curves/nist.js")).p256;
}

/** Signs `digest` (32 bytes) with `secret` (32 bytes), with a hedged nonce (RFC 6979 section 3.6). */
export async function signP256(secret: Uint8Array, digest: Uint8Array): Promise<Bytes> {
  const p256 = await loadCurve();
  return p256.sign(digest, secret, { ...OF_DIGESTS, extraEntropy: true }).slice();
}

/** True if `signature` over `digest` is valid. Never throws. */
export async function verifyP256(
  publicKey: Uint8Array,
  digest: Uint8Array,
  signature: Uint8Array,
): Promise<boolean> {
  if (publicKey.length !== P256_KEY_LENGTH) return false;
  return (await loadCurve()).verify(signature, digest, publicKey, OF_DIGESTS);
}

/** The public key of `secret`, an integer in [1, n) of 32 bytes. */
export async function p256PublicKey(secret: Uint8Array): Promise<Bytes> {
  return (await loadCurve()).getPublicKey(secret, false).slice();
}
