/**
 * The part of Protocol Buffers' wire format that KV Connect uses: integers, and bytes with a length.
 *
 * @module
 */

import { concat } from "../../src/bytes.ts";

const VARINT = 0;
const LENGTH = 2;

/** The fields of one message, in order. Integers are numbers. */
export type Fields = readonly (readonly [field: number, value: number | Uint8Array])[];

export function encodeMessage(fields: Fields): Uint8Array {
  return concat(
    ...fields.flatMap(([field, value]) =>
      typeof value === "number"
        ? [varint(field << 3 | VARINT), varint(value)]
        : [varint(field << 3 | LENGTH), varint(value.length), value]
    ),
  );
}

/** Throws for other wire types, and for a message that is cut. */
export function decodeMessage(bytes: Uint8Array): Fields {
  const fields: [number, number | Uint8Array][] = [];
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("the message is cut");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = next();
    const [field, type] = [tag >> 3, tag & 7];
    if (type === VARINT) fields.push([field, next()]);
    else if (type === LENGTH) {
      const length = next();
      if (at + length > bytes.length) throw new Error("the message is cut");
      fields.push([field, bytes.subarray(at, at += length)]);
    } else throw new Error(`wire type ${type} is not used`);
  }
  return fields;
}

/** The values of bytes of `field`. */
export function bytesOf(fields: Fields, field: number): Uint8Array[] {
  return fields.flatMap(([number, value]) =>
    number === field && value instanceof Uint8Array ? [value] : []
  );
}

/** The last integer of `field`; 0 without one. */
export function integerOf(fields: Fields, field: number): number {
  return fields.findLast(([number, value]) => number === field && typeof value === "number")
    ?.[1] as number | undefined ?? 0;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 | 0x80);
  return Uint8Array.from([...bytes, value]);
}
