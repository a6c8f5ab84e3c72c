/**
 * The `bls` key of a witness.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { type Bls, BLS_SECRET_LENGTH, popProve } from "./bls.ts";
import { BLS_SIGNATURE_DST } from "./domains.ts";

/** Signs with one secret key, never exports it, and wipes it when disposed. */
export class BlsSigner implements Disposable {
  readonly scheme = "bls";
  readonly #bls: Bls;
  readonly #secretKey = new Uint8Array(BLS_SECRET_LENGTH);
  /** 96 bytes. */
  readonly publicKey: Bytes;
  /** 48 bytes, for the configuration. */
  readonly proofOfPossession: Bytes;

  /**
   * `secretKey` is 32 bytes; the caller may wipe it afterwards.
   *
   * @throws CountersignError `invalid_key`
   */
  constructor(bls: Bls, secretKey: Uint8Array) {
    this.#bls = bls;
    this.publicKey = bls.skToPk(secretKey);
    this.proofOfPossession = popProve(bls, secretKey);
    this.#secretKey.set(secretKey);
  }

  /** This witness's share of the threshold signature over `message`, 48 bytes. */
  sign(message: Uint8Array): Bytes {
    return this.#bls.sign(this.#secretKey, message, BLS_SIGNATURE_DST);
  }

  [Symbol.dispose](): void {
    this.#secretKey.fill(0);
  }
}
