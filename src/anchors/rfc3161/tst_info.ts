/**
 * TSTInfo: what a time-stamp token says (RFC 3161 section 2.4.2).
 *
 * @module
 */

import * as asn1js from "asn1js";
import { type Accuracy, TSTInfo } from "pkijs";
import type { Bytes } from "../../bytes.ts";
import { SHA256_OID } from "./algorithms.ts";
import { readDer, TAG, unreadable } from "./der.ts";
import { readPki } from "./pki.ts";

/** What a token says. */
export interface TimeStampInfo {
  /** Dotted object identifier. */
  readonly policy: string;
  /** The SHA-256 digest that existed. */
  readonly digest: Bytes;
  /** Unix seconds, rounded down. */
  readonly genTime: number;
  /** Unix seconds: the latest that the time and its accuracy allow, rounded up. */
  readonly notAfter: number;
  /** Contents of the integer. */
  readonly nonce?: Bytes;
  /** DER of the GeneralName by which the authority calls itself. */
  readonly authority?: Bytes;
}

const WHAT = "time-stamp info";
const VERSION = 1;
const GEN_TIME_PLACE = 4;

/** RFC 3161 section 2.4.2 and X.690 section 11.7: Zulu, and a fraction does not end in zeros. */
const GEN_TIME = /^([0-9]{4})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})([0-9]{2})(\.[0-9]*[1-9])?Z$/;

const MICROSECONDS = 1_000_000;

/** What the TSTInfo of `bytes` says; `anchor_refused` when it is none for a SHA-256 digest. */
export function readTimeStampInfo(bytes: Bytes): TimeStampInfo {
  const members = readDer(bytes, WHAT).children;
  const time = new TextDecoder().decode(members[GEN_TIME_PLACE]?.contents);
  const { seconds, fraction } = readGenTime(time);
  const { value } = readPki(TSTInfo, bytes, WHAT, (info) => encodedWithTime(info, time));
  const { version, policy, messageImprint, accuracy, extensions = [] } = value;
  if (version !== VERSION) throw unreadable(WHAT, `version ${VERSION}`, "another");
  const { algorithmId, algorithmParams } = messageImprint.hashAlgorithm;
  const isPlain = algorithmParams === undefined || algorithmParams instanceof asn1js.Null;
  if (algorithmId !== SHA256_OID || !isPlain) {
    throw unreadable(WHAT, "a SHA-256 imprint", `algorithm ${algorithmId}`);
  }
  if (extensions.some(({ critical }) => critical)) {
    throw unreadable(WHAT, "no critical extension", "one");
  }
  const options = members.slice(GEN_TIME_PLACE + 1);
  const nonce = options.find(({ tag }) => tag === TAG.integer);
  const authority = options.find(({ tag }) => tag === TAG.constructed(0));
  return {
    policy,
    digest: messageImprint.hashedMessage.valueBlock.valueHexView.slice(),
    genTime: seconds,
    notAfter: seconds + Math.ceil((fraction + readAccuracy(accuracy)) / MICROSECONDS),
    ...(nonce && { nonce: nonce.contents }),
    ...(authority && { authority: authority.contents }),
  };
}

/** pkijs keeps milliseconds of a time; here it is encoded with all digits that it came with. */
function encodedWithTime(info: TSTInfo, time: string): asn1js.Sequence {
  const schema: asn1js.Sequence = info.toSchema();
  schema.valueBlock.value[GEN_TIME_PLACE] = new asn1js.GeneralizedTime({ value: time });
  return schema;
}

/** @returns Unix seconds, and microseconds of what is left, rounded up */
function readGenTime(text: string): { seconds: number; fraction: number } {
  const [found, year, month, day, hour, minute, second, digits = "."] = GEN_TIME.exec(text) ?? [];
  const stem = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const ms = found === undefined ? NaN : Date.parse(`${stem}Z`);
  // Date.parse takes the 30th of February for the 2nd of March: only what it gives back is a time.
  if (Number.isNaN(ms) || ms < 0 || new Date(ms).toISOString().slice(0, stem.length) !== stem) {
    throw unreadable(WHAT, "a time in Zulu", "another text");
  }
  const micros = digits.slice(1).padEnd(6, "0");
  const rest = /[1-9]/.test(micros.slice(6)) ? 1 : 0;
  return { seconds: ms / 1000, fraction: Number(micros.slice(0, 6)) + rest };
}

/**
 * Microseconds of an accuracy; none that is said is none that is added. An integer beyond 32 bits
 * has been refused: pkijs encodes it otherwise than it came.
 */
function readAccuracy(accuracy: Accuracy | undefined): number {
  const { seconds = 0, millis = 0, micros = 0 } = accuracy ?? {};
  const isWithin = seconds >= 0 &&
    [accuracy?.millis ?? 1, accuracy?.micros ?? 1].every((part) => part >= 1 && part <= 999);
  if (!isWithin) throw unreadable(WHAT, "an accuracy within its bounds", "another");
  return seconds * MICROSECONDS + millis * 1000 + micros;
}
