/**
 * TSTInfo: the statement of a time-stamp token (RFC 3161 section 2.4.2).
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import {
  extensionsOf,
  integerOf,
  membersOf,
  objectIdentifierOf,
  timeOf,
  untagged,
} from "./asn1.ts";
import { type DerValue, readDer, unreadable } from "./der.ts";
import { imprintOf, type MessageImprint } from "./message_imprint.ts";

/** The statement of a token. */
export interface TimeStampInfo {
  /** Dotted object identifier. */
  readonly policy: string;
  /** The digest that existed. */
  readonly imprint: MessageImprint;
  /** Contents of the integer. */
  readonly serial: Bytes;
  /** Unix seconds, rounded down. */
  readonly genTime: number;
  /** Microseconds after `genTime` at which the token was made. */
  readonly fraction: number;
  /** Microseconds; 0 if the token states none. */
  readonly accuracy: number;
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

/** Reads a TSTInfo; `timestamp_refused` for any other input. */
export function readTimeStampInfo(bytes: Bytes): TimeStampInfo {
  const [version, policy, imprint, serial, genTime, accuracy, , nonce, authority, extensions] =
    membersOf(
      readDer(bytes, WHAT),
      WHAT,
      "INTEGER OID SEQUENCE INTEGER TIME SEQUENCE? BOOLEAN? INTEGER? [0]? [1]?",
    );
  if (integerOf(version, WHAT) !== VERSION) throw unreadable(WHAT, "unknown version");
  for (
    const [id, { critical }] of extensions ? extensionsOf(extensions, WHAT, extensions.tag) : []
  ) {
    if (critical) throw unreadable(WHAT, `unknown critical extension ${id}`);
  }
  const name = authority && untagged(authority, WHAT, "ANY");
  const { seconds, fraction: digits } = timeOf(genTime, WHAT);
  if (seconds < 0) throw unreadable(WHAT, "its time is before 1970");
  const fraction = microsecondsOf(digits);
  const microseconds = accuracyOf(accuracy);
  return {
    policy: objectIdentifierOf(policy),
    imprint: imprintOf(imprint, WHAT),
    serial: serial.contents,
    genTime: seconds,
    fraction,
    accuracy: microseconds,
    notAfter: seconds + Math.ceil((fraction + microseconds) / MICROSECONDS),
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
