/**
 * Digests to measure with.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../src/bytes.ts";

/** `getRandomValues` fills no more at once. */
const RANDOM_BYTES_LIMIT = 65_536;

/** `count` packed digests, uniformly random. */
export function randomDigests(count: number): Bytes {
  const digests = new Uint8Array(count * HASH_LENGTH);
  for (let at = 0; at < digests.length; at += RANDOM_BYTES_LIMIT) {
    crypto.getRandomValues(digests.subarray(at, at + RANDOM_BYTES_LIMIT));
  }
  return digests;
}
