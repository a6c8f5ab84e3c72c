/**
 * The bytes of a witness's round journal, big-endian. A segment is a header and a chain of entries:
 *
 *     header    16 bytes  "countersign/wj1\n"
 *                8 bytes  generation
 *                8 bytes  0
 *     entry     16 bytes  the first half of SHA-256(previous checksum || the rest of the entry)
 *                1 byte   kind: 1 digests, 2 release
 *                3 bytes  0
 *                4 bytes  count of digests; of a release 0
 *                8 bytes  first sequence
 *               32 bytes  each digest
 *
 * The checksum before the first entry is the first half of SHA-256(header). So an entry is valid only
 * behind the very entries that it was written behind: neither a torn tail nor the entries of an
 * earlier generation can be read as part of the chain.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, concat, equalBytes, HASH_LENGTH, isCount, uint64, utf8 } from "../bytes.ts";
import type { DigestRun } from "../witness/ports.ts";

/** Digests that were signed, or the order to forget those from a sequence on. */
export type JournalEntry = DigestRun | { readonly releasedFrom: number };

/** Length of the header of a segment. */
export const SEGMENT_HEADER_LENGTH = 32;

const MAGIC = utf8("countersign/wj1\n");
const CHECKSUM_LENGTH = 16;
const ENTRY_HEADER_LENGTH = 32;
const DIGESTS = 1;
const RELEASE = 2;

/** A segment as it was read: the entries up to the first that is torn. */
export interface JournalSegment {
  readonly generation: number;
  readonly entries: readonly JournalEntry[];
  /** Where the next entry goes. */
  readonly length: number;
  /** The checksum that the next entry follows. */
  readonly checksum: Bytes;
}

/** The header of a segment. */
export function encodeSegmentHeader(generation: number): Bytes {
  return concat(MAGIC, uint64(generation), uint64(0));
}

/** The checksum that the first entry behind `header` follows. */
export function firstChecksum(header: Bytes): Bytes {
  return checksumOf(new Uint8Array(0), header);
}

/** `entries` behind an entry of checksum `previous`, and the checksum of the last one. */
export function encodeEntries(
  previous: Bytes,
  entries: readonly JournalEntry[],
): { readonly bytes: Bytes; readonly checksum: Bytes } {
  const parts: Bytes[] = [];
  let checksum = previous;
  for (const entry of entries) {
    const rest = encodeRest(entry);
    checksum = checksumOf(checksum, rest);
    parts.push(checksum, rest);
  }
  return { bytes: concat(...parts), checksum };
}

/** Reads a segment; `undefined` when the file is none. */
export function decodeSegment(bytes: Bytes): JournalSegment | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (
    bytes.length < SEGMENT_HEADER_LENGTH || !equalBytes(bytes.subarray(0, MAGIC.length), MAGIC)
  ) return undefined;
  const generation = Number(view.getBigUint64(MAGIC.length));
  if (!isCount(generation)) return undefined;
  const entries: JournalEntry[] = [];
  let at = SEGMENT_HEADER_LENGTH;
  let checksum = firstChecksum(bytes.subarray(0, SEGMENT_HEADER_LENGTH));
  while (at + ENTRY_HEADER_LENGTH <= bytes.length) {
    const count = view.getUint32(at + CHECKSUM_LENGTH + 4);
    const end = at + ENTRY_HEADER_LENGTH + count * HASH_LENGTH;
    if (end > bytes.length) break;
    const found = bytes.subarray(at, at + CHECKSUM_LENGTH);
    const expected = checksumOf(checksum, bytes.subarray(at + CHECKSUM_LENGTH, end));
    if (!equalBytes(found, expected)) break;
    checksum = expected;
    const first = Number(view.getBigUint64(at + CHECKSUM_LENGTH + 8));
    const isRelease = bytes[at + CHECKSUM_LENGTH] === RELEASE;
    entries.push(
      isRelease
        ? { releasedFrom: first }
        : { first, digests: bytes.slice(at + ENTRY_HEADER_LENGTH, end) },
    );
    at = end;
  }
  return { generation, entries, length: at, checksum };
}

function encodeRest(entry: JournalEntry): Bytes {
  const isRelease = "releasedFrom" in entry;
  const head = new Uint8Array(8);
  head[0] = isRelease ? RELEASE : DIGESTS;
  if (isRelease) return concat(head, uint64(entry.releasedFrom));
  new DataView(head.buffer).setUint32(4, entry.digests.length / HASH_LENGTH);
  return concat(head, uint64(entry.first), entry.digests);
}

function checksumOf(previous: Uint8Array, rest: Uint8Array): Bytes {
  const digest = createHash("sha256").update(previous).update(rest).digest();
  return new Uint8Array(digest.subarray(0, CHECKSUM_LENGTH));
}
