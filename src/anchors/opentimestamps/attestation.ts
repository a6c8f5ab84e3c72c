/**
 * The attestations of OpenTimestamps: the leaves of a timestamp, each of which says where a message
 * was seen. Tags and limits as in the reference implementation (`opentimestamps/core/notary.py`).
 *
 *     tag 8 || length || payload        of at most 8,192 bytes
 *     payload: length || URI            a calendar that will have more
 *              height                   a block header of Bitcoin, Litecoin or Ethereum
 *              anything                 under other tags, kept byte for byte
 *
 * @module
 */

import { type Bytes, concat, hexOf, textOf, utf8 } from "../../bytes.ts";
import { compareBytes, malformed, otsInteger, OtsReader, otsSized } from "./reader.ts";

/** What a message is attested by. */
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
/** No query, login, escape or IPv6 literal can be spelled with these. */
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

/** True for a text that a pending attestation may hold. */
export function isCalendarUri(text: string): boolean {
  return text.length <= MAX_URI_LENGTH && URI.test(text);
}

/** The attestation that `reader` comes to. */
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

/** The serialization of `attestation`. */
export function encodeAttestation(attestation: Attestation): Bytes {
  return concat(tagOf(attestation), otsSized(payloadOf(attestation)));
}

/** The order in which the attestations of one message are written: of heights, not of their bytes. */
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

/** URIs are ordered as texts, without the length that stands before them. */
function orderedBytes(attestation: Attestation): Bytes {
  return attestation.kind === "pending" ? utf8(attestation.uri) : payloadOf(attestation);
}

function uriOf(bytes: Bytes): string {
  const text = textOf(bytes);
  if (!isCalendarUri(text)) throw malformed("a URI of letters, digits and -._/:", "others");
  return text;
}
