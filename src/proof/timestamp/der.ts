/**
 * Reads DER (X.690 chapters 8 and 10) into a tree of values, and encodes it. The reader accepts
 * one encoding of each value: lengths are definite and shortest, and nothing follows the value.
 *
 * @module
 */

import { type Bytes, concat, hexOf } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";

/** Identifier octets: of universal types, and of context-specific tags by number. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  primitive: (number: number) => 0x80 | number,
  constructed: (number: number) => 0xa0 | number,
} as const;

/** One value. All members are views of the input. */
export interface DerValue {
  /** The identifier octet. */
  readonly tag: number;
  /** The whole encoding. */
  readonly bytes: Bytes;
  readonly contents: Bytes;
  /** Empty for a primitive value. */
  readonly children: readonly DerValue[];
}

/** Tokens and certificates stay below both limits. */
const MAX_DEPTH = 24;
const MAX_VALUES = 8_000;
/** Bounds the arithmetic on object identifiers. */
const MAX_OBJECT_IDENTIFIER_BYTES = 64;

const CONSTRUCTED = 0x20;
const CLASS = 0xc0;
const NUMBER = 0x1f;

/** Numbers of the universal types in tokens and certificates (X.680 section 8.4). */
const UNIVERSAL = new Set([1, 2, 3, 4, 5, 6, 10, 12, 16, 17, 18, 19, 20, 22, 23, 24, 26, 28, 30]);
const SEQUENCE_NUMBER = 16;
const SET_NUMBER = 17;

/** The error for input that cannot be read. `what` names the input. */
export function unreadable(what: string, reason: string): CountersignError {
  return new CountersignError("timestamp_refused", `Cannot read ${what}: ${reason}`);
}

/** Reads `bytes` as one DER value; `timestamp_refused` for any other input. */
export function readDer(bytes: Bytes, what: string): DerValue {
  const value = new Reader(bytes, what).value(0, bytes.length, 0);
  if (value.bytes.length !== bytes.length) throw unreadable(what, "bytes follow the DER value");
  return value;
}

/** Encodes a value with the identifier octet `tag`. */
export function encodeDer(tag: number, ...contents: readonly Uint8Array[]): Bytes {
  const body = concat(...contents);
  const length: number[] = [];
  for (let rest = body.length; rest > 0; rest >>>= 8) length.unshift(rest & 0xff);
  const header = body.length < 0x80 ? [tag, body.length] : [tag, 0x80 | length.length, ...length];
  return concat(Uint8Array.from(header), body);
}

/** DER of a SET OF with the identifier octet `tag`, whose elements are in ascending order (X.690 section 11.6). */
export function encodeSetOf(tag: number, elements: readonly Bytes[]): Bytes {
  return encodeDer(tag, ...elements.toSorted((one, other) => hexOf(one) < hexOf(other) ? -1 : 1));
}

/** Reads the values of one input. */
class Reader {
  readonly #bytes: Bytes;
  readonly #what: string;
  #values = 0;

  constructor(bytes: Bytes, what: string) {
    this.#bytes = bytes;
    this.#what = what;
  }

  /** The value at `start`, which ends at or before `limit`. */
  value(start: number, limit: number, depth: number): DerValue {
    if (depth > MAX_DEPTH || ++this.#values > MAX_VALUES) throw this.#fault("too many values");
    const tag = this.#octet(start, limit);
    this.#checkTag(tag);
    const [contentsAt, end] = this.#extent(start + 1, limit);
    const contents = this.#bytes.subarray(contentsAt, end);
    const children: DerValue[] = [];
    if (tag & CONSTRUCTED) {
      for (let at = contentsAt; at < end;) {
        const child = this.value(at, end, depth + 1);
        children.push(child);
        at += child.bytes.length;
      }
    } else if (!(CANONICAL[tag]?.(contents) ?? true)) {
      throw this.#fault(`non-canonical contents of tag ${tag}`);
    }
    return { tag, bytes: this.#bytes.subarray(start, end), contents, children };
  }

  /** Start and end of the contents whose length is at `at` (X.690 sections 8.1.3 and 10.1). */
  #extent(at: number, limit: number): readonly [start: number, end: number] {
    const first = this.#octet(at, limit);
    const count = first < 0x80 ? 0 : first - 0x80;
    if (first === 0x80 || count > 3) throw this.#fault("indefinite or oversized length");
    let length = count === 0 ? first : 0;
    for (let i = 1; i <= count; i++) length = length * 256 + this.#octet(at + i, limit);
    if (count > 0 && (length < 0x80 || length < 256 ** (count - 1))) {
      throw this.#fault("a length is not in its shortest form");
    }
    const start = at + 1 + count;
    if (start + length > limit) throw this.#fault("a length exceeds its container");
    return [start, start + length];
  }

  #checkTag(tag: number): void {
    const number = tag & NUMBER;
    if (number === NUMBER) throw this.#fault("a tag number is above 30");
    if (tag & CLASS) return;
    const isConstructed = (tag & CONSTRUCTED) !== 0;
    const isCollection = number === SEQUENCE_NUMBER || number === SET_NUMBER;
    if (!UNIVERSAL.has(number) || isConstructed !== isCollection) {
      throw this.#fault(`unexpected type with tag ${tag}`);
    }
  }

  #octet(at: number, limit: number): number {
    const octet = at < limit ? this.#bytes[at] : undefined;
    if (octet === undefined) throw this.#fault("the input ends within a value");
    return octet;
  }

  #fault(reason: string): CountersignError {
    return unreadable(this.#what, reason);
  }
}

/** By identifier octet: whether contents are the one encoding of their value. */
const CANONICAL: Readonly<Record<number, (contents: Bytes) => boolean>> = {
  [TAG.boolean]: ([value, ...rest]) => rest.length === 0 && (value === 0x00 || value === 0xff),
  [TAG.integer]: isShortestInteger,
  [TAG.enumerated]: isShortestInteger,
  // X.690 sections 8.6.2 and 11.2: unused bits are zeros.
  [TAG.bitString]([unused = 8, ...bits]) {
    const last = bits.at(-1);
    if (last === undefined) return unused === 0;
    return unused < 8 && (last & ((1 << unused) - 1)) === 0;
  },
  [TAG.null]: (contents) => contents.length === 0,
  // X.690 section 8.19.2: no subidentifier begins with 0x80, and the last one ends.
  [TAG.objectIdentifier]: (contents) =>
    contents.length > 0 && contents.length <= MAX_OBJECT_IDENTIFIER_BYTES &&
    contents.at(-1)! < 0x80 &&
    contents.every((octet, i) => octet !== 0x80 || (i > 0 && contents[i - 1]! >= 0x80)),
};

/** X.690 section 8.3.2: the first nine bits are not all alike. */
export function isShortestInteger(contents: Bytes): boolean {
  const [first, second] = contents;
  if (first === undefined) return false;
  if (second === undefined) return true;
  return !(first === 0x00 && second < 0x80) && !(first === 0xff && second >= 0x80);
}
