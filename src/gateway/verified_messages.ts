/**
 * Remembers which signed messages were verified, so that a record that is read again costs a hash instead
 * of signatures. A new message replaces the one in its slot, so memory is fixed.
 *
 * @module
 */

import { type Bytes, equalBytes, HASH_LENGTH } from "../bytes.ts";

/** 2 MiB: the rounds and heads of some 2^24 leaves. A power of two. */
const SLOTS = 2 ** 16;

/** A set of SHA-256 digests that forgets some. */
export class VerifiedMessages {
  readonly #digests = new Uint8Array(SLOTS * HASH_LENGTH);

  has(digest: Bytes): boolean {
    return equalBytes(this.#slot(digest), digest);
  }

  add(digest: Bytes): void {
    this.#slot(digest).set(digest);
  }

  #slot(digest: Bytes): Bytes {
    const at = (digest[0]! << 8 | digest[1]!) % SLOTS * HASH_LENGTH;
    return this.#digests.subarray(at, at + HASH_LENGTH);
  }
}
