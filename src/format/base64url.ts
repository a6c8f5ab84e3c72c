/**
 * Base64url, as token protocols write bytes.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";

/** Base64url (RFC 4648 section 5) of `bytes`, without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

/** Bytes of canonical base64url with all its padding or none, or `undefined`. */
export function bytesOfBase64Url(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
    // Re-encoding catches white space, loose ends and half of a padding.
    const isCanonical = text === base64UrlOf(bytes) ||
      text === bytes.toBase64({ alphabet: "base64url" });
    return isCanonical ? bytes : undefined;
  } catch {
    return undefined;
  }
}
