/**
 * The part of CBOR that COSE receipts need, in its deterministic encoding (RFC 8949 section 4.2.1):
 * integers below 2^53, byte and text strings, arrays, maps, tags and null.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../base/bytes.ts";

/** A value with a tag. */
export class CborTag {
  readonly tag: number;
  readonly value: CborValue;

  constructor(tag: number, value: CborValue) {
    this.tag = tag;
    this.value = value;
  }
}

export type CborLabel = number | string;
export type CborMap = ReadonlyMap<CborLabel, CborValue>;
export type CborValue = CborLabel | Bytes | null | readonly CborValue[] | CborMap | CborTag;

/** Major types (section 3.1), and the one simple value. */
export const [UINT, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG] = [0, 1, 2, 3, 4, 5, 6] as const;
export const NULL = 0xf6;

/** The only encoding of `value`. */
export function encodeCbor(value: CborValue): Bytes {
  if (value === null) return Uint8Array.of(NULL);
  if (typeof value === "number") return value < 0 ? head(NEGATIVE, -1 - value) : head(UINT, value);
  if (typeof value === "string") {
    const text = utf8(value);
    return concat(head(TEXT, text.length), text);
  }
  if (value instanceof Uint8Array) return concat(head(BYTES, value.length), value);
  if (value instanceof CborTag) return concat(head(TAG, value.tag), encodeCbor(value.value));
  if (value instanceof Map) {
    const members = Array.from(value as CborMap, (member) => member.map(encodeCbor));
    members.sort(([a], [b]) => compareBytes(a!, b!));
    return concat(head(MAP, members.length), ...members.flat());
  }
  const items = value as readonly CborValue[];
  return concat(head(ARRAY, items.length), ...items.map(encodeCbor));
}

function head(major: number, count: number): Bytes {
  const size = count < 24 ? 0 : count < 2 ** 8 ? 1 : count < 2 ** 16 ? 2 : count < 2 ** 32 ? 4 : 8;
  const bytes = new Uint8Array(1 + size);
  bytes[0] = major * 32 + (size === 0 ? count : 24 + Math.log2(size));
  let rest = count;
  for (let at = size; at > 0; at--) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at < 0 ? a.length - b.length : a[at]! - (b[at] ?? -1);
}
