/**
 * The primitives of the OpenTimestamps serialization, as the reference implementation has them
 * (`opentimestamps/core/serialize.py`): bytes, unsigned integers in LEB128, and bytes behind their
 * length. Stricter than it in one thing: an integer has one spelling.
 *
 * @module
 */

import { type Bytes, concat, INTEGER_LIMIT } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";

const SEVEN_BITS = 0x7f;
const MORE = 0x80;
/** Of the eighth byte, within which 2^53 is reached. */
const LAST_SCALE = MORE ** 7;

/** A cursor over one serialization. Owned by a single call; refuses with `malformed_text`. */
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
      throw malformed(`${length} more bytes`, `${this.#bytes.length - this.#at}`);
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
        throw malformed("an integer below 2^53", "a larger one");
      }
      if (byte >= MORE) continue;
      if (byte === 0 && scale > 1) throw malformed("the shortest form of an integer", "a longer");
      return value;
    }
  }

  /** Bytes behind their length, which is from `min` to `max`. */
  sized(min: number, max: number): Bytes {
    const length = this.integer();
    if (length < min || length > max) {
      throw malformed(`a length from ${min} to ${max}`, String(length));
    }
    return this.take(length);
  }

  end(): void {
    const rest = this.#bytes.length - this.#at;
    if (rest > 0) throw malformed("nothing at the end", `${rest} bytes`);
  }
}

/** `value`, in [0, 2^53), in LEB128. */
export function otsInteger(value: number): Bytes {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= MORE; rest = Math.floor(rest / MORE)) bytes.push(rest % MORE + MORE);
  bytes.push(rest);
  return new Uint8Array(bytes);
}

/** `bytes` behind their length. */
export function otsSized(bytes: Uint8Array): Bytes {
  return concat(otsInteger(bytes.length), bytes);
}

/** `malformed_text`: what a timestamp requires and does not have. */
export function malformed(required: string, found: string): CountersignError {
  return new CountersignError(
    "malformed_text",
    `Cannot read timestamp: ${required} required, found ${found}`,
  );
}

/** The order of byte strings that the reference sorts by: a prefix comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
}
