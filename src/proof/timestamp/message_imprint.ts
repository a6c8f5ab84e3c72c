/**
 * What a time-stamp token is about: a hash of some content (RFC 3161 section 2.4.1), and the hash that
 * witnesses attest for it (protocol.md "Time stamps").
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf } from "../../base/bytes.ts";
import type { Hashing } from "../crypto/hashing.ts";
import { HASH_OIDS, type HashName, hashNameOf } from "./algorithms.ts";
import { algorithmOf, encodeObjectIdentifier, membersOf } from "./asn1.ts";
import { type DerValue, encodeDer, TAG, unreadable } from "./der.ts";

export interface MessageImprint {
  readonly hash: HashName;
  /** Of the length that `hash` gives. */
  readonly digest: Bytes;
}

/** Bytes of a digest. */
const DIGEST_LENGTH: Readonly<Record<HashName, number>> = {
  "SHA-256": 32,
  "SHA-384": 48,
  "SHA-512": 64,
};

/** The hash function of a MessageImprint; `timestamp_refused` for another one than those of {@linkcode HASH_OIDS}. */
export function imprintHashOf(value: DerValue, what: string): HashName {
  const [algorithm] = membersOf(value, what, "SEQUENCE OCTETS");
  return hashNameOf(algorithmOf(algorithm, what));
}

/** Reads a MessageImprint; `timestamp_refused`. */
export function imprintOf(value: DerValue, what: string): MessageImprint {
  const [, { contents }] = membersOf(value, what, "SEQUENCE OCTETS");
  const hash = imprintHashOf(value, what);
  if (contents.length === DIGEST_LENGTH[hash]) return { hash, digest: contents.slice() };
  throw unreadable(what, `its digest has ${contents.length} bytes, and ${hash} has another length`);
}

export function isSameImprint(one: MessageImprint, other: MessageImprint): boolean {
  return one.hash === other.hash && equalBytes(one.digest, other.digest);
}

/** DER of a MessageImprint whose algorithm has NULL parameters: a DigestInfo of RFC 8017 section 9.2. */
export function encodeImprint({ hash, digest }: MessageImprint): Bytes {
  return encodeDer(
    TAG.sequence,
    encodeDer(TAG.sequence, encodeObjectIdentifier(HASH_OIDS[hash]), encodeDer(TAG.null)),
    encodeDer(TAG.octetString, digest),
  );
}

/**
 * The hash that is attested for `imprint`, 64 hex digits: a SHA-256 digest itself, so that the file and the
 * token have the same entry in the log; otherwise the SHA-256 of {@linkcode encodeImprint}.
 */
export function attestedHash(kernels: Pick<Hashing, "sha256">, imprint: MessageImprint): string {
  const { hash, digest } = imprint;
  return hexOf(hash === "SHA-256" ? digest : kernels.sha256(encodeImprint(imprint)));
}
