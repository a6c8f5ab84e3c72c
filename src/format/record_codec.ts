/**
 * Binary form of rounds and tree heads. Integers are big-endian. A record begins with a version byte: 1
 * with a list of signatures, 2 with an aggregate, and 3 or 4 for a round with a beacon or a tree head with a receipt signature. Decoding rejects a wrong length or
 * version, or an integer from 2^53 on, with `store_corrupt`. A new version raises the
 * store's format (`storage/log/kv_log_store.ts`), so that older programs reject the store and do not report
 * its records as damaged.
 *
 *     round        version u8 || size u16 || timestamp u64 || attempts u32 || beacon || signatures
 *                  || nodes
 *     sth          version u8 || root 32 || timestamp u64 || log signature 64 || receipts || signatures
 *     receipts     1, 2: nothing
 *                  3, 4: signature 64
 *     beacon       1, 2: nothing
 *                  3, 4: chain hash 32 || round u64 || signature 48
 *     signatures   1, 3: count u16 || (witness u16 || length u8 || signature) each
 *                  2, 4: length u16 || signers, a bit for each witness index || signature 48
 *
 * @module
 */

import { type Bytes, concat, fromHex, HASH_LENGTH, uint64 } from "../bytes.ts";
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

/** Versions of a record, by the form of its signatures. */
const LIST_VERSION = 1;
const AGGREGATE_VERSION = 2;
/** Version offset of rounds with a beacon. */
const BEACON_OFFSET = 2;
/** Version offset of tree heads with a receipt signature. */
const RECEIPT_OFFSET = 2;
const LOG_SIGNATURE_LENGTH = 64;

export function encodeRound(record: RoundRecord): Bytes {
  const header = new Uint8Array(1 + 2 + 8 + 4);
  const view = new DataView(header.buffer);
  view.setUint8(0, versionOf(record.signatures) + (record.beacon === null ? 0 : BEACON_OFFSET));
  view.setUint16(1, record.size);
  writeUint64(view, 3, record.timestamp);
  view.setUint32(11, Math.min(record.attempts, 0xffff_ffff));
  return concat(
    header,
    ...encodeBeacon(record.beacon),
    ...encodeSignatures(record.signatures),
    record.upperNodes,
  );
}

/** The round from sequence `first` on. */
export function decodeRound(first: number, value: Uint8Array): RoundRecord {
  const reader = new RecordReader(value, "round", first);
  const version = reader.version(AGGREGATE_VERSION + BEACON_OFFSET);
  const hasBeacon = version > AGGREGATE_VERSION;
  const record = {
    first,
    size: reader.uint16(),
    timestamp: reader.uint64(),
    attempts: reader.uint32(),
    beacon: hasBeacon ? reader.beacon() : null,
    signatures: readSignatures(reader, hasBeacon ? version - BEACON_OFFSET : version),
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
  const header = new Uint8Array(1 + HASH_LENGTH + 8);
  const view = new DataView(header.buffer);
  const { receiptSignature, signatures } = record;
  const offset = receiptSignature === undefined ? 0 : RECEIPT_OFFSET;
  view.setUint8(0, versionOf(signatures) + offset);
  header.set(record.root, 1);
  writeUint64(view, 1 + HASH_LENGTH, record.timestamp);
  const logSignatures = [record.logSignature, ...(receiptSignature ? [receiptSignature] : [])];
  return concat(header, ...logSignatures, ...encodeSignatures(signatures));
}

/** The published tree head of `size`. */
export function decodeSth(size: number, value: Uint8Array): SthRecord {
  const reader = new RecordReader(value, "tree head", size);
  const version = reader.version(AGGREGATE_VERSION + RECEIPT_OFFSET);
  const hasReceipts = version > AGGREGATE_VERSION;
  const record = {
    size,
    root: reader.bytes(HASH_LENGTH),
    timestamp: reader.uint64(),
    logSignature: reader.bytes(LOG_SIGNATURE_LENGTH),
    ...(hasReceipts && { receiptSignature: reader.bytes(LOG_SIGNATURE_LENGTH) }),
    signatures: readSignatures(reader, hasReceipts ? version - RECEIPT_OFFSET : version),
  };
  reader.end();
  return record;
}

function versionOf(signatures: IndexedSignatureSet): number {
  return "witnesses" in signatures ? AGGREGATE_VERSION : LIST_VERSION;
}

function encodeBeacon(beacon: Beacon | null): Bytes[] {
  if (beacon === null) return [];
  const { chain_hash, round, signature } = beacon;
  return [fromHex(chain_hash), uint64(round), fromHex(signature)];
}

function encodeSignatures(signatures: IndexedSignatureSet): Bytes[] {
  return "witnesses" in signatures ? encodeAggregate(signatures) : encodeList(signatures);
}

function encodeAggregate({ witnesses, signature }: IndexedAggregate): Bytes[] {
  const signers = encodeSignerBitmap(witnesses, Math.max(...witnesses) + 1);
  return [uint16(signers.length), signers, signature];
}

function encodeList(signatures: readonly IndexedSignature[]): Bytes[] {
  return [
    uint16(signatures.length),
    ...signatures.map(({ witness, signature }) => {
      const entry = new Uint8Array(3 + signature.length);
      const view = new DataView(entry.buffer);
      view.setUint16(0, witness);
      view.setUint8(2, signature.length);
      entry.set(signature, 3);
      return entry;
    }),
  ];
}

function readSignatures(reader: RecordReader, version: number): IndexedSignatureSet {
  return version === AGGREGATE_VERSION ? reader.aggregate() : reader.list();
}

function uint16(value: number): Bytes {
  const bytes = new Uint8Array(2);
  new DataView(bytes.buffer).setUint16(0, value);
  return bytes;
}

function writeUint64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, Math.floor(value / 2 ** 32));
  view.setUint32(offset + 4, value % 2 ** 32);
}
