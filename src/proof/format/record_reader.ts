/**
 * Reads the parts of a record in order.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import { BEACON_SIGNATURE_LENGTH } from "../crypto/drand.ts";
import { CountersignError } from "../../base/errors.ts";
import type { IndexedAggregate, IndexedSignatureSet } from "./records.ts";
import type { Beacon } from "./round.ts";
import { SIGNATURE_LENGTH } from "./signature_set.ts";
import { decodeSignerBitmap } from "./signer_bitmap.ts";

/** Reads a value in order; throws {@linkcode RecordReader.corrupt} beyond its end. */
export class RecordReader {
  readonly #value: Uint8Array;
  readonly #view: DataView;
  readonly #what: string;
  readonly #key: number | undefined;
  #at = 0;

  constructor(value: Uint8Array, what: string, key?: number) {
    this.#value = value;
    this.#view = new DataView(value.buffer, value.byteOffset, value.length);
    this.#what = what;
    this.#key = key;
  }

  version(expected: number): void {
    if (this.#uint8() !== expected) throw this.corrupt();
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
    if (!Number.isSafeInteger(value)) throw this.corrupt();
    return value;
  }

  float64(): number {
    const value = this.#view.getFloat64(this.#advance(8));
    if (!Number.isFinite(value)) throw this.corrupt();
    return value;
  }

  bytes(length: number): Bytes {
    const at = this.#advance(length);
    return this.#value.slice(at, at + length) as Bytes;
  }

  beacon(): Beacon | null {
    if (!this.#flag()) return null;
    return {
      chain_hash: hexOf(this.bytes(HASH_LENGTH)),
      round: this.uint64(),
      signature: hexOf(this.bytes(BEACON_SIGNATURE_LENGTH)),
    };
  }

  signatures(): IndexedSignatureSet {
    return this.#flag() ? this.#aggregate() : this.#list();
  }

  #list(): IndexedSignatureSet {
    return Array.from({ length: this.uint16() }, () => ({
      witness: this.uint16(),
      signature: this.bytes(this.#uint8()),
    }));
  }

  #aggregate(): IndexedAggregate {
    const signers = this.bytes(this.uint16());
    const witnesses = decodeSignerBitmap(signers, 8 * signers.length);
    // A trailing zero byte would be a second encoding.
    if (witnesses === undefined || !signers.at(-1)) throw this.corrupt();
    return { witnesses, signature: this.bytes(SIGNATURE_LENGTH.bls) };
  }

  get hasMore(): boolean {
    return this.#at < this.#value.length;
  }

  remaining(): Bytes {
    return this.bytes(this.#value.length - this.#at);
  }

  /** Rejects bytes after the record. */
  end(): void {
    if (this.#at !== this.#value.length) throw this.corrupt();
  }

  /** `store_corrupt`; readers of other values override it. */
  corrupt(): CountersignError {
    const name = this.#key === undefined ? this.#what : `${this.#what} ${this.#key}`;
    return new CountersignError(
      "store_corrupt",
      `Cannot read ${name} of the store: wrong length, version, kind or integer`,
    );
  }

  /** A byte 0 or 1. */
  #flag(): boolean {
    const byte = this.#uint8();
    if (byte > 1) throw this.corrupt();
    return byte === 1;
  }

  #uint8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  #advance(length: number): number {
    const at = this.#at;
    if (at + length > this.#value.length) throw this.corrupt();
    this.#at += length;
    return at;
  }
}
