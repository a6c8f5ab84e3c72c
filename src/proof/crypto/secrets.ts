/**
 * Bearer tokens: generation, and comparison in constant time.
 *
 * @module
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { base64UrlOf } from "../../base/bytes.ts";

const TOKEN_BYTES = 32;

/** True if `a` and `b` are equal. Compares digests, so that timing reveals nothing, not even lengths. */
export function equalSecrets(a: string, b: string): boolean {
  return timingSafeEqual(
    createHash("sha256").update(a).digest(),
    createHash("sha256").update(b).digest(),
  );
}

/** A new bearer token: 32 random bytes in base64url without padding, 43 characters. */
export function randomToken(): string {
  return base64UrlOf(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)));
}
