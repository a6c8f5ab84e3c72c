/**
 * The primitives of the OpenTimestamps serialization (`opentimestamps/core/serialize.py` of the
 * reference implementation): bytes, unsigned LEB128 integers, and bytes after their length. Unlike
 * the reference, the reader accepts only the shortest form of an integer.
 *
 * @module
 */

import { type Bytes, concat, INTEGER_LIMIT } from "../../../base/bytes.ts";
import { errorBuilder } from "../../../base/errors.ts";

const SEVEN_BITS = 0x7f;
const MORE = 0x80;
/** The scale of the eighth byte, which can reach 2^53. */
const LAST_SCALE = MORE ** 7;

/** The error for a timestamp that cannot be read. */
export const malformed = errorBuilder("malformed_text", "Cannot read timestamp");

/** A cursor over a serialization. Methods throw `malformed_text`. */
export class OtsReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  /** A copy of the next `length` bytes. */
  take(length: number): Bytes {
    if (length > this.#bytes.length - this.#at) {
      throw malformed("it ends early");
    }
    this.#at += length;
    return new Uint8Array(this.#bytes.subarray(this.#at - length, this.#at));
  }

  /** An integer in [0, 2^53). */
  integer(): number {
    let value = 0;
    for (let scale = 1;; scale *= MORE) {
      const byte = this.byte();
      value += (byte & SEVEN_BITS) * scale;
      if (value >= INTEGER_LIMIT || scale > LAST_SCALE) {
        throw malformed("an integer is not below 2^53");
      }
      if (byte >= MORE) continue;
      if (byte === 0 && scale > 1) throw malformed("an integer is not in its shortest form");
      return value;
    }
  }

  /** Bytes after their length, which is from `min` to `max`. */
  sized(min: number, max: number): Bytes {
    const length = this.integer();
    if (length < min || length > max) {
      throw malformed(`length ${length} is not from ${min} to ${max}`);
    }
    return this.take(length);
  }

  end(): void {
    if (this.#at < this.#bytes.length) throw malformed("bytes follow its end");
  }
}

/** Encodes an integer in [0, 2^53) in LEB128. */
export function otsInteger(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= MORE; rest = Math.floor(rest / MORE)) bytes.push(rest % MORE + MORE);
  bytes.push(rest);
  return new Uint8Array(bytes);
}

/** Encodes `bytes` after their length. */
export function otsSized(bytes: Uint8Array): Bytes {
  return concat(otsInteger(bytes.length), bytes);
}

/** The sort order of byte strings in the reference: a prefix comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
