/**
 * Binary form of redeemed token ids. Integers are big-endian:
 *
 *     spent row    intake row u64 || offsets u32 || ids, 32 bytes each
 *     offsets      bit i, from the lowest: an id was redeemed for digest i of the intake row
 *
 * There is one id for each set bit, in the same order, and at least one. Decoding rejects another
 * length, a bit beyond the digests of a row, or an integer from 2^53 on with `store_corrupt`.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, isCount, uint64 } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { SpentRow } from "../../format/records.ts";
import { KV_LOG_LIMITS } from "./commit_limits.ts";

const OFFSETS_AT = 8;
const HEADER_LENGTH = 12;

export function encodeSpentRow(row: SpentRow): Bytes {
  const value = new Uint8Array(HEADER_LENGTH + row.ids.length);
  value.set(uint64(row.intakeRow));
  const bits = row.offsets.reduce((bits, offset) => bits | (1 << offset), 0);
  new DataView(value.buffer).setUint32(OFFSETS_AT, bits);
  value.set(row.ids, HEADER_LENGTH);
  return value;
}

/** The row whose first id has number `first`. */
export function decodeSpentRow(first: number, value: Uint8Array): SpentRow {
  if (value.length < HEADER_LENGTH) throw corrupt(first);
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  const intakeRow = Number(view.getBigUint64(0));
  const bits = view.getUint32(OFFSETS_AT);
  const offsets: number[] = [];
  for (let offset = 0; offset < 32; offset++) if (bits >>> offset & 1) offsets.push(offset);
  const isValid = isCount(intakeRow) && offsets.length > 0 &&
    offsets.at(-1)! < KV_LOG_LIMITS.digestsPerRow &&
    value.length === HEADER_LENGTH + offsets.length * HASH_LENGTH;
  if (!isValid) throw corrupt(first);
  return { first, intakeRow, offsets, ids: value.slice(HEADER_LENGTH) as Bytes };
}

function corrupt(first: number): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot decode spent row ${first}: wrong length, offset or integer`,
  );
}
