/**
 * TimeStampReq (RFC 3161 section 2.4.1).
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import {
  algorithmOf,
  encodeInteger,
  encodeObjectIdentifier,
  integerOf,
  membersOf,
  objectIdentifierOf,
} from "./asn1.ts";
import { type DerValue, encodeDer, readDer, TAG } from "./der.ts";
import { encodeImprint, type MessageImprint } from "./message_imprint.ts";

/** A request, of which the hash function and the length of the digest are not checked. */
export interface TimeStampRequest {
  readonly version: number;
  /** `imprintOf()` reads it. */
  readonly imprint: DerValue;
  /** Dotted object identifier; absent to accept any policy. */
  readonly policy?: string;
  /** Contents of the integer. */
  readonly nonce?: Bytes;
  /** Whether the token shall have the authority's certificates. */
  readonly certReq: boolean;
  readonly hasExtensions: boolean;
}

export const REQUEST_MEDIA_TYPE = "application/timestamp-query";

const WHAT = "time-stamp request";
const VERSION = 1;

/** Reads a request; `timestamp_refused` for any other input. */
export function readRequest(bytes: Bytes): TimeStampRequest {
  const [version, imprint, policy, nonce, certReq, extensions] = membersOf(
    readDer(bytes, WHAT),
    WHAT,
    "INTEGER SEQUENCE OID? INTEGER? BOOLEAN? [0]?",
  );
  const [algorithm] = membersOf(imprint, WHAT, "SEQUENCE OCTETS");
  algorithmOf(algorithm, WHAT);
  return {
    version: integerOf(version, WHAT),
    imprint,
    ...(policy && { policy: objectIdentifierOf(policy) }),
    ...(nonce && { nonce: nonce.contents.slice() }),
    // Some clients write the default, false, which DER omits.
    certReq: certReq?.contents[0] === 0xff,
    hasExtensions: extensions !== undefined,
  };
}

/** A request for a token that carries the authority's certificates. */
export function encodeRequest(
  imprint: MessageImprint,
  nonce: Bytes,
  policy: string | undefined,
): Bytes {
  return encodeDer(
    TAG.sequence,
    encodeInteger(VERSION),
    encodeImprint(imprint),
    ...policy === undefined ? [] : [encodeObjectIdentifier(policy)],
    encodeDer(TAG.integer, nonce),
    encodeDer(TAG.boolean, Uint8Array.of(0xff)),
  );
}
