/**
 * The attestations of OpenTimestamps: the leaves of a timestamp. Tags and limits are those of the
 * reference implementation (`opentimestamps/core/notary.py`).
 *
 *     tag 8 || length || payload        payload of at most 8,192 bytes
 *     payload: length || URI            pending at a calendar
 *              height                   of a Bitcoin, Litecoin or Ethereum block
 *              any bytes                under an unknown tag, kept byte for byte
 *
 * @module
 */

import { type Bytes, concat, hexOf, textOf, utf8 } from "../../bytes.ts";
import { compareBytes, malformed, otsInteger, OtsReader, otsSized } from "./reader.ts";

/** An attestation of a message. */
export type Attestation =
  | { readonly kind: "pending"; readonly uri: string }
  /** The header of a block commits to the message. */
  | { readonly kind: "bitcoin"; readonly height: number }
  | { readonly kind: "litecoin"; readonly height: number }
  | { readonly kind: "ethereum"; readonly height: number }
  | { readonly kind: "unknown"; readonly tag: Bytes; readonly payload: Bytes };

type KnownKind = Exclude<Attestation["kind"], "unknown">;

const TAG_LENGTH = 8;
const MAX_PAYLOAD_LENGTH = 8192;
const MAX_URI_LENGTH = 1000;
/** Excludes queries, logins, escapes and IPv6 literals. */
const URI = /^[A-Za-z0-9\-._/:]*$/;

const TAGS: Readonly<Record<KnownKind, Bytes>> = {
  pending: Uint8Array.fromHex("83dfe30d2ef90c8e"),
  bitcoin: Uint8Array.fromHex("0588960d73d71901"),
  litecoin: Uint8Array.fromHex("06869a0d73d71b45"),
  ethereum: Uint8Array.fromHex("30fe8087b5c7ead7"),
};
const KINDS = new Map(
  Object.entries(TAGS).map(([kind, tag]) => [hexOf(tag), kind as KnownKind]),
);

/** Reports whether a pending attestation may hold `text`. */
export function isCalendarUri(text: string): boolean {
  return text.length <= MAX_URI_LENGTH && URI.test(text);
}

/** Reads the next attestation. */
export function readAttestation(reader: OtsReader): Attestation {
  const tag = reader.take(TAG_LENGTH);
  const payload = reader.sized(0, MAX_PAYLOAD_LENGTH);
  const kind = KINDS.get(hexOf(tag));
  if (kind === undefined) return { kind: "unknown", tag, payload };
  const inner = new OtsReader(payload);
  const attestation: Attestation = kind === "pending"
    ? { kind, uri: uriOf(inner.sized(0, MAX_URI_LENGTH)) }
    : { kind, height: inner.integer() };
  inner.end();
  return attestation;
}

/** Encodes an attestation. */
export function encodeAttestation(attestation: Attestation): Bytes {
  return concat(tagOf(attestation), otsSized(payloadOf(attestation)));
}

/** The order of a message's attestations: heights compare as numbers. */
export function compareAttestations(a: Attestation, b: Attestation): number {
  const byTag = compareBytes(tagOf(a), tagOf(b));
  if (byTag !== 0) return byTag;
  if ("height" in a && "height" in b) return a.height - b.height;
  return compareBytes(orderedBytes(a), orderedBytes(b));
}

function tagOf(attestation: Attestation): Bytes {
  return attestation.kind === "unknown" ? attestation.tag : TAGS[attestation.kind];
}

function payloadOf(attestation: Attestation): Bytes {
  if (attestation.kind === "unknown") return attestation.payload;
  return attestation.kind === "pending"
    ? otsSized(utf8(attestation.uri))
    : otsInteger(attestation.height);
}

/** URIs compare without their length. */
function orderedBytes(attestation: Attestation): Bytes {
  return attestation.kind === "pending" ? utf8(attestation.uri) : payloadOf(attestation);
}

function uriOf(bytes: Bytes): string {
  const text = textOf(bytes);
  if (!isCalendarUri(text)) {
    throw malformed("a URI has other characters than letters, digits and -._/:");
  }
  return text;
}
