/**
 * Binary form of what was spent. Integers are big-endian:
 *
 *     spent row    intake row u64 || places u32 || ids, 32 bytes each
 *     places       bit i, from the lowest: something was spent for digest i of the intake row
 *
 * There is an id for each bit that is set, in their order, and at least one. Decoding refuses another
 * length, a bit beyond the digests of a row, or an integer from 2^53 on, as `store_corrupt`.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, isCount, uint64 } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { SpentRow } from "../gateway/spent_ports.ts";
import { KV_LOG_LIMITS } from "./limits.ts";

const PLACES_AT = 8;
const HEADER_LENGTH = 12;

/** The value of what was spent for digests of one row. */
export function encodeSpentRow(row: SpentRow): Bytes {
  const value = new Uint8Array(HEADER_LENGTH + row.ids.length);
  value.set(uint64(row.intakeRow));
  const bits = row.places.reduce((bits, place) => bits | (1 << place), 0);
  new DataView(value.buffer).setUint32(PLACES_AT, bits);
  value.set(row.ids, HEADER_LENGTH);
  return value;
}

/** The row of its value, which stands under `first`. */
export function decodeSpentRow(first: number, value: Uint8Array): SpentRow {
  if (value.length < HEADER_LENGTH) throw corrupt(first);
  const view = new DataView(value.buffer, value.byteOffset, value.length);
  const intakeRow = Number(view.getBigUint64(0));
  const bits = view.getUint32(PLACES_AT);
  const places: number[] = [];
  for (let place = 0; place < 32; place++) if (bits >>> place & 1) places.push(place);
  const isWhole = isCount(intakeRow) && places.length > 0 &&
    places.at(-1)! < KV_LOG_LIMITS.digestsPerRow &&
    value.length === HEADER_LENGTH + places.length * HASH_LENGTH;
  if (!isWhole) throw corrupt(first);
  return { first, intakeRow, places, ids: value.slice(HEADER_LENGTH) as Bytes };
}

function corrupt(first: number): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read spent row ${first} of the store: a whole record required, found another length, ` +
      "place or integer",
  );
}
