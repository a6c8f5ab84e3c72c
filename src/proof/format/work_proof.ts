/**
 * Proof of work, which limits how many tokens one machine obtains from an issuer without accounts.
 * The client varies the last line of this text:
 *
 *     countersign/work-proof/v1
 *     <issuer name>
 *     <time, Unix seconds>
 *     <SHA-256 of the token request, 64 lowercase hex>
 *     <counter, canonical decimal below 2^53>
 *
 * until the leaf hash SHA-256(0x00 || text) (RFC 9162 section 2.1.1) begins with as many zero bits as
 * the issuer demands. The issuer keeps no list of used proofs: a proof is bound to one token request,
 * and a replay yields the same token.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, integerOf, utf8 } from "../../base/bytes.ts";
import { WORK_DOMAIN } from "../crypto/domains.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { errorBuilder } from "../../base/errors.ts";

const refused = errorBuilder("work_refused", "Proof of work refused");

/** Seconds by which the time of a proof may differ from the issuer's clock. */
export const WORK_WINDOW_SECONDS = 300;

const WORK_SCHEME = "CountersignWork";

/** Maximum of zero bits that an issuer may demand, so that a search ends within the window. */
export const MAX_WORK_BITS = 26;

/** The proof that the client sends with its token request. */
export interface WorkProof {
  /** Unix seconds. */
  readonly time: number;
  readonly counter: number;
}

/** The subject to which a proof is bound. */
export interface WorkSubject {
  readonly issuerName: string;
  /** SHA-256 of the token request. */
  readonly requestDigest: Bytes;
}

const FIELD = /^CountersignWork +time="([0-9]{1,16})", *counter="([0-9]{1,16})"$/i;

const CHALLENGE = /(?:^|, )CountersignWork realm="(?:[^"\\]|\\.)*", bits="([0-9]{1,2})"/i;

/** Hashes per kernel call. */
const STEP = 4096;

/** `WWW-Authenticate` of an issuer that demands `bits` zero bits. */
export function encodeWorkChallenge(issuerName: string, bits: number): string {
  const realm = JSON.stringify(issuerName);
  return `${WORK_SCHEME} realm=${realm}, bits="${bits}", window="${WORK_WINDOW_SECONDS}"`;
}

/** The zero bits that `WWW-Authenticate` demands; `undefined` if it demands no work or too much. */
export function parseWorkChallenge(challenge: string): number | undefined {
  const bits = Number(CHALLENGE.exec(challenge)?.[1]);
  return bits >= 1 && bits <= MAX_WORK_BITS ? bits : undefined;
}

/** The `Authorization` header for `proof`. */
export function encodeWorkProof({ time, counter }: WorkProof): string {
  return `${WORK_SCHEME} time="${time}", counter="${counter}"`;
}

/** The proof in `Authorization`; `undefined` for other credentials. */
export function parseWorkProof(authorization: string): WorkProof | undefined {
  const [, timeText = "", counterText = ""] = FIELD.exec(authorization) ?? [];
  const [time, counter] = [integerOf(timeText), integerOf(counterText)];
  return time === undefined || counter === undefined ? undefined : { time, counter };
}

/** Throws `work_refused` if the proof's time is outside the window around `now` (Unix seconds). */
export function checkWorkTime({ time }: WorkProof, now: number): void {
  if (Math.abs(now - time) <= WORK_WINDOW_SECONDS) return;
  throw refused(
    `its time ${time} differs from ours (${now}) by more than ` +
      `${WORK_WINDOW_SECONDS} s`,
  );
}

/** Throws `work_refused` if the hash of the proof begins with fewer than `bits` zero bits. */
export function checkWork(
  subject: WorkSubject,
  { time, counter }: WorkProof,
  bits: number,
  kernels: Kernels,
): void {
  const found = zeroBits(hashes(subject, time, counter, 1, kernels));
  if (found >= bits) return;
  throw refused(`its hash begins with ${found} zero bits instead of ${bits} or more`);
}

/** What an issuer demands of a proof: its time in Unix seconds, and its zero bits. */
export interface WorkDemand {
  readonly time: number;
  readonly bits: number;
}

/** Searches for a proof. Blocks for 2^bits hashes on average. */
export function findWork(
  subject: WorkSubject,
  { time, bits }: WorkDemand,
  kernels: Kernels,
): WorkProof {
  for (let first = 0;; first += STEP) {
    const found = hashes(subject, time, first, STEP, kernels);
    for (let i = 0; i < STEP; i++) {
      const hash = found.subarray(i * HASH_LENGTH, (i + 1) * HASH_LENGTH);
      if (zeroBits(hash) >= bits) return { time, counter: first + i };
    }
  }
}

function hashes(
  { issuerName, requestDigest }: WorkSubject,
  time: number,
  first: number,
  count: number,
  kernels: Kernels,
): Bytes {
  const digests = new Uint8Array(count * HASH_LENGTH);
  for (let i = 0; i < count; i++) digests.set(requestDigest, i * HASH_LENGTH);
  return kernels.numberedLeafHashes({
    before: utf8(`${WORK_DOMAIN}\n${issuerName}\n${time}\n`),
    digests,
    between: utf8("\n"),
    first,
    after: utf8("\n"),
  });
}

/** The number of leading zero bits of `hash`. */
function zeroBits(hash: Uint8Array): number {
  for (let i = 0; i < hash.length; i++) {
    if (hash[i] !== 0) return 8 * i + Math.clz32(hash[i]!) - 24;
  }
  return 8 * hash.length;
}
