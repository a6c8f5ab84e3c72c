/**
 * The proof that a token of a Countersign gateway carries (protocol.md "Time stamps"): an unsigned
 * attribute of its SignerInfo (RFC 5652 section 5.3), which other verifiers ignore.
 *
 *     AttachedProof ::= SEQUENCE { version INTEGER (1), bundle OCTET STRING }
 *
 * `bundle` is the JSON text of a ProofBundle in UTF-8.
 *
 * @module
 */

import { type Bytes, hexOf, utf8 } from "../../base/bytes.ts";
import { encodeInteger, encodeObjectIdentifier, integerOf, membersOf, untagged } from "./asn1.ts";
import { type DerValue, encodeDer, encodeSetOf, readDer, TAG, unreadable } from "./der.ts";

/**
 * The UUID 2ef1afee-d9da-424c-8343-ad71066c9bbf in arcs of at most 24 bits, below the arc that Microsoft
 * gives for identifiers from UUIDs. Arc 2.25 would have it as one number of 128 bits, and Go's
 * `encoding/asn1`, so cosign and notation, refuses every structure with such a number.
 */
const ARC = "1.2.840.113556.1.8000.2554.12017.45038.55770.16972.33603.11366662.7117759";

/** The attribute's type. */
export const PROOF_ATTRIBUTE = `${ARC}.1`;

/** The policy of tokens that are signed only for what a threshold of witnesses attested. */
export const ATTESTED_POLICY = `${ARC}.2`;

const VERSION = 1;
const WHAT = "proof in time-stamp token";

/** The text of the bundle in the one value of the attribute; `timestamp_refused`. */
export function readAttachedProof(values: DerValue): Bytes {
  const [value, ...others] = values.children;
  if (value === undefined || others.length > 0) throw unreadable(WHAT, "not exactly one value");
  const [version, bundle] = membersOf(value, WHAT, "INTEGER OCTETS");
  if (integerOf(version, WHAT) !== VERSION) throw unreadable(WHAT, "unknown version");
  return bundle.contents;
}

/** The DER of `token`, a ContentInfo that `readToken()` accepts, with the proof `bundle` in place of any other. */
export function withAttachedProof(token: Bytes, bundle: string): Bytes {
  const [contentType, wrapped] = membersOf(readDer(token, WHAT), WHAT, "OID [0]");
  const signedData = untagged(wrapped, WHAT, "SEQUENCE");
  const signers = signedData.children.at(-1)!;
  const members = signers.children[0]!.children;
  const last = members.at(-1)!;
  const hasUnsigned = last.tag === UNSIGNED_TAG;
  const kept = hasUnsigned ? last.children.filter((attribute) => !isProof(attribute)) : [];
  const attributes = [...kept.map(({ bytes }) => bytes), encodeAttachedProof(bundle)];
  const signer = encodeDer(
    TAG.sequence,
    ...(hasUnsigned ? members.slice(0, -1) : members).map(({ bytes }) => bytes),
    encodeSetOf(UNSIGNED_TAG, attributes),
  );
  const content = encodeDer(
    TAG.sequence,
    ...signedData.children.slice(0, -1).map(({ bytes }) => bytes),
    encodeDer(TAG.set, signer),
  );
  return encodeDer(TAG.sequence, contentType.bytes, encodeDer(TAG.constructed(0), content));
}

/** Tag of the unsigned attributes in a SignerInfo. */
export const UNSIGNED_TAG = TAG.constructed(1);

const PROOF_TYPE = encodeObjectIdentifier(PROOF_ATTRIBUTE);

function isProof({ children: [type] }: DerValue): boolean {
  return type !== undefined && hexOf(type.bytes) === hexOf(PROOF_TYPE);
}

/** DER of the Attribute with the proof `bundle`. */
export function encodeAttachedProof(bundle: string): Bytes {
  const value = encodeDer(
    TAG.sequence,
    encodeInteger(VERSION),
    encodeDer(TAG.octetString, utf8(bundle)),
  );
  return encodeDer(TAG.sequence, PROOF_TYPE, encodeDer(TAG.set, value));
}
