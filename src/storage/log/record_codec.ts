/**
 * Binary form of the records that only the store uses: intake rows, spent rows, the stored head, and the
 * checksums of these rows, of rounds, of published tree heads and of index buckets. The other bytes of
 * rounds and tree heads are those of `proof/format/record_codec.ts`. Integers are big-endian. Decoding
 * fails with `store_corrupt` if the length or checksum is wrong or an integer is 2^53 or more.
 * `FORMAT_VERSION` in `store_meta.ts` says when a change of a form raises it.
 *
 *     intake row   accepted_at u64 || digests, 32 bytes each || checksum
 *     spent row    intake row u64 || offsets u32 || ids, 32 bytes each || checksum
 *     head         size u64 || root 32
 *     round        the round || checksum
 *     tree head    the tree head || checksum
 *     bucket       entries of the index, 8 bytes each || checksum
 *     offsets      bit i, counted from the lowest, is set if a token was redeemed for digest i of the intake row
 *     checksum     the first 8 bytes of SHA-256(number u64 || the bytes before), where number is the last part of the
 *                  key; of a bucket, run * 2^14 + bucket
 *
 * A spent row has the id of each of these tokens, in the order of the bits. It has at least one.
 *
 * @module
 */

import { hash } from "node:crypto";
import { type Bytes, concat, equalBytes, HASH_LENGTH, uint64 } from "../../base/bytes.ts";
import { writeUint } from "../../base/write_uint.ts";
import { CountersignError } from "../../base/errors.ts";
import { decodeRound, decodeSth, encodeRound, encodeSth } from "../../proof/format/record_codec.ts";
import { RecordReader } from "../../proof/format/record_reader.ts";
import type { IntakeRow, RoundRecord, SpentRow, SthRecord } from "../../proof/format/records.ts";
import { ENTRY_LENGTH, RUN_BUCKETS } from "../../gateway/index/index_run.ts";
import type { StoredHead } from "../../gateway/ports.ts";
import { KV_LOG_LIMITS } from "./commit_limits.ts";

const INTAKE_HEADER = 8;
const CHECKSUM_LENGTH = 8;

/**
 * Only the checksum shows that a digest was damaged. Without it, the hash would be unknown, and accepted a
 * second time.
 */
export function encodeIntakeRow(row: IntakeRow): Bytes {
  return withChecksum(row.first, concat(uint64(row.acceptedAt), row.digests));
}

/** The intake row whose first digest has sequence `first`. Its digests are a view of `value`. */
export function decodeIntakeRow(first: number, value: Uint8Array): IntakeRow {
  const row = withoutChecksum("intake row", first, value);
  const reader = new RecordReader(row, "intake row", first);
  const length = row.length - INTAKE_HEADER;
  if (length < HASH_LENGTH || length % HASH_LENGTH !== 0) throw reader.corrupt();
  return { first, acceptedAt: reader.uint64(), digests: row.subarray(INTAKE_HEADER) as Bytes };
}

export function encodeSpentRow({ first, intakeRow, offsets, ids }: SpentRow): Bytes {
  const bits = offsets.reduce((bits, offset) => bits | 1 << offset, 0);
  const bitmap = new Uint8Array(4);
  writeUint(bitmap, 0, 4, bits >>> 0);
  return withChecksum(first, concat(uint64(intakeRow), bitmap, ids));
}

/** The spent row whose first id has number `first`. */
export function decodeSpentRow(first: number, value: Uint8Array): SpentRow {
  const reader = new RecordReader(withoutChecksum("spent row", first, value), "spent row", first);
  const intakeRow = reader.uint64();
  const bits = reader.uint32();
  const offsets = Array.from({ length: 32 }, (_, i) => i).filter((i) => bits >>> i & 1);
  const ids = reader.remaining();
  const last = offsets.at(-1);
  if (last === undefined || last >= KV_LOG_LIMITS.digestsPerRow) throw reader.corrupt();
  if (ids.length !== offsets.length * HASH_LENGTH) throw reader.corrupt();
  return { first, intakeRow, offsets, ids };
}

/** A round whose signatures are verified: the checksum spares its readers to verify them again. */
export function encodeStoredRound(record: RoundRecord): Bytes {
  return withChecksum(record.first, encodeRound(record));
}

/** The stored round from sequence `first` on. */
export function decodeStoredRound(first: number, value: Uint8Array): RoundRecord {
  return decodeRound(first, withoutChecksum("round", first, value));
}

/** A published tree head whose signatures are verified, and its checksum. */
export function encodeStoredSth(record: SthRecord): Bytes {
  return withChecksum(record.size, encodeSth(record));
}

/** The stored tree head of `size`. */
export function decodeStoredSth(size: number, value: Uint8Array): SthRecord {
  return decodeSth(size, withoutChecksum("tree head", size, value));
}

/** Bucket `bucket` of run `run` of an index. */
export function encodeBucket(run: number, bucket: number, entries: Bytes): Bytes {
  return withChecksum(run * RUN_BUCKETS + bucket, entries);
}

/** The entries of a bucket, a view of `value`. */
export function decodeBucket(run: number, bucket: number, value: Uint8Array): Bytes {
  const number = run * RUN_BUCKETS + bucket;
  const entries = withoutChecksum("index bucket", number, value);
  if (entries.length % ENTRY_LENGTH !== 0) {
    throw new RecordReader(value, "index bucket", number).corrupt();
  }
  return entries as Bytes;
}

/** `value` of the record with number `key`, and its checksum. */
export function withChecksum(key: number, value: Uint8Array): Bytes {
  return concat(value, checksumOf(key, value));
}

function checksumOf(key: number, value: Uint8Array): Uint8Array {
  return hash("sha256", concat(uint64(key), value), "buffer").subarray(0, CHECKSUM_LENGTH);
}

function withoutChecksum(record: string, key: number, value: Uint8Array): Uint8Array {
  const length = Math.max(0, value.length - CHECKSUM_LENGTH);
  const checked = value.subarray(0, length);
  if (equalBytes(value.subarray(length), checksumOf(key, checked))) return checked;
  throw new CountersignError(
    "store_corrupt",
    `Cannot read ${record} ${key} of the store: its checksum is that of other bytes`,
  );
}

export function encodeHead({ size, root }: StoredHead): Bytes {
  return concat(uint64(size), root);
}

export function decodeHead(value: Uint8Array): StoredHead {
  const reader = new RecordReader(value, "head");
  const head = { size: reader.uint64(), root: reader.bytes(HASH_LENGTH) };
  reader.end();
  return head;
}
