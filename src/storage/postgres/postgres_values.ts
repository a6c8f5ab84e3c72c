/**
 * Values in a table, and arrays of them as PostgreSQL receives them in binary.
 *
 *     00 || bytes      a value of bytes
 *     01 || JSON       any other value
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { type Bytes, textOf, utf8 } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { reasonOf } from "../store_fault.ts";

const corrupt = errorBuilder("store_corrupt", "Cannot read a record of the store");

const BYTES = 0;
const JSON_TEXT = 1;
/** The type bytea in the system's catalogue. */
const BYTEA_OID = 17;
/** Dimensions, flags, type, length, lower bound. */
const ARRAY_HEADER_LENGTH = 20;

export function encodeValue(value: unknown): Uint8Array {
  const [tag, content] = value instanceof Uint8Array
    ? [BYTES, value]
    : [JSON_TEXT, utf8(JSON.stringify(value))];
  const encoded = new Uint8Array(1 + content.length);
  encoded[0] = tag;
  encoded.set(content, 1);
  return encoded;
}

/** The value of a column; `store_corrupt`. */
export function decodeValue(column: string): unknown {
  const tag = column.slice(0, 4);
  if (tag === "\\x00") return bytesOfColumn(`\\x${column.slice(4)}`);
  if (tag !== "\\x01") throw corrupt("its value has an unknown form");
  try {
    return JSON.parse(textOf(bytesOfColumn(`\\x${column.slice(4)}`), "store_corrupt"));
  } catch (cause) {
    throw corrupt(reasonOf(cause));
  }
}

/** The bytes that PostgreSQL writes as `\x` and hex; `store_corrupt`. */
export function bytesOfColumn(column: string): Bytes {
  try {
    if (column.startsWith("\\x")) return Uint8Array.fromHex(column.slice(2)) as Bytes;
  } catch {
    // Not hex.
  }
  throw corrupt("PostgreSQL sent bytes in another form than hex");
}

/** A parameter of type `bytea[]`. */
export function bytesArray(items: readonly Uint8Array[]): Buffer {
  const length = items.reduce((sum, item) => sum + 4 + item.length, ARRAY_HEADER_LENGTH);
  const array = Buffer.allocUnsafe(length);
  [1, 0, BYTEA_OID, items.length, 1].forEach((word, i) => array.writeInt32BE(word, 4 * i));
  let at = ARRAY_HEADER_LENGTH;
  for (const item of items) {
    array.writeInt32BE(item.length, at);
    array.set(item, at + 4);
    at += 4 + item.length;
  }
  return array;
}

/** A parameter of type `bytea`. */
export function bytesParameter({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}
