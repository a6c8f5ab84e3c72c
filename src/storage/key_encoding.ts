/**
 * Keys as bytes in the order of the keys, as Deno KV and FoundationDB encode them: all parts in order,
 *
 *     text      02 || ASCII without zeros || 00
 *     number    21 || big-endian double: from 0 on with its sign bit inverted, below 0 with all bits
 *
 * Bounds of a list may also have no bytes, 01 || 00, before all texts, and true, 27, after all numbers.
 *
 * @module
 */

import { concat } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";

const TEXT_TAG = 0x02;
const NUMBER_TAG = 0x21;
const NUMBER_LENGTH = 9;
const SIGN_BIT = 0x80;

/** The bytes of one double. Views of the keys themselves would cost a buffer for each (`base/write_uint.ts`). */
const double = new Uint8Array(8);
const doubleView = new DataView(double.buffer);

/** Start (inclusive) and end (exclusive) of a selection. */
export function rangeOf(selector: Deno.KvListSelector): [Uint8Array, Uint8Array] {
  const prefix = "prefix" in selector ? encodeKey(selector.prefix) : undefined;
  const start = "start" in selector
    ? encodeKey(selector.start)
    : concat(prefix!, Uint8Array.of(0x00));
  const end = "end" in selector ? encodeKey(selector.end) : concat(prefix!, Uint8Array.of(0xff));
  return [start, end];
}

/** Encodes a key of ASCII texts without zeros and numbers from 0 on, or a bound. */
export function encodeKey(key: Deno.KvKey): Uint8Array {
  if (key.length === 1 && key[0] === true) return Uint8Array.of(0x27);
  if (key.length === 1 && key[0] instanceof Uint8Array) return Uint8Array.of(0x01, 0x00);
  let length = 0;
  for (const part of key) length += typeof part === "string" ? part.length + 2 : NUMBER_LENGTH;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of key) {
    if (typeof part === "string") {
      bytes[at++] = TEXT_TAG;
      for (let i = 0; i < part.length; i++) bytes[at++] = part.charCodeAt(i);
      at++;
    } else {
      bytes[at] = NUMBER_TAG;
      doubleView.setFloat64(0, Number(part));
      double[0]! ^= SIGN_BIT;
      bytes.set(double, at + 1);
      at += NUMBER_LENGTH;
    }
  }
  return bytes;
}

/**
 * The inverse of {@linkcode encodeKey}, and for numbers below 0, which no key of ours has; `store_corrupt` for
 * other bytes.
 */
export function decodeKey(bytes: Uint8Array): Deno.KvKeyPart[] {
  const parts: Deno.KvKeyPart[] = [];
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === NUMBER_TAG && at + NUMBER_LENGTH <= bytes.length) {
      // The inverted sign bit of numbers from 0 on makes the double negative.
      for (let i = 0; i < 8; i++) double[i] = bytes[at + 1 + i]!;
      const number = -doubleView.getFloat64(0);
      parts.push(number >= 0 ? number : negativeOf(doubleView));
      at += NUMBER_LENGTH;
    } else {
      const end = bytes.indexOf(0, at);
      if (bytes[at] !== TEXT_TAG || end < 0) throw notAKey();
      let text = "";
      for (at++; at < end; at++) text += String.fromCharCode(bytes[at]!);
      parts.push(text);
      at++;
    }
  }
  return parts;
}

/** The number below 0 whose encoding `view` has. */
function negativeOf(view: DataView): number {
  const bits = BigInt.asUintN(64, ~view.getBigUint64(0));
  const [number] = new Float64Array(BigUint64Array.of(bits).buffer);
  if (number! < 0) return number!;
  throw notAKey();
}

function notAKey(): CountersignError {
  return new CountersignError(
    "store_corrupt",
    "Cannot read the store: a key is not of texts and numbers",
  );
}
