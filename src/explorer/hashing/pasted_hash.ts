/**
 * Reads a pasted hash: the digits alone, or a line of `sha256sum`, `shasum` or `openssl dgst`.
 *
 * @module
 */

import { HASH_LENGTH, isHex } from "../../base/bytes.ts";

/** A hash, or why the text is none. */
export type PastedHash =
  | { readonly hash: string }
  | { readonly fault: string };

/** Makes uppercase digits lowercase, as the command line does (protocol.md "Encodings"). */
export function readPastedHash(text: string): PastedHash {
  const trimmed = text.trim();
  const [, named] = /^(?:SHA2?-?256\s*\(.*\)\s*=\s*)([0-9a-f]+)$/i.exec(trimmed) ?? [];
  const [, listed] = /^([0-9a-f]+)[ \t]+[* ]?\S.*$/i.exec(trimmed) ?? [];
  const digits = (named ?? listed ?? trimmed).toLowerCase();
  if (isHex(digits, HASH_LENGTH)) return { hash: digits };
  if (digits === "") return { fault: "Paste a SHA-256 hash: 64 hexadecimal digits" };
  if (!/^[0-9a-f]+$/.test(digits)) {
    return { fault: "A SHA-256 hash contains only the digits 0 to 9 and a to f" };
  }
  return { fault: `A SHA-256 hash has 64 digits, this one has ${digits.length}` };
}
