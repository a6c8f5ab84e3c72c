/**
 * A tree head in a frame, with the ML-DSA-44 signatures that stores do not have:
 *
 *     size u64 || length u32 || sth || count u16 || (signer u16 || signature 2,420) each
 *
 * A signer is the index of a witness, or 0xffff for the log, ascending.
 *
 * @module
 */

import { type Bytes, concat, uint64 } from "../bytes.ts";
import { ML_DSA_SIGNATURE_LENGTH } from "../crypto/ml_dsa_lengths.ts";
import { decodeSth, encodeSth } from "../format/record_codec.ts";
import type { SthRecord } from "../format/records.ts";
import type { FrameReader } from "./link_frames.ts";

const LOG = 0xffff;

export function encodeHead(record: SthRecord): Bytes {
  const sth = encodeSth(record);
  const { log, witnesses = [] } = record.mlDsa ?? {};
  const signed = [
    ...witnesses.map(({ witness, signature }) => ({ signer: witness, signature })),
    ...(log === undefined ? [] : [{ signer: LOG, signature: log }]),
  ];
  return concat(
    uint64(record.size),
    uint32(sth.length),
    sth,
    uint16(signed.length),
    ...signed.flatMap(({ signer, signature }) => [uint16(signer), signature]),
  );
}

export function readHead(reader: FrameReader): SthRecord {
  const size = reader.uint64();
  const record = decodeSth(size, reader.bytes(reader.uint32()));
  const signed = Array.from({ length: reader.uint16() }, () => ({
    witness: reader.uint16(),
    signature: reader.bytes(ML_DSA_SIGNATURE_LENGTH),
  }));
  if (signed.some(({ witness }, i) => i > 0 && witness <= signed[i - 1]!.witness)) {
    throw reader.corrupt();
  }
  if (signed.length === 0) return record;
  const log = signed.at(-1)!.witness === LOG ? signed.pop() : undefined;
  return { ...record, mlDsa: { ...(log && { log: log.signature }), witnesses: signed } };
}

function uint16(value: number): Bytes {
  return Uint8Array.of(value >>> 8, value);
}

function uint32(value: number): Bytes {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
