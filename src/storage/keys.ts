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
  /** File and machine on which the store was last used; absent in stores of earlier programs. */
  place: (): Deno.KvKey => ["place"],
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
  /** What was spent, from the id of this number. */
  spent: (first: number): Deno.KvKey => ["sp", first],
  spents: (): Deno.KvKey => ["sp"],
} as const;

/** The keys of one index. */
export interface IndexKeys {
  bucket(run: number, bucket: number): Deno.KvKey;
  run(run: number): Deno.KvKey;
  /** Says that all buckets of a run are stored. */
  done(run: number): Deno.KvKey;
  allDone(): Deno.KvKey;
}

function indexKeys(buckets: string, done: string): IndexKeys {
  return {
    bucket: (run, bucket) => [buckets, run, bucket],
    run: (run) => [buckets, run],
    done: (run) => [done, run],
    allDone: () => [done],
  };
}

/** The index of the accepted digests. */
export const digestIndexKeys = indexKeys("ix", "ixd");
/** The index of what was spent. */
export const spentIndexKeys = indexKeys("sx", "sxd");
