/**
 * Reads CBOR in the encoding of `cbor.ts`.
 *
 * @module
 */

import { equalBytes, textOf } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import {
  ARRAY,
  BYTES,
  CborTag,
  type CborValue,
  encodeCbor,
  MAP,
  NEGATIVE,
  NULL,
  TAG,
  TEXT,
  UINT,
} from "./cbor.ts";

/** Longest nesting of arrays, maps and tags. */
const MAX_DEPTH = 8;
/** Items of an array; a map has two for each member. The longest is a consistency path, at most 54 hashes. */
const MAX_ITEMS = 64;

const malformed = errorBuilder("malformed_text", "Cannot read CBOR");

/** Decodes one value in its only encoding; `malformed_text`. */
export function decodeCbor(bytes: Uint8Array): CborValue {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  // Also refuses bytes that follow, longer heads, and map keys that are unordered or repeated.
  if (!equalBytes(encodeCbor(value), bytes)) throw malformed("it is not in deterministic encoding");
  return value;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  value(depth: number): CborValue {
    if (depth > MAX_DEPTH) throw malformed(`it is nested more than ${MAX_DEPTH} deep`);
    const [first = 0] = this.#take(1);
    if (first === NULL) return null;
    const major = first >> 5;
    const count = this.#count(first & 31);
    switch (major) {
      case UINT:
        return count;
      case NEGATIVE:
        return -1 - count;
      case BYTES:
        return this.#take(count).slice();
      case TEXT:
        return textOf(this.#take(count), "malformed_text");
      case ARRAY:
        return this.#items(count, depth);
      case MAP: {
        const flat = this.#items(2 * count, depth);
        return new Map(Array.from({ length: count }, (_, i) => {
          const label = flat[2 * i];
          if (typeof label !== "number" && typeof label !== "string") {
            throw malformed("a map key is neither an integer nor a text");
          }
          return [label, flat[2 * i + 1]!];
        }));
      }
      case TAG:
        return new CborTag(count, this.value(depth + 1));
      default:
        throw malformed("it has a simple value other than null, or a float");
    }
  }

  #items(count: number, depth: number): CborValue[] {
    // Also bounds the work of encoding them again.
    if (count > MAX_ITEMS) throw malformed(`an array or map has more than ${MAX_ITEMS} items`);
    return Array.from({ length: count }, () => this.value(depth + 1));
  }

  #count(info: number): number {
    if (info < 24) return info;
    if (info > 27) throw malformed("it has a length that is indefinite or reserved");
    const count = this.#take(2 ** (info - 24)).reduce((sum, byte) => sum * 256 + byte, 0);
    // -1 - count has to be exact too.
    if (count >= Number.MAX_SAFE_INTEGER) throw malformed("an integer is not below 2^53");
    return count;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw malformed("it ends early");
    return this.#bytes.subarray(this.#at, this.#at += length);
  }
}
