/**
 * A sealed run whose filter has a false positive, without the 2^20 digests of a real one.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../../src/base/bytes.ts";
import { KeyedHash, wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { randomDigests } from "./fixture.ts";
import type { MemoryLog } from "./memory_log.ts";

/**
 * Makes run 0 of `log` a sealed one whose filter has a false positive for `digest`: its only entry
 * is in another bucket, with the same filter bits.
 */
export function sealSuspecting(log: MemoryLog, digest: Bytes): void {
  const { digestsPerRow } = log.limits;
  for (let first = 0; first < 28; first += digestsPerRow) {
    const count = Math.min(digestsPerRow, 28 - first);
    log.rows.set(first, { first, acceptedAt: 1, digests: randomDigests(count) });
  }
  // The log ends at the end of the run; the rows between are missing.
  const last = RUN_LEAVES - 1;
  log.rows.set(last, { first: last, acceptedAt: 1, digests: randomDigests(1) });
  const hash = new KeyedHash(log.indexKey);
  hash.hash(wordsOf(digest.slice(0, HASH_LENGTH)), 0);
  const { high, low } = hash;
  const entries = new Uint8Array(8);
  const upper = (BigInt(high) & 0x3ffffn) << 26n | BigInt(low) >> 6n;
  new DataView(entries.buffer).setBigUint64(0, upper << 20n | 5n);
  // The bucket depends on the highest bit, and the filter does not.
  log.buckets.set(0, new Map([[(high >>> 18) ^ 0x2000, entries]]));
  log.doneRuns.add(0);
}
