/**
 * Binary form of the write-once records. Integers are big-endian. All records except intake rows begin
 * with a version byte: 1 with a list of signatures, 2 with an aggregate, and 3 or 4 for a round with a
 * beacon. Decoding rejects a wrong length or version, or an integer from 2^53 on, with `store_corrupt`.
 * A new version raises the store's format (`kv_log_store.ts`), so that older programs reject the store
 * and do not report its records as damaged.
 *
 *     intake row   accepted_at u64 || digests, 32 bytes each
 *     round        version u8 || size u16 || timestamp u64 || attempts u32 || beacon || signatures
 *                  || nodes
 *     sth          version u8 || root 32 || timestamp u64 || log signature 64 || signatures
 *     beacon       1, 2: nothing
 *                  3, 4: chain hash 32 || round u64 || signature 48
 *     signatures   1, 3: count u16 || (witness u16 || length u8 || signature) each
 *                  2, 4: length u16 || signers, a bit for each witness index || signature 48
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, uint64 } from "../../bytes.ts";
import { BEACON_SIGNATURE_LENGTH } from "../../crypto/drand.ts";
import { CountersignError } from "../../errors.ts";
import {
  type IndexedAggregate,
  type IndexedSignature,
  type IndexedSignatureSet,
  type IntakeRow,
  type RoundRecord,
  type SthRecord,
  UPPER_NODE_HEIGHT,
} from "../../format/records.ts";
import { type Beacon, MAX_ROUND_SIZE } from "../../format/round.ts";
import { SIGNATURE_LENGTH } from "../../format/signature_set.ts";
import { decodeSignerBitmap } from "../../format/signer_bitmap.ts";
import { encodeSignerBitmap } from "../../format/note_writer.ts";

/** Versions of a record, by the form of its signatures. */
const LIST_VERSION = 1;
const AGGREGATE_VERSION = 2;
/** Version offset of rounds with a beacon. */
const BEACON_OFFSET = 2;
const LOG_SIGNATURE_LENGTH = 64;
const INTAKE_HEADER = 8;

export function encodeIntakeRow(row: IntakeRow): Bytes {
  const value = new Uint8Array(INTAKE_HEADER + row.digests.length);
  writeUint64(new DataView(value.buffer), 0, row.acceptedAt);
  value.set(row.digests, INTAKE_HEADER);
  return value;
}

/** The intake row from sequence `first` on. */
export function decodeIntakeRow(first: number, value: Uint8Array): IntakeRow {
  const cursor = new Cursor(value, "intake row", first);
  const length = value.length - INTAKE_HEADER;
  if (length < HASH_LENGTH || length % HASH_LENGTH !== 0) throw corrupt("intake row", first);
  return {
    first,
    acceptedAt: cursor.uint64(),
    digests: value.slice(INTAKE_HEADER) as Bytes,
  };
}

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
  const cursor = new Cursor(value, "round", first);
  const version = cursor.version(AGGREGATE_VERSION + BEACON_OFFSET);
  const hasBeacon = version > AGGREGATE_VERSION;
  const record = {
    first,
    size: cursor.uint16(),
    timestamp: cursor.uint64(),
    attempts: cursor.uint32(),
    beacon: hasBeacon ? cursor.beacon() : null,
    signatures: cursor.signatures(hasBeacon ? version - BEACON_OFFSET : version),
    upperNodes: cursor.remaining(),
  };
  const nodes = Math.ceil(record.size / 2 ** UPPER_NODE_HEIGHT);
  if (
    record.size < 1 || record.size > MAX_ROUND_SIZE ||
    record.upperNodes.length !== nodes * HASH_LENGTH
  ) throw corrupt("round", first);
  return record;
}

export function encodeSth(record: SthRecord): Bytes {
  const header = new Uint8Array(1 + HASH_LENGTH + 8);
  const view = new DataView(header.buffer);
  view.setUint8(0, versionOf(record.signatures));
  header.set(record.root, 1);
  writeUint64(view, 1 + HASH_LENGTH, record.timestamp);
  return concat(header, record.logSignature, ...encodeSignatures(record.signatures));
}

/** The published tree head of `size`. */
export function decodeSth(size: number, value: Uint8Array): SthRecord {
  const cursor = new Cursor(value, "tree head", size);
  const version = cursor.version(AGGREGATE_VERSION);
  const record = {
    size,
    root: cursor.bytes(HASH_LENGTH),
    timestamp: cursor.uint64(),
    logSignature: cursor.bytes(LOG_SIGNATURE_LENGTH),
    signatures: cursor.signatures(version),
  };
  if (cursor.remaining().length !== 0) throw corrupt("tree head", size);
  return record;
}

function versionOf(signatures: IndexedSignatureSet): number {
  return "witnesses" in signatures ? AGGREGATE_VERSION : LIST_VERSION;
}

function encodeBeacon(beacon: Beacon | null): Bytes[] {
  if (beacon === null) return [];
  const { chain_hash, round, signature } = beacon;
  return [Uint8Array.fromHex(chain_hash), uint64(round), Uint8Array.fromHex(signature)];
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

/** Reads a value in order; `store_corrupt` beyond its end. */
class Cursor {
  readonly #value: Uint8Array;
  readonly #view: DataView;
  readonly #what: string;
  readonly #key: number;
  #at = 0;

  constructor(value: Uint8Array, what: string, key: number) {
    if (!(value instanceof Uint8Array)) throw corrupt(what, key);
    this.#value = value;
    this.#view = new DataView(value.buffer, value.byteOffset, value.length);
    this.#what = what;
    this.#key = key;
  }

  /** From {@linkcode LIST_VERSION} to `latest`. */
  version(latest: number): number {
    const version = this.#uint8();
    if (version < LIST_VERSION || version > latest) throw corrupt(this.#what, this.#key);
    return version;
  }

  uint16(): number {
    return this.#view.getUint16(this.#advance(2));
  }

  uint32(): number {
    return this.#view.getUint32(this.#advance(4));
  }

  /** Below 2^53: larger integers are never written. */
  uint64(): number {
    const at = this.#advance(8);
    const value = this.#view.getUint32(at) * 2 ** 32 + this.#view.getUint32(at + 4);
    if (!Number.isSafeInteger(value)) throw corrupt(this.#what, this.#key);
    return value;
  }

  bytes(length: number): Bytes {
    const at = this.#advance(length);
    return this.#value.slice(at, at + length) as Bytes;
  }

  beacon(): Beacon {
    return {
      chain_hash: this.bytes(HASH_LENGTH).toHex(),
      round: this.uint64(),
      signature: this.bytes(BEACON_SIGNATURE_LENGTH).toHex(),
    };
  }

  signatures(version: number): IndexedSignatureSet {
    if (version === AGGREGATE_VERSION) return this.#aggregate();
    return Array.from({ length: this.uint16() }, () => ({
      witness: this.uint16(),
      signature: this.bytes(this.#uint8()),
    }));
  }

  #aggregate(): IndexedAggregate {
    const signers = this.bytes(this.uint16());
    const witnesses = decodeSignerBitmap(signers, 8 * signers.length);
    // A trailing zero byte would be a second encoding.
    if (witnesses === undefined || !signers.at(-1)) throw corrupt(this.#what, this.#key);
    return { witnesses, signature: this.bytes(SIGNATURE_LENGTH.bls) };
  }

  remaining(): Bytes {
    return this.bytes(this.#value.length - this.#at);
  }

  #uint8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  #advance(length: number): number {
    const at = this.#at;
    if (at + length > this.#value.length) throw corrupt(this.#what, this.#key);
    this.#at += length;
    return at;
  }
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

function corrupt(what: string, key: number): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot read ${what} ${key} of the store: wrong length, version or integer`,
  );
}
