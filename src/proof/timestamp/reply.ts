/**
 * TimeStampResp (RFC 3161 section 2.4.2): a status, and the token if the authority grants one.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { elementsOf, encodeInteger, integerOf, membersOf, printableText } from "./asn1.ts";
import { type DerValue, encodeDer, readDer, TAG, unreadable } from "./der.ts";

export const REPLY_MEDIA_TYPE = "application/timestamp-reply";

const WHAT = "time-stamp reply";
const STATUSES = [
  "granted",
  "grantedWithMods",
  "rejection",
  "waiting",
  "revocationWarning",
  "revocationNotification",
] as const;
const GRANTED = 0;
/** Statuses up to this one come with a token. */
const GRANTED_WITH_MODS = 1;
const REJECTION = 2;

/** Bits of PKIFailureInfo. */
const FAILURES = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  addInfoNotAvailable: 17,
  systemFailure: 25,
} as const;
const TEXT_LENGTH = 200;

/** Why an authority rejects a request. */
export type ReplyFailure = keyof typeof FAILURES;

const refused = errorBuilder("timestamp_refused", "Cannot use time-stamp reply");

/** The DER of the token in a reply that grants one; else `timestamp_refused` with the reply's reason. */
export function readReply(bytes: Bytes): Bytes {
  const [info, token] = membersOf(readDer(bytes, WHAT), WHAT, "SEQUENCE SEQUENCE?");
  const [number, strings, failures] = membersOf(info, WHAT, "INTEGER SEQUENCE? BITS?");
  const status = integerOf(number, WHAT);
  const name = STATUSES[status];
  if (name === undefined) throw unreadable(WHAT, "unknown status");
  const texts = strings ? elementsOf(strings, WHAT, TAG.utf8String) : [];
  if (status <= GRANTED_WITH_MODS) {
    if (token === undefined) throw unreadable(WHAT, "it has no token");
    return token.bytes.slice();
  }
  const reasons = [
    name,
    ...failures ? failureNames(failures) : [],
    ...texts.map((text) => printableText(text, TEXT_LENGTH)),
  ].join(", ").slice(0, 2 * TEXT_LENGTH);
  throw refused(`the authority answered ${reasons}`);
}

/** A reply that grants `token`. */
export function encodeGranted(token: Bytes): Bytes {
  return encodeDer(TAG.sequence, encodeDer(TAG.sequence, encodeInteger(GRANTED)), token);
}

/** A reply that rejects a request. `text` is for people. */
export function encodeRejection(failure: ReplyFailure, text: string): Bytes {
  const status = encodeDer(
    TAG.sequence,
    encodeInteger(REJECTION),
    encodeDer(TAG.sequence, encodeDer(TAG.utf8String, utf8(text))),
    encodeDer(TAG.bitString, bitOf(FAILURES[failure])),
  );
  return encodeDer(TAG.sequence, status);
}

/** Contents of a named bit string with one bit: X.690 section 11.2.2 ends it there. */
function bitOf(number: number): Bytes {
  const contents = new Uint8Array(2 + (number >> 3));
  contents[0] = 7 - (number & 7);
  contents[contents.length - 1] = 0x80 >> (number & 7);
  return contents;
}

function failureNames({ contents }: DerValue): readonly string[] {
  return Object.entries(FAILURES).flatMap(([name, bit]) => {
    const octet = contents[1 + (bit >> 3)] ?? 0;
    return octet & 0x80 >> (bit & 7) ? [name] : [];
  });
}
