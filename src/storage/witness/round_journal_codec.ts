/**
 * The bytes of a witness's round journal, big-endian. A segment is a header and frames, one for each
 * synced write:
 *
 *     header    16 bytes  "countersign/wj1\n"
 *                8 bytes  generation
 *                8 bytes  length of the segment of the previous generation
 *               16 bytes  salt, random
 *               16 bytes  checksum of the above
 *     frame      8 bytes  length of the body
 *                8 bytes  head checksum: of salt, position in the file and length
 *               16 bytes  body checksum: of salt, position, length and body
 *                         body: one entry or more
 *     entry      1 byte   kind: 1 digests, 2 release
 *                3 bytes  0
 *                4 bytes  count of digests; of a release 0
 *                8 bytes  first sequence
 *               16 bytes  0
 *               32 bytes  each digest
 *
 * A checksum is a prefix of a SHA-256. A frame is written after the previous one was synced, so only the
 * last frame can be incomplete: a head after an invalid frame shows damage. Because of the salt, frames
 * of earlier generations, and digests that look like frames, are not valid heads. The header fits in one
 * disk sector and is synced before the first frame is written.
 *
 * @module
 */

import { hash } from "node:crypto";
import { type Bytes, concat, equalBytes, HASH_LENGTH, isCount, uint64, utf8 } from "../../bytes.ts";
import type { DigestRun } from "../../witness/ports.ts";

/** Signed digests, or the release of all digests from a sequence on. */
export type JournalEntry = DigestRun | { readonly releasedFrom: number };

/** Length of the header of a segment. */
export const SEGMENT_HEADER_LENGTH = 64;

export interface SegmentHeader {
  readonly generation: number;
  /** Length of the segment of the previous generation, which is complete. */
  readonly previousLength: number;
  /** 16 bytes. */
  readonly salt: Bytes;
}

export interface JournalSegment extends SegmentHeader {
  readonly entries: readonly JournalEntry[];
  /** End of the last complete frame, where the next one is written. */
  readonly length: number;
}

const MAGIC = utf8("countersign/wj1\n");
const SALT_LENGTH = 16;
const CHECKSUM_LENGTH = 16;
const HEAD_CHECKSUM_LENGTH = 8;
const FRAME_HEADER_LENGTH = 32;
const ENTRY_HEADER_LENGTH = 32;
/** Frames and entries are multiples of this. */
const ALIGNMENT = 32;
const DIGESTS = 1;
const RELEASE = 2;

/** Returns a header with a new salt. */
export function newSegmentHeader(generation: number, previousLength: number): SegmentHeader {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  return { generation, previousLength, salt };
}

export function encodeSegmentHeader({ generation, previousLength, salt }: SegmentHeader): Bytes {
  const header = concat(MAGIC, uint64(generation), uint64(previousLength), salt);
  return concat(header, checksumOf(CHECKSUM_LENGTH, header));
}

/** The frame of `entries` at `position` of a segment with `salt`. */
export function encodeFrame(
  salt: Bytes,
  position: number,
  entries: readonly JournalEntry[],
): Bytes {
  const body = concat(...entries.map(encodeEntry));
  const prefix = concat(salt, uint64(position), uint64(body.length));
  return concat(
    uint64(body.length),
    checksumOf(HEAD_CHECKSUM_LENGTH, prefix),
    checksumOf(CHECKSUM_LENGTH, prefix, body),
    body,
  );
}

/** Reads a segment up to its last complete frame; `undefined` when the file is damaged. */
export function decodeSegment(bytes: Bytes): JournalSegment | undefined {
  const header = decodeSegmentHeader(bytes);
  if (header === undefined) return undefined;
  const entries: JournalEntry[] = [];
  let at = SEGMENT_HEADER_LENGTH;
  for (;;) {
    const body = bodyAt(bytes, header.salt, at);
    if (body === undefined) break;
    const found = decodeEntries(body);
    if (found === undefined) return undefined;
    entries.push(...found);
    at += FRAME_HEADER_LENGTH + body.length;
  }
  for (let next = at + ALIGNMENT; next < bytes.length; next += ALIGNMENT) {
    if (lengthAt(bytes, header.salt, next) !== undefined) return undefined;
  }
  return { ...header, entries, length: at };
}

/** The header at the start of `bytes`; `undefined` when it is invalid. */
function decodeSegmentHeader(bytes: Bytes): SegmentHeader | undefined {
  if (bytes.length < SEGMENT_HEADER_LENGTH) return undefined;
  const content = bytes.subarray(0, SEGMENT_HEADER_LENGTH - CHECKSUM_LENGTH);
  const checksum = bytes.subarray(content.length, SEGMENT_HEADER_LENGTH);
  const isValid = equalBytes(content.subarray(0, MAGIC.length), MAGIC) &&
    equalBytes(checksum, checksumOf(CHECKSUM_LENGTH, content));
  if (!isValid) return undefined;
  const generation = uint64At(content, MAGIC.length);
  const previousLength = uint64At(content, MAGIC.length + 8);
  return { generation, previousLength, salt: content.slice(MAGIC.length + 16) };
}

/** Body length of the frame at `position`; `undefined` without a valid head. */
function lengthAt(bytes: Bytes, salt: Bytes, position: number): number | undefined {
  if (position + FRAME_HEADER_LENGTH > bytes.length) return undefined;
  const length = uint64At(bytes, position);
  if (!isCount(length) || length === 0 || length % ALIGNMENT !== 0) return undefined;
  const found = bytes.subarray(position + 8, position + 8 + HEAD_CHECKSUM_LENGTH);
  const expected = checksumOf(HEAD_CHECKSUM_LENGTH, salt, uint64(position), uint64(length));
  return equalBytes(found, expected) ? length : undefined;
}

/** The body of the frame at `position`; `undefined` without a complete frame. */
function bodyAt(bytes: Bytes, salt: Bytes, position: number): Bytes | undefined {
  const length = lengthAt(bytes, salt, position);
  if (length === undefined) return undefined;
  const start = position + FRAME_HEADER_LENGTH;
  const body = bytes.subarray(start, start + length);
  const found = bytes.subarray(start - CHECKSUM_LENGTH, start);
  const expected = checksumOf(CHECKSUM_LENGTH, salt, uint64(position), uint64(length), body);
  return body.length === length && equalBytes(found, expected) ? body : undefined;
}

function encodeEntry(entry: JournalEntry): Bytes {
  const head = new Uint8Array(ENTRY_HEADER_LENGTH);
  const view = new DataView(head.buffer);
  if ("releasedFrom" in entry) {
    head[0] = RELEASE;
    view.setBigUint64(8, BigInt(entry.releasedFrom));
    return head;
  }
  head[0] = DIGESTS;
  view.setUint32(4, entry.digests.length / HASH_LENGTH);
  view.setBigUint64(8, BigInt(entry.first));
  return concat(head, entry.digests);
}

/** The entries of a verified body; `undefined` when it is malformed. */
function decodeEntries(body: Bytes): JournalEntry[] | undefined {
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const entries: JournalEntry[] = [];
  for (let at = 0; at < body.length;) {
    const start = at + ENTRY_HEADER_LENGTH;
    const end = start + view.getUint32(at + 4) * HASH_LENGTH;
    const first = uint64At(body, at + 8);
    if (end > body.length || !isCount(first)) return undefined;
    if (body[at] === RELEASE) entries.push({ releasedFrom: first });
    else if (body[at] === DIGESTS) entries.push({ first, digests: body.slice(start, end) });
    else return undefined;
    at = end;
  }
  return entries;
}

function uint64At(bytes: Bytes, at: number): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getBigUint64(at));
}

function checksumOf(length: number, ...parts: readonly Uint8Array[]): Bytes {
  // In one call: a hash object would cost more than these few bytes.
  return new Uint8Array(hash("sha256", concat(...parts), "buffer").subarray(0, length));
}

/** The runs of `entries` without released sequences. */
export function replay(entries: readonly JournalEntry[]): DigestRun[] {
  let runs: DigestRun[] = [];
  for (const entry of entries) {
    if ("digests" in entry) runs.push(entry);
    else runs = runsBelow(runs, entry.releasedFrom);
  }
  return runs;
}

/** `runs` without the sequences from `end` on. */
export function runsBelow(runs: readonly DigestRun[], end: number): DigestRun[] {
  return runs.filter(({ first }) => first < end).map(({ first, digests }) => ({
    first,
    digests: digests.subarray(0, (end - first) * HASH_LENGTH),
  }));
}

/** `runs` without the sequences below `start`. A run that was appended twice counts once. */
export function runsFrom(runs: readonly DigestRun[], start: number): DigestRun[] {
  const cut = runs.map(({ first, digests }) => ({
    first: Math.max(first, start),
    digests: digests.subarray(Math.max(0, start - first) * HASH_LENGTH),
  })).filter(({ digests }) => digests.length > 0);
  return [...new Map(cut.map((run) => [run.first, run])).values()];
}
