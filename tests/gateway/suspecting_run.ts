/**
 * A sealed run whose filter has a false positive, without the 2^20 digests of a real one.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../src/base/bytes.ts";
import { bucketOf } from "../../src/gateway/index/index_run.ts";
import { KeyedHash, wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { randomDigests } from "./fixture.ts";
import type { MemoryLog } from "./memory_log.ts";

/**
 * Makes run 0 of `log` a sealed one whose filter has a false positive for `digest`: besides the entry of the
 * run's first digest it has only one in another bucket, with the same filter bits, which is the first.
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
  // The bucket depends on the highest bit, and the filter does not.
  const buckets = new Map([[bucketOf(hash) ^ 0x2000, entryOf(hash, 5)]]);
  hash.hash(wordsOf(log.rows.get(0)!.digests.slice(0, HASH_LENGTH)), 0);
  const first = bucketOf(hash);
  buckets.set(first, concat(buckets.get(first) ?? new Uint8Array(), entryOf(hash, 0)));
  log.buckets.set(0, buckets);
  log.doneRuns.add(0);
}

function entryOf({ high, low }: KeyedHash, offset: number): Bytes {
  const upper = (BigInt(high) & 0x3ffffn) << 26n | BigInt(low) >> 6n;
  const entry = new Uint8Array(8);
  new DataView(entry.buffer).setBigUint64(0, upper << 20n | BigInt(offset));
  return entry;
}
