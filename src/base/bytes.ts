/**
 * Hex, base64, big-endian integers and comparison of byte strings.
 *
 * @module
 */

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { fromBase64, toBase64 } from "./builtins.ts";
import { CountersignError, type ErrorCode } from "./errors.ts";

/** A byte string over a plain buffer, as WebCrypto and Deno KV require. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** Length in bytes of a SHA-256 digest or Merkle node. */
export const HASH_LENGTH = 32;

/** Integers on the wire are below this. */
export const INTEGER_LIMIT = 2 ** 53;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** UTF-8 bytes of `text`. */
export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

/** Decodes UTF-8; throws `code` if it is invalid. A byte order mark is kept. */
export function textOf(bytes: Uint8Array, code: ErrorCode = "malformed_text"): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    const isUtf16 = ["fffe", "feff"].includes(hexOf(bytes.subarray(0, 2)));
    const problem = isUtf16 ? "it is UTF-16: save it as UTF-8" : "bytes are not UTF-8";
    throw new CountersignError(code, `Cannot read text: ${problem}`, { cause });
  }
}

/** Lowercase hex of `bytes`. */
export function hexOf(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

/** Bytes of `text`, which the caller knows to be hex. */
export function fromHex(text: string): Bytes {
  return hexToBytes(text) as Bytes;
}

/** True if `text` is exactly `byteLength` bytes in lowercase hex. */
export function isHex(text: string, byteLength: number): boolean {
  return text.length === byteLength * 2 && /^[0-9a-f]*$/.test(text);
}

/** Bytes of lowercase hex of exactly `byteLength` bytes, or `undefined`. */
export function bytesOfHex(text: string, byteLength: number): Bytes | undefined {
  return isHex(text, byteLength) ? fromHex(text) : undefined;
}

/** Padded base64 (RFC 4648 section 4) of `bytes`. */
export function base64Of(bytes: Uint8Array): string {
  return toBase64(bytes, "base64");
}

/** Bytes of canonical padded base64 (RFC 4648 section 4), or `undefined`. */
export function bytesOfBase64(text: string): Bytes | undefined {
  const bytes = fromBase64(text, "base64");
  // Re-encoding catches white space, spare bits and missing padding.
  return bytes !== undefined && base64Of(bytes) === text ? bytes : undefined;
}

/** Base64url (RFC 4648 section 5) of `bytes`, without padding. */
export function base64UrlOf(bytes: Uint8Array): string {
  return toBase64(bytes, "base64url").replaceAll("=", "");
}

/** Bytes of canonical base64url with all its padding or none, or `undefined`. */
export function bytesOfBase64Url(text: string): Bytes | undefined {
  const bytes = fromBase64(text, "base64url");
  const padded = bytes && toBase64(bytes, "base64url");
  // Re-encoding catches white space, spare bits and half of a padding.
  return text === padded || text === padded?.replaceAll("=", "") ? bytes : undefined;
}

/** The concatenation of `parts`. */
export function concat(...parts: readonly Uint8Array[]): Bytes {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Shorter arrays are compared by bytes, since creating the views of words costs more. */
const MIN_LENGTH_FOR_WORDS = 128;

/** True if `a` and `b` are equal. Not for secrets: it stops at the first difference. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let compared = 0;
  if (a.length >= MIN_LENGTH_FOR_WORDS && a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0) {
    const count = a.length >>> 2;
    const wordsOfA = new Int32Array(a.buffer, a.byteOffset, count);
    const wordsOfB = new Int32Array(b.buffer, b.byteOffset, count);
    for (let i = 0; i < count; i++) if (wordsOfA[i] !== wordsOfB[i]) return false;
    compared = 4 * count;
  }
  for (let i = compared; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Eight bytes, big-endian, of an integer in [0, 2^53). */
export function uint64(value: number): Bytes {
  const bytes = new Uint8Array(8);
  // Without a DataView, for the reason in write_uint.ts.
  for (let i = 7, rest = value; i >= 0; i--, rest = Math.floor(rest / 256)) bytes[i] = rest;
  return bytes;
}

/** Parses a canonical decimal integer in [0, 2^53), or `undefined`. */
export function integerOf(text: string): number | undefined {
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** True for an integer in [0, 2^53). */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
