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
 *     entry      1 byte   kind: 1 round, 2 release
 *                1 byte   1 if the round has a beacon, else 0
 *                2 bytes  0
 *                4 bytes  count of digests; of a release 0
 *                8 bytes  first sequence
 *                8 bytes  time of the round, Unix seconds; of a release 0
 *                8 bytes  round of the beacon, 0 without one
 *               32 bytes  each digest
 *                         of a beacon: hash of its chain (32 bytes), its signature (48), 16 zeros
 *
 * A checksum is a prefix of a SHA-256. A frame is written after the previous one was synced, so only the
 * last frame can be incomplete: a head after an invalid frame shows damage. Because of the salt, frames
 * of earlier generations, and digests that look like frames, are not valid heads. The header fits in one
 * disk sector and is synced before the first frame is written.
 *
 * @module
 */

import { hash } from "node:crypto";
import {
  type Bytes,
  concat,
  equalBytes,
  HASH_LENGTH,
  isCount,
  uint64,
  utf8,
} from "../../base/bytes.ts";
import { BEACON_SIGNATURE_LENGTH } from "../../proof/crypto/drand.ts";
import type { Beacon } from "../../proof/format/round.ts";
import type { WitnessedRound } from "../../witness/ports.ts";

/** A signed round, or the release of all rounds that end beyond a sequence. */
export type JournalEntry = WitnessedRound | { readonly releasedFrom: number };

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
const ROUND = 1;
const RELEASE = 2;
/** Hash of the chain, signature, and zeros. */
const BEACON_LENGTH = 96;

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
  if ("releasedFrom" in entry) {
    head[0] = RELEASE;
    head.set(uint64(entry.releasedFrom), 8);
    return head;
  }
  const { first, digests, timestamp, beacon } = entry;
  // The count is below 2^32, so it leaves the first four bytes to the kind.
  head.set(uint64(digests.length / HASH_LENGTH));
  head[0] = ROUND;
  head[1] = beacon === null ? 0 : 1;
  head.set(uint64(first), 8);
  head.set(uint64(timestamp), 16);
  if (beacon === null) return concat(head, digests);
  head.set(uint64(beacon.round), 24);
  const tail = new Uint8Array(BEACON_LENGTH);
  tail.set(Uint8Array.fromHex(beacon.chain_hash));
  tail.set(Uint8Array.fromHex(beacon.signature), HASH_LENGTH);
  return concat(head, digests, tail);
}

/** The entries of a verified body; `undefined` when it is malformed. */
function decodeEntries(body: Bytes): JournalEntry[] | undefined {
  const entries: JournalEntry[] = [];
  for (let at = 0; at < body.length;) {
    const found = decodeEntry(body.subarray(at));
    if (found === undefined) return undefined;
    entries.push(found.entry);
    at += found.length;
  }
  return entries;
}

/** The entry at the start of `bytes`, which must be what {@linkcode encodeEntry} writes. */
function decodeEntry(
  bytes: Bytes,
): { readonly entry: JournalEntry; readonly length: number } | undefined {
  const count = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(4);
  const end = ENTRY_HEADER_LENGTH + count * HASH_LENGTH;
  const hasBeacon = bytes[1] === 1;
  const length = hasBeacon ? end + BEACON_LENGTH : end;
  const [first, timestamp] = [uint64At(bytes, 8), uint64At(bytes, 16)];
  if (length > bytes.length || !isCount(first) || !isCount(timestamp)) return undefined;
  const entry = bytes[0] === RELEASE ? { releasedFrom: first } : {
    first,
    digests: bytes.slice(ENTRY_HEADER_LENGTH, end),
    timestamp,
    beacon: hasBeacon ? beaconOf(uint64At(bytes, 24), bytes.subarray(end, length)) : null,
  };
  return equalBytes(encodeEntry(entry), bytes.subarray(0, length)) ? { entry, length } : undefined;
}

function beaconOf(round: number, tail: Bytes): Beacon {
  const signatureEnd = HASH_LENGTH + BEACON_SIGNATURE_LENGTH;
  return {
    chain_hash: tail.subarray(0, HASH_LENGTH).toHex(),
    round,
    signature: tail.subarray(HASH_LENGTH, signatureEnd).toHex(),
  };
}

function uint64At(bytes: Bytes, at: number): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getBigUint64(at));
}

function checksumOf(length: number, ...parts: readonly Uint8Array[]): Bytes {
  // In one call: a hash object would cost more than these few bytes.
  return new Uint8Array(hash("sha256", concat(...parts), "buffer").subarray(0, length));
}

/** The rounds of `entries` without released ones. One that was appended twice counts once. */
export function replay(entries: readonly JournalEntry[]): WitnessedRound[] {
  let rounds: WitnessedRound[] = [];
  for (const entry of entries) {
    if ("releasedFrom" in entry) rounds = roundsBelow(rounds, entry.releasedFrom);
    else rounds.push(entry);
  }
  return [...new Map(rounds.map((round) => [round.first, round])).values()];
}

/** Those of `rounds` that end at or below `end`. */
export function roundsBelow(rounds: readonly WitnessedRound[], end: number): WitnessedRound[] {
  return rounds.filter((round) => endOfRound(round) <= end);
}

/** One more than the last sequence of a round. */
export function endOfRound({ first, digests }: WitnessedRound): number {
  return first + digests.length / HASH_LENGTH;
}
