/**
 * TSTInfo: the statement of a time-stamp token (RFC 3161 section 2.4.2).
 *
 * @module
 */

import type { Bytes } from "../../../base/bytes.ts";
import { hashNameOf } from "./algorithms.ts";
import {
  algorithmOf,
  extensionsOf,
  integerOf,
  membersOf,
  objectIdentifierOf,
  timeOf,
  untagged,
} from "./asn1.ts";
import { type DerValue, readDer, unreadable } from "./der.ts";

/** The statement of a token. */
export interface TimeStampInfo {
  /** Dotted object identifier. */
  readonly policy: string;
  /** The SHA-256 digest that existed. */
  readonly digest: Bytes;
  /** Unix seconds, rounded down. */
  readonly genTime: number;
  /** Unix seconds, rounded up: the end of the interval that time and accuracy allow. */
  readonly notAfter: number;
  /** Contents of the integer. */
  readonly nonce?: Bytes;
  /** DER of the authority's GeneralName. */
  readonly authority?: Bytes;
}

const WHAT = "time-stamp info";
const VERSION = 1;
const MICROSECONDS = 1_000_000;

/** Reads a TSTInfo for a SHA-256 digest; `anchor_refused` for any other input. */
export function readTimeStampInfo(bytes: Bytes): TimeStampInfo {
  const [version, policy, imprint, , genTime, accuracy, , nonce, authority, extensions] = membersOf(
    readDer(bytes, WHAT),
    WHAT,
    "INTEGER OID SEQUENCE INTEGER TIME SEQUENCE? BOOLEAN? INTEGER? [0]? [1]?",
  );
  if (integerOf(version, WHAT) !== VERSION) throw unreadable(WHAT, "unknown version");
  const [algorithm, digest] = membersOf(imprint, WHAT, "SEQUENCE OCTETS");
  if (hashNameOf(algorithmOf(algorithm, WHAT)) !== "SHA-256") {
    throw unreadable(WHAT, "its imprint is not of SHA-256");
  }
  for (
    const [id, { critical }] of extensions ? extensionsOf(extensions, WHAT, extensions.tag) : []
  ) {
    if (critical) throw unreadable(WHAT, `unknown critical extension ${id}`);
  }
  const name = authority && untagged(authority, WHAT, "ANY");
  const { seconds, fraction } = timeOf(genTime, WHAT);
  if (seconds < 0) throw unreadable(WHAT, "its time is before 1970");
  return {
    policy: objectIdentifierOf(policy),
    digest: digest.contents.slice(),
    genTime: seconds,
    notAfter: seconds + Math.ceil((microsecondsOf(fraction) + accuracyOf(accuracy)) / MICROSECONDS),
    ...(nonce && { nonce: nonce.contents }),
    ...(name && { authority: name.bytes }),
  };
}

/** Microseconds of the decimal digits of a fraction, rounded up. */
function microsecondsOf(fraction: string): number {
  return Number(fraction.slice(0, 6).padEnd(6, "0")) + (fraction.length > 6 ? 1 : 0);
}

/** Microseconds of an Accuracy; 0 when absent. */
function accuracyOf(accuracy: DerValue | undefined): number {
  if (accuracy === undefined) return 0;
  const [seconds, ...parts] = membersOf(accuracy, WHAT, "INTEGER? (0)? (1)?");
  const whole = seconds ? integerOf(seconds, WHAT) : 0;
  const [millis, micros] = parts.map((part) => part && integerOf(part, WHAT));
  if (whole < 0 || ![millis ?? 1, micros ?? 1].every((part) => part >= 1 && part <= 999)) {
    throw unreadable(WHAT, "its accuracy is out of range");
  }
  return whole * MICROSECONDS + (millis ?? 0) * 1000 + (micros ?? 0);
}
