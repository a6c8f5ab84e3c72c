/**
 * The items of a timestamp: operations lead from one message to the next, attestations are the
 * leaves. Tags and limits are those of the reference implementation (`opentimestamps/core/op.py` and
 * `opentimestamps/core/notary.py`).
 *
 *     operation    tag 1 || (length || argument, if it takes one)
 *     attestation  tag 8 || length || payload    payload of at most 8,192 bytes
 *     payload      length || URI                 pending at a calendar
 *                  height                        of a Bitcoin, Litecoin or Ethereum block
 *                  any bytes                     under an unknown tag, kept byte for byte
 *
 * @module
 */

import { ripemd160, sha1 } from "@noble/hashes/legacy.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Bytes, concat, fromHex, hexOf, textOf, utf8 } from "../../../base/bytes.ts";
import { compareBytes, malformed, otsInteger, OtsReader, otsSized } from "./reader.ts";

/** An operation. `argument` is empty for an operation that takes none. */
export interface Operation {
  readonly tag: number;
  readonly argument: Bytes;
}

export const OPERATION_TAG = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
} as const;

/** Maximum bytes of a message, argument or result. */
export const MAX_MESSAGE_LENGTH = 4096;

interface Rule {
  /** Minimum bytes of the message. */
  readonly min: number;
  readonly hasArgument?: boolean;
  /** Bytes of the result if it is a digest. */
  readonly digestLength?: number;
  readonly apply: (message: Bytes, argument: Bytes) => Uint8Array;
}

const digest = (digestLength: number, apply: (message: Bytes) => Uint8Array): Rule => ({
  min: 0,
  digestLength,
  apply,
});

const joined = (apply: (message: Bytes, argument: Bytes) => Bytes): Rule => ({
  min: 0,
  hasArgument: true,
  apply,
});

const RULES: ReadonlyMap<number, Rule> = new Map([
  [OPERATION_TAG.sha1, digest(20, sha1)],
  [OPERATION_TAG.ripemd160, digest(20, ripemd160)],
  [OPERATION_TAG.sha256, digest(32, sha256)],
  [OPERATION_TAG.keccak256, digest(32, keccak_256)],
  [OPERATION_TAG.append, joined((message, argument) => concat(message, argument))],
  [OPERATION_TAG.prepend, joined((message, argument) => concat(argument, message))],
  // An empty message would lead to itself.
  [OPERATION_TAG.reverse, { min: 1, apply: (message) => message.toReversed() }],
  [OPERATION_TAG.hexlify, { min: 1, apply: (message) => utf8(hexOf(message)) }],
]);

/** An operation without an argument. */
export function unary(tag: number): Operation {
  return { tag, argument: new Uint8Array() };
}

/** Reads the rest of an operation after its tag. */
export function readOperation(reader: OtsReader, tag: number): Operation {
  const rule = RULES.get(tag);
  if (rule === undefined) throw malformed(`unknown operation with tag ${tag}`);
  return rule.hasArgument ? { tag, argument: reader.sized(1, MAX_MESSAGE_LENGTH) } : unary(tag);
}

export function encodeOperation({ tag, argument }: Operation): Bytes {
  const rule = RULES.get(tag)!;
  return concat(new Uint8Array([tag]), rule.hasArgument ? otsSized(argument) : argument);
}

/** Applies an operation to `message`; `malformed_text` beyond a limit. */
export function applyOperation({ tag, argument }: Operation, message: Bytes): Bytes {
  const rule = RULES.get(tag)!;
  if (message.length < rule.min || message.length > MAX_MESSAGE_LENGTH) {
    throw malformed(`a message is not of ${rule.min} to ${MAX_MESSAGE_LENGTH} bytes`);
  }
  const result = rule.apply(message, argument);
  if (result.length > MAX_MESSAGE_LENGTH) {
    throw malformed(`a message is longer than ${MAX_MESSAGE_LENGTH} bytes`);
  }
  return result as Bytes;
}

/** Bytes of the digest that the operation of `tag` computes; `undefined` if it computes none. */
export function digestLengthOf(tag: number): number | undefined {
  return RULES.get(tag)?.digestLength;
}

/** The order of the operations on one message. */
export function compareOperations(a: Operation, b: Operation): number {
  return a.tag - b.tag || compareBytes(a.argument, b.argument);
}

/** An attestation of a message. */
export type OtsAttestation =
  | { readonly kind: "pending"; readonly uri: string }
  /** The header of a block commits to the message. */
  | { readonly kind: "bitcoin"; readonly height: number }
  | { readonly kind: "litecoin"; readonly height: number }
  | { readonly kind: "ethereum"; readonly height: number }
  | { readonly kind: "unknown"; readonly tag: Bytes; readonly payload: Bytes };

type KnownKind = Exclude<OtsAttestation["kind"], "unknown">;

const TAG_LENGTH = 8;
const MAX_PAYLOAD_LENGTH = 8192;
const MAX_URI_LENGTH = 1000;
/** Excludes queries, logins, escapes and IPv6 literals. */
const URI = /^[A-Za-z0-9\-._/:]*$/;

const TAGS: Readonly<Record<KnownKind, Bytes>> = {
  pending: fromHex("83dfe30d2ef90c8e"),
  bitcoin: fromHex("0588960d73d71901"),
  litecoin: fromHex("06869a0d73d71b45"),
  ethereum: fromHex("30fe8087b5c7ead7"),
};
const KINDS = new Map(
  Object.entries(TAGS).map(([kind, tag]) => [hexOf(tag), kind as KnownKind]),
);

/** Reports whether a pending attestation may hold `text`. */
export function isCalendarUri(text: string): boolean {
  return text.length <= MAX_URI_LENGTH && URI.test(text);
}

/** Reads the next attestation. */
export function readAttestation(reader: OtsReader): OtsAttestation {
  const tag = reader.take(TAG_LENGTH);
  const payload = reader.sized(0, MAX_PAYLOAD_LENGTH);
  const kind = KINDS.get(hexOf(tag));
  if (kind === undefined) return { kind: "unknown", tag, payload };
  const inner = new OtsReader(payload);
  const attestation: OtsAttestation = kind === "pending"
    ? { kind, uri: uriOf(inner.sized(0, MAX_URI_LENGTH)) }
    : { kind, height: inner.integer() };
  inner.end();
  return attestation;
}

export function encodeAttestation(attestation: OtsAttestation): Bytes {
  return concat(tagOf(attestation), otsSized(payloadOf(attestation)));
}

/** The order of a message's attestations: heights compare as numbers. */
export function compareAttestations(a: OtsAttestation, b: OtsAttestation): number {
  const byTag = compareBytes(tagOf(a), tagOf(b));
  if (byTag !== 0) return byTag;
  if ("height" in a && "height" in b) return a.height - b.height;
  return compareBytes(orderedBytes(a), orderedBytes(b));
}

function tagOf(attestation: OtsAttestation): Bytes {
  return attestation.kind === "unknown" ? attestation.tag : TAGS[attestation.kind];
}

function payloadOf(attestation: OtsAttestation): Bytes {
  if (attestation.kind === "unknown") return attestation.payload;
  return attestation.kind === "pending"
    ? otsSized(utf8(attestation.uri))
    : otsInteger(attestation.height);
}

/** URIs compare without their length. */
function orderedBytes(attestation: OtsAttestation): Bytes {
  return attestation.kind === "pending" ? utf8(attestation.uri) : payloadOf(attestation);
}

function uriOf(bytes: Bytes): string {
  const text = textOf(bytes);
  if (!isCalendarUri(text)) {
    throw malformed("a URI has other characters than letters, digits and -._/:");
  }
  return text;
}
