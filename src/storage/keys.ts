/**
 * Every key of the log's store, in one place. No key on the hot path begins with a hash: rows go
 * in under ascending keys, which is what keeps them fast as the store grows.
 *
 * @module
 */

/** The keys, by what stands under them. */
export const logKeys = {
  /** Format version, index key and the network that the store belongs to. */
  meta: (): Deno.KvKey => ["meta"],
  /** Random id of the holder: every commit checks that it is still the one that was taken. */
  fence: (): Deno.KvKey => ["fence"],
  /** Accepted digests from this sequence. */
  intake: (first: number): Deno.KvKey => ["in", first],
  intakes: (): Deno.KvKey => ["in"],
  /** The signed round that begins at this sequence. */
  round: (first: number): Deno.KvKey => ["rd", first],
  rounds: (): Deno.KvKey => ["rd"],
  /** A full tile. */
  tile: (level: number, index: number): Deno.KvKey => ["t", level, index],
  tiles: (level: number): Deno.KvKey => ["t", level],
  /** The partial tile of a level. */
  edge: (level: number): Deno.KvKey => ["e", level],
  edges: (): Deno.KvKey => ["e"],
  head: (): Deno.KvKey => ["head"],
  /** The tree head published at this size. */
  sth: (size: number): Deno.KvKey => ["sth", size],
  sths: (): Deno.KvKey => ["sth"],
  /** A bucket of a run of the hash index. */
  index: (run: number, bucket: number): Deno.KvKey => ["ix", run, bucket],
  indexRun: (run: number): Deno.KvKey => ["ix", run],
  /** Says that all buckets of a run are stored. */
  indexDone: (run: number): Deno.KvKey => ["ixd", run],
  indexesDone: (): Deno.KvKey => ["ixd"],
} as const;
