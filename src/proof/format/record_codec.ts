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

import { type Bytes, concat, fromHex, HASH_LENGTH, uint64 } from "../../base/bytes.ts";
import { writeUint } from "../../base/write_uint.ts";
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

export function encodeRound(record: RoundRecord): Bytes {
  const header = new Uint8Array(1 + 2 + 8 + 4);
  header[0] = VERSION;
  writeUint(header, 1, 2, record.size);
  writeUint(header, 3, 8, record.timestamp);
  writeUint(header, 11, 4, Math.min(record.attempts, 0xffff_ffff));
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
  const header = new Uint8Array(1 + HASH_LENGTH + 8);
  header[0] = VERSION;
  header.set(record.root, 1);
  writeUint(header, 1 + HASH_LENGTH, 8, record.timestamp);
  return concat(
    header,
    record.logSignature,
    record.receiptSignature,
    ...encodeSignatures(record.signatures),
  );
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

function encodeBeacon(beacon: Beacon | null): Bytes[] {
  if (beacon === null) return [Uint8Array.of(0)];
  const { chain_hash, round, signature } = beacon;
  return [Uint8Array.of(1), fromHex(chain_hash), uint64(round), fromHex(signature)];
}

function encodeSignatures(signatures: IndexedSignatureSet): Bytes[] {
  return "witnesses" in signatures ? encodeAggregate(signatures) : encodeList(signatures);
}

function encodeAggregate({ witnesses, signature }: IndexedAggregate): Bytes[] {
  const signers = encodeSignerBitmap(witnesses, Math.max(...witnesses) + 1);
  return [Uint8Array.of(1), uint16(signers.length), signers, signature];
}

function encodeList(signatures: readonly IndexedSignature[]): Bytes[] {
  return [
    Uint8Array.of(0),
    uint16(signatures.length),
    ...signatures.flatMap(({ witness, signature }) => [
      uint16(witness),
      Uint8Array.of(signature.length),
      signature,
    ]),
  ];
}

function uint16(value: number): Bytes {
  const bytes = new Uint8Array(2);
  writeUint(bytes, 0, 2, value);
  return bytes;
}
