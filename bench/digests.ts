/**
 * Digests for measurements.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../src/base/bytes.ts";

/** The limit of `getRandomValues`. */
const RANDOM_BYTES_LIMIT = 65_536;

/** `count` packed digests, uniformly random. */
export function randomDigests(count: number): Bytes {
  const digests = new Uint8Array(count * HASH_LENGTH);
  for (let at = 0; at < digests.length; at += RANDOM_BYTES_LIMIT) {
    crypto.getRandomValues(digests.subarray(at, at + RANDOM_BYTES_LIMIT));
  }
  return digests;
}

/** `count` packed digests with numbers from `first` on in the first 8 bytes. */
export function numberedDigests(count: number, first: number): Bytes {
  const digests = new Uint8Array(count * HASH_LENGTH);
  const view = new DataView(digests.buffer);
  for (let i = 0; i < count; i++) view.setBigUint64(i * HASH_LENGTH, BigInt(first + i));
  return digests;
}
