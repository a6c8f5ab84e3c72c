/**
 * Binary form of rounds and tree heads. Integers are big-endian. Decoding rejects a wrong length, version
 * or kind, or an integer from 2^53 on, with `store_corrupt`. A second version raises the store's format
 * (`storage/store_meta.ts`), so that this program rejects the store and does not report damage.
 *
 *     round        version 1 || size u16 || timestamp u64 || attempts u32 || beacon || signatures || nodes
 *     sth          version 1 || root 32 || timestamp u64 || log signature 64 || receipt signature 64
 *                  || signatures
 *     beacon       0, or 1 || chain hash 32 || round u64 || signature 48
 *     signatures   0 || count u16 || (witness u16 || length u8 || signature) each
 *                  1 || length u16 || signers, a bit for each witness index || signature 48
 *
 * @module
 */

import { type Bytes, fromHex, HASH_LENGTH, writeUint32, writeUint64 } from "../../base/bytes.ts";
import { BEACON_SIGNATURE_LENGTH } from "../crypto/drand.ts";
import { RecordReader } from "./record_reader.ts";
import {
  type IndexedAggregate,
  type IndexedSignature,
  type IndexedSignatureSet,
  type RoundRecord,
  type SthRecord,
  UPPER_NODE_HEIGHT,
} from "./records.ts";
import { type Beacon, MAX_ROUND_SIZE } from "./round.ts";
import { encodeSignerBitmap } from "./signer_bitmap.ts";

const VERSION = 1;
const LOG_SIGNATURE_LENGTH = 64;
const ROUND_HEADER = 1 + 2 + 8 + 4;
const STH_HEADER = 1 + HASH_LENGTH + 8 + 2 * LOG_SIGNATURE_LENGTH;

export function encodeRound(record: RoundRecord): Bytes {
  const { size, timestamp, attempts, beacon, signatures, upperNodes } = record;
  const bytes = new Uint8Array(
    ROUND_HEADER + beaconLength(beacon) + signaturesLength(signatures) + upperNodes.length,
  );
  bytes[0] = VERSION;
  writeUint16(bytes, 1, size);
  writeUint64(bytes, 3, timestamp);
  writeUint32(bytes, 11, Math.min(attempts, 0xffff_ffff));
  const end = writeSignatures(bytes, writeBeacon(bytes, ROUND_HEADER, beacon), signatures);
  bytes.set(upperNodes, end);
  return bytes;
}

/** The round from sequence `first` on. */
export function decodeRound(first: number, value: Uint8Array): RoundRecord {
  const reader = new RecordReader(value, "round", first);
  reader.version(VERSION);
  const record = {
    first,
    size: reader.uint16(),
    timestamp: reader.uint64(),
    attempts: reader.uint32(),
    beacon: reader.beacon(),
    signatures: reader.signatures(),
    upperNodes: reader.remaining(),
  };
  const nodes = Math.ceil(record.size / 2 ** UPPER_NODE_HEIGHT);
  if (
    record.size < 1 || record.size > MAX_ROUND_SIZE ||
    record.upperNodes.length !== nodes * HASH_LENGTH
  ) throw reader.corrupt();
  return record;
}

export function encodeSth(record: SthRecord): Bytes {
  const { root, timestamp, logSignature, receiptSignature, signatures } = record;
  const bytes = new Uint8Array(STH_HEADER + signaturesLength(signatures));
  bytes[0] = VERSION;
  bytes.set(root, 1);
  writeUint64(bytes, 1 + HASH_LENGTH, timestamp);
  bytes.set(logSignature, STH_HEADER - 2 * LOG_SIGNATURE_LENGTH);
  bytes.set(receiptSignature, STH_HEADER - LOG_SIGNATURE_LENGTH);
  writeSignatures(bytes, STH_HEADER, signatures);
  return bytes;
}

/** The published tree head of `size`. */
export function decodeSth(size: number, value: Uint8Array): SthRecord {
  const reader = new RecordReader(value, "tree head", size);
  reader.version(VERSION);
  const record = {
    size,
    root: reader.bytes(HASH_LENGTH),
    timestamp: reader.uint64(),
    logSignature: reader.bytes(LOG_SIGNATURE_LENGTH),
    receiptSignature: reader.bytes(LOG_SIGNATURE_LENGTH),
    signatures: reader.signatures(),
  };
  reader.end();
  return record;
}

function beaconLength(beacon: Beacon | null): number {
  return beacon === null ? 1 : 1 + HASH_LENGTH + 8 + BEACON_SIGNATURE_LENGTH;
}

/** Writes at `at`; returns the end. The functions below do the same. */
function writeBeacon(target: Bytes, at: number, beacon: Beacon | null): number {
  target[at] = beacon === null ? 0 : 1;
  if (beacon !== null) {
    target.set(fromHex(beacon.chain_hash), at + 1);
    writeUint64(target, at + 1 + HASH_LENGTH, beacon.round);
    target.set(fromHex(beacon.signature), at + 1 + HASH_LENGTH + 8);
  }
  return at + beaconLength(beacon);
}

function signaturesLength(signatures: IndexedSignatureSet): number {
  let length = 1 + 2;
  if ("witnesses" in signatures) {
    return length + signerBytes(signatures) + signatures.signature.length;
  }
  for (const { signature } of signatures) length += 2 + 1 + signature.length;
  return length;
}

function writeSignatures(target: Bytes, at: number, signatures: IndexedSignatureSet): number {
  return "witnesses" in signatures
    ? writeAggregate(target, at, signatures)
    : writeList(target, at, signatures);
}

function writeAggregate(target: Bytes, at: number, aggregate: IndexedAggregate): number {
  const signers = encodeSignerBitmap(aggregate.witnesses, signerCount(aggregate));
  target[at] = 1;
  writeUint16(target, at + 1, signers.length);
  target.set(signers, at + 3);
  target.set(aggregate.signature, at + 3 + signers.length);
  return at + 3 + signers.length + aggregate.signature.length;
}

function signerCount({ witnesses }: IndexedAggregate): number {
  return Math.max(...witnesses) + 1;
}

function signerBytes(aggregate: IndexedAggregate): number {
  return Math.ceil(signerCount(aggregate) / 8);
}

function writeList(target: Bytes, at: number, list: readonly IndexedSignature[]): number {
  target[at] = 0;
  writeUint16(target, at + 1, list.length);
  let end = at + 3;
  for (const { witness, signature } of list) {
    writeUint16(target, end, witness);
    target[end + 2] = signature.length;
    target.set(signature, end + 3);
    end += 3 + signature.length;
  }
  return end;
}

function writeUint16(target: Bytes, at: number, value: number): void {
  target[at] = value >>> 8;
  target[at + 1] = value;
}
