/**
 * Binary form of the rows and the head that only the store has; `proof/format/record_codec.ts` has rounds and
 * tree heads. Integers are big-endian. Decoding rejects a wrong length, or an integer from 2^53 on, with
 * `store_corrupt`. A second form raises the store's format (`store_meta.ts`).
 *
 *     intake row   accepted_at u64 || digests, 32 bytes each
 *     spent row    intake row u64 || offsets u32 || ids, 32 bytes each
 *     head         size u64 || root 32
 *     offsets      bit i, from the lowest: an id was redeemed for digest i of the intake row
 *
 * A spent row has one id for each set bit, in the same order, and at least one.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, uint64 } from "../../base/bytes.ts";
import { RecordReader } from "../../proof/format/record_reader.ts";
import type { IntakeRow, SpentRow } from "../../proof/format/records.ts";
import type { StoredHead } from "../../gateway/ports.ts";
import { KV_LOG_LIMITS } from "./commit_limits.ts";

const INTAKE_HEADER = 8;

export function encodeIntakeRow(row: IntakeRow): Bytes {
  const value = new Uint8Array(INTAKE_HEADER + row.digests.length);
  new DataView(value.buffer).setBigUint64(0, BigInt(row.acceptedAt));
  value.set(row.digests, INTAKE_HEADER);
  return value;
}

/** The intake row from sequence `first` on. */
export function decodeIntakeRow(first: number, value: Uint8Array): IntakeRow {
  const reader = new RecordReader(value, "intake row", first);
  const length = value.length - INTAKE_HEADER;
  if (length < HASH_LENGTH || length % HASH_LENGTH !== 0) throw reader.corrupt();
  return {
    first,
    acceptedAt: reader.uint64(),
    digests: value.slice(INTAKE_HEADER) as Bytes,
  };
}

export function encodeSpentRow({ intakeRow, offsets, ids }: SpentRow): Bytes {
  const bits = new Uint8Array(4);
  new DataView(bits.buffer).setUint32(0, offsets.reduce((bits, offset) => bits | 1 << offset, 0));
  return concat(uint64(intakeRow), bits, ids);
}

/** The spent row whose first id has number `first`. */
export function decodeSpentRow(first: number, value: Uint8Array): SpentRow {
  const reader = new RecordReader(value, "spent row", first);
  const intakeRow = reader.uint64();
  const bits = reader.uint32();
  const offsets = Array.from({ length: 32 }, (_, i) => i).filter((i) => bits >>> i & 1);
  const ids = reader.remaining();
  const isValid = offsets.length > 0 && offsets.at(-1)! < KV_LOG_LIMITS.digestsPerRow &&
    ids.length === offsets.length * HASH_LENGTH;
  if (!isValid) throw reader.corrupt();
  return { first, intakeRow, offsets, ids };
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
