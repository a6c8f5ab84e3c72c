/**
 * Types of ASN.1 (X.680) and X.509 in a DER tree. Every function checks the whole structure of its
 * value and throws `timestamp_refused` for any other.
 *
 * @module
 */

import { type Bytes, fromHex } from "../../base/bytes.ts";
import { type DerValue, encodeDer, isShortestInteger, TAG, unreadable } from "./der.ts";

/** Types of a grammar, by identifier octet; `[n]` and `(n)` are constructed and primitive tags. */
const TYPES: Readonly<Record<string, number>> = {
  BOOLEAN: TAG.boolean,
  INTEGER: TAG.integer,
  BITS: TAG.bitString,
  OCTETS: TAG.octetString,
  OID: TAG.objectIdentifier,
  TIME: TAG.generalizedTime,
  SEQUENCE: TAG.sequence,
  SET: TAG.set,
};

type MembersOf<Grammar extends string> = Grammar extends `${infer First} ${infer Rest}`
  ? [...MembersOf<First>, ...MembersOf<Rest>]
  : [Grammar extends `${string}?` ? DerValue | undefined : DerValue];

/**
 * The members of the sequence `value`, which has those of `grammar` in order and no others: names of
 * types between spaces, `ANY` for every type, and a `?` after each that may be absent.
 */
export function membersOf<const Grammar extends string>(
  value: DerValue,
  what: string,
  grammar: Grammar,
  tag: number = TAG.sequence,
): MembersOf<Grammar> {
  let at = 0;
  const members = grammar.split(" ").map((member) => {
    const child = value.children[at];
    const isOptional = member.endsWith("?");
    if (child !== undefined && isOfType(child.tag, isOptional ? member.slice(0, -1) : member)) {
      at++;
      return child;
    }
    if (isOptional) return undefined;
    throw unreadable(what, `its members are not ${grammar}`);
  });
  if (value.tag !== tag || at < value.children.length) {
    throw unreadable(what, `its members are not ${grammar}`);
  }
  return members as MembersOf<Grammar>;
}

/** The one value, of `type`, within an explicit tag. */
export function untagged(value: DerValue, what: string, type: string): DerValue {
  return membersOf(value, what, type, value.tag)[0]!;
}

function isOfType(tag: number, type: string): boolean {
  if (type === "ANY") return true;
  const number = Number(type[1]);
  if (type.startsWith("[")) return tag === TAG.constructed(number);
  if (type.startsWith("(")) return tag === TAG.primitive(number);
  return tag === TYPES[type];
}

/** The elements of a SEQUENCE OF or SET OF, by the identifier octets of both. */
export function elementsOf(
  value: DerValue,
  what: string,
  elementTag: number,
  tag: number = TAG.sequence,
): readonly DerValue[] {
  const isList = value.tag === tag && value.children.every((child) => child.tag === elementTag);
  if (!isList) throw unreadable(what, "a list has a wrong type");
  return value.children;
}

/** An integer of at most 32 bits, also one with an implicit tag. */
export function integerOf({ contents }: DerValue, what: string): number {
  if (!isShortestInteger(contents) || contents.length > 4) {
    throw unreadable(what, "an integer is out of range");
  }
  return contents.reduce((value, octet) => value * 256 + octet, contents[0]! < 0x80 ? 0 : -1);
}

/** The dotted form of an object identifier (X.690 section 8.19). */
export function objectIdentifierOf({ contents }: DerValue): string {
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const octet of contents) {
    arc = arc << 7n | BigInt(octet & 0x7f);
    if (octet >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [first = 0n, ...others] = arcs;
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - 40n * root, ...others].join(".");
}

/** DER of a dotted object identifier. */
export function encodeObjectIdentifier(dotted: string): Bytes {
  const [root = 0, second = 0, ...others] = dotted.split(".").map(Number);
  const octets = [root * 40 + second, ...others].flatMap((arc) => {
    const found = [arc & 0x7f];
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) {
      found.unshift(rest & 0x7f | 0x80);
    }
    return found;
  });
  return encodeDer(TAG.objectIdentifier, Uint8Array.from(octets));
}

/** DER of a non-negative integer (X.690 section 8.3). */
export function encodeInteger(value: number | bigint): Bytes {
  const digits = value.toString(16);
  const octets = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  const sign = octets[0]! < 0x80 ? [] : [0];
  return encodeDer(TAG.integer, Uint8Array.from(sign), octets);
}

/** X.690 section 11.7 and RFC 5280 section 4.1.2.5: in Zulu, with seconds. Not every language has a year 0. */
const TIME = /^((?!0000)\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/;

/** Unix seconds of a UTCTime or GeneralizedTime, and the decimal digits of their fraction. */
export function timeOf(
  { tag, contents }: DerValue,
  what: string,
): { readonly seconds: number; readonly fraction: string } {
  const text = new TextDecoder("latin1").decode(contents);
  const century = tag === TAG.generalizedTime ? "" : text < "50" ? "20" : "19";
  const [, year, month, day, hour, minute, second, fraction = ""] = TIME.exec(century + text) ?? [];
  const stem = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = Date.parse(`${stem}Z`);
  // Date.parse() reads 30 February as 2 March, so the date is formatted again and compared.
  const isTime = (tag === TAG.generalizedTime || tag === TAG.utcTime && fraction === "") &&
    !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(stem);
  if (!isTime) throw unreadable(what, "a time is invalid or not in Zulu");
  return { seconds: ms / 1000, fraction };
}

/** Encodings of the string types, by identifier octet. */
const ENCODINGS: Readonly<Record<number, string>> = {
  [TAG.utf8String]: "utf-8",
  0x12: "latin1",
  0x13: "latin1",
  0x14: "latin1",
  0x16: "latin1",
  0x1a: "latin1",
  0x1e: "utf-16be",
};

/**
 * At most `length` characters of a string, `undefined` for another type. Characters that could move
 * a terminal's cursor become `?`.
 */
export function printableText({ tag, contents }: DerValue, length: number): string | undefined {
  const encoding = ENCODINGS[tag];
  if (encoding === undefined) return undefined;
  const text = new TextDecoder(encoding).decode(contents);
  return text.slice(0, length).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "?");
}

/** AlgorithmIdentifier (RFC 5280 section 4.1.1.2). */
export interface AlgorithmIdentifier {
  /** Dotted object identifier. */
  readonly id: string;
  readonly parameters: DerValue | undefined;
}

export function algorithmOf(value: DerValue, what: string): AlgorithmIdentifier {
  const [id, parameters] = membersOf(value, what, "OID ANY?");
  return { id: objectIdentifierOf(id), parameters };
}

/** An extension (RFC 5280 section 4.1); `value` is the DER inside its octet string. */
export interface Extension {
  readonly critical: boolean;
  readonly value: Bytes;
}

/** Extensions by object identifier. */
export function extensionsOf(
  value: DerValue,
  what: string,
  tag: number = TAG.sequence,
): ReadonlyMap<string, Extension> {
  const extensions = new Map<string, Extension>();
  for (const element of elementsOf(value, what, TAG.sequence, tag)) {
    const [type, critical, { contents }] = membersOf(element, what, "OID BOOLEAN? OCTETS");
    const id = objectIdentifierOf(type);
    // X.690 section 11.5: DER omits a default.
    if (critical?.contents[0] === 0) throw unreadable(what, `extension ${id} encodes a default`);
    // RFC 5280 section 4.2: at most one instance of an extension.
    if (extensions.has(id)) throw unreadable(what, `extension ${id} occurs twice`);
    extensions.set(id, { critical: critical !== undefined, value: contents });
  }
  return extensions;
}

/** The attributes of a Name (RFC 5280 section 4.1.2.4); `type` is a dotted object identifier. */
export function nameAttributesOf(
  name: DerValue,
  what: string,
): readonly { readonly type: string; readonly value: DerValue }[] {
  return elementsOf(name, what, TAG.set).flatMap((relative) =>
    elementsOf(relative, what, TAG.sequence, TAG.set).map((attribute) => {
      const [type, value] = membersOf(attribute, what, "OID ANY");
      return { type: objectIdentifierOf(type), value };
    })
  );
}
