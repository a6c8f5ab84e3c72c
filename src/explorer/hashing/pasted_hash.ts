/**
 * Reads a hash that somebody pasted: the digits alone, or a line as `sha256sum`, `shasum` and
 * `openssl dgst` print it.
 *
 * @module
 */

import { HASH_LENGTH, isHex } from "../../bytes.ts";

/** A hash, or what is wrong with the text. */
export type PastedHash =
  | { readonly hash: string }
  | { readonly fault: string };

/**
 * Uppercase is taken, as the command line takes it, and made lowercase (protocol.md "Encodings").
 */
export function readPastedHash(text: string): PastedHash {
  const trimmed = text.trim();
  const [, named] = /^(?:SHA2?-?256\s*\(.*\)\s*=\s*)([0-9a-f]+)$/i.exec(trimmed) ?? [];
  const [, listed] = /^([0-9a-f]+)[ \t]+[* ]?\S.*$/i.exec(trimmed) ?? [];
  const digits = (named ?? listed ?? trimmed).toLowerCase();
  if (isHex(digits, HASH_LENGTH)) return { hash: digits };
  if (digits === "") return { fault: "Paste a SHA-256 hash: 64 digits" };
  if (!/^[0-9a-f]+$/.test(digits)) {
    return { fault: "A SHA-256 hash has only digits of 0 to 9 and a to f" };
  }
  return { fault: `A SHA-256 hash has 64 digits, this has ${digits.length}` };
}
