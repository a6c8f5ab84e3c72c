/**
 * Proof of work, by which an issuer without accounts bounds how many tokens one machine obtains. It is
 * over this text, whose last line the client varies:
 *
 *     countersign/work-proof/v1
 *     <issuer name>
 *     <time, Unix seconds>
 *     <SHA-256 of the token request, 64 lowercase hex>
 *     <counter, canonical decimal below 2^53>
 *
 * Its hash, SHA-256(0x00 || text) as of a leaf (RFC 9162 section 2.1.1), has to begin with as many zero
 * bits as the issuer demands. No proof is crossed off: work done is bound to one token request, and
 * whoever shows it again obtains the same token again.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, integerOf, utf8 } from "../bytes.ts";
import { WORK_DOMAIN } from "../crypto/domains.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";

/** Seconds by which the time of a proof may differ from the issuer's clock. */
export const WORK_WINDOW_SECONDS = 300;

const WORK_SCHEME = "CountersignWork";

/** The most zero bits that an issuer may demand: a machine has them well within the window. */
export const MAX_WORK_BITS = 26;

/** What is found, and shown with the request. */
export interface WorkProof {
  /** Unix seconds. */
  readonly time: number;
  readonly counter: number;
}

/** What the work is done for. */
export interface WorkSubject {
  readonly issuerName: string;
  /** SHA-256 of the token request. */
  readonly requestDigest: Bytes;
}

const FIELD = /^CountersignWork +time="([0-9]{1,16})", *counter="([0-9]{1,16})"$/i;

const CHALLENGE = /(?:^|, )CountersignWork realm="(?:[^"\\]|\\.)*", bits="([0-9]{1,2})"/i;

/** Hashes of one call of the kernel. */
const STEP = 4096;

/** `WWW-Authenticate` of an issuer that takes work of `bits` zero bits. */
export function encodeWorkChallenge(issuerName: string, bits: number): string {
  const realm = JSON.stringify(issuerName);
  return `${WORK_SCHEME} realm=${realm}, bits="${bits}", window="${WORK_WINDOW_SECONDS}"`;
}

/** The bits that `WWW-Authenticate` demands; `undefined` where work is not taken, or too much is. */
export function parseWorkChallenge(challenge: string): number | undefined {
  const bits = Number(CHALLENGE.exec(challenge)?.[1]);
  return bits >= 1 && bits <= MAX_WORK_BITS ? bits : undefined;
}

/** `Authorization` of `proof`. */
export function encodeWorkProof({ time, counter }: WorkProof): string {
  return `${WORK_SCHEME} time="${time}", counter="${counter}"`;
}

/** The proof in `Authorization`, or `undefined` when that says anything else. */
export function parseWorkProof(authorization: string): WorkProof | undefined {
  const [, timeText = "", counterText = ""] = FIELD.exec(authorization) ?? [];
  const [time, counter] = [integerOf(timeText), integerOf(counterText)];
  return time === undefined || counter === undefined ? undefined : { time, counter };
}

/** Refuses with `work_refused` a proof of another time than `now`, in Unix seconds. */
export function checkWorkTime({ time }: WorkProof, now: number): void {
  if (Math.abs(now - time) <= WORK_WINDOW_SECONDS) return;
  throw new CountersignError(
    "work_refused",
    `Cannot take proof of work: a time within ${WORK_WINDOW_SECONDS} s of ${now} required, ` +
      `found ${time}`,
  );
}

/** Refuses with `work_refused` a proof whose hash begins with fewer than `bits` zero bits. */
export function checkWork(
  subject: WorkSubject,
  { time, counter }: WorkProof,
  bits: number,
  kernels: Kernels,
): void {
  const found = zeroBits(hashes(subject, time, counter, 1, kernels));
  if (found >= bits) return;
  throw new CountersignError(
    "work_refused",
    `Cannot take proof of work: ${bits} zero bits required, found ${found}`,
  );
}

/** Searches for a proof at `time`: 2^bits hashes on average, in one go. */
export function findWork(
  subject: WorkSubject,
  { time, bits }: { readonly time: number; readonly bits: number },
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

/** How many zero bits `hash` begins with. */
function zeroBits(hash: Uint8Array): number {
  for (let i = 0; i < hash.length; i++) {
    if (hash[i] !== 0) return 8 * i + Math.clz32(hash[i]!) - 24;
  }
  return 8 * hash.length;
}
