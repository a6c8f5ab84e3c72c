/**
 * DER as tests write it, on its own: also what no encoder of the program would write.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../../src/base/bytes.ts";

/** A value of any identifier octet. */
export function value(tag: number, ...contents: readonly Uint8Array[]): Bytes {
  const body = concat(...contents);
  const { length } = body;
  const header = length < 0x80
    ? [length]
    : length < 0x100
    ? [0x81, length]
    : [0x82, length >> 8, length & 0xff];
  return concat(Uint8Array.of(tag, ...header), body);
}

export const sequence = (...members: readonly Uint8Array[]) => value(0x30, ...members);

/** A set in the order that DER has. */
export function set(...members: readonly Uint8Array[]): Bytes {
  return value(0x31, ...members.toSorted((a, b) => a.toHex() < b.toHex() ? -1 : 1));
}

export const explicit = (number: number, ...members: readonly Uint8Array[]) =>
  value(0xa0 | number, ...members);
export const implicit = (number: number, contents: Uint8Array) => value(0x80 | number, contents);
export const octets = (contents: Uint8Array) => value(0x04, contents);
export const boolean = (flag: boolean) => value(0x01, Uint8Array.of(flag ? 0xff : 0));
export const none = () => value(0x05);
export const text = (characters: string) => value(0x0c, utf8(characters));
export const utcTime = (characters: string) => value(0x17, utf8(characters));
export const generalizedTime = (characters: string) => value(0x18, utf8(characters));
export const bits = (contents: Uint8Array, unused = 0) =>
  value(0x03, Uint8Array.of(unused), contents);

/** An integer of at least zero. */
export function integer(number: number | bigint): Bytes {
  const digits = BigInt(number).toString(16);
  const bytes = Uint8Array.fromHex(digits.length % 2 ? `0${digits}` : digits);
  return value(0x02, bytes[0]! >= 0x80 ? Uint8Array.of(0) : Uint8Array.of(), bytes);
}

/** An object identifier, dotted. */
export function objectId(dotted: string): Bytes {
  const [first = 0, second = 0, ...arcs] = dotted.split(".").map(Number);
  const octetsOf = (arc: number): number[] => {
    const found = [arc & 0x7f];
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
      found.unshift(0x80 | (rest & 0x7f));
    }
    return found;
  };
  return value(0x06, Uint8Array.from([first * 40 + second, ...arcs].flatMap(octetsOf)));
}
