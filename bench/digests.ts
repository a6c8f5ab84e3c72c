/**
 * Digests to measure with.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, HASH_LENGTH, uint64 } from "../src/bytes.ts";

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

/** Packed digests `start` to `end`, exclusive, of a sequence that every process finds again. */
export function numberedDigests(start: number, end: number): Bytes {
  const digests = new Uint8Array((end - start) * HASH_LENGTH);
  for (let number = start; number < end; number++) {
    const digest = createHash("sha256").update(uint64(number)).digest();
    digests.set(digest, (number - start) * HASH_LENGTH);
  }
  return digests;
}
