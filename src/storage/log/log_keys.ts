/**
 * The keys of the log's store. No key on the hot path begins with a hash: ascending keys keep inserts
 * fast as the store grows.
 *
 * @module
 */

import { META_KEY } from "../store_meta.ts";

export const logKeys = {
  /** Format version, index key and digest of the network. */
  meta: (): Deno.KvKey => META_KEY,
  /** Random id of the holder. Every commit checks that it has not changed. */
  fence: (): Deno.KvKey => ["fence"],
  /** File and machine of the last use; absent before the first, and in a copy. */
  location: (): Deno.KvKey => ["place"],
  /** Accepted digests from this sequence on. */
  intake: (first: number): Deno.KvKey => ["in", first],
  intakes: (): Deno.KvKey => ["in"],
  /** The signed round that begins at this sequence. */
  round: (first: number): Deno.KvKey => ["rd", first],
  rounds: (): Deno.KvKey => ["rd"],
  /** A full tile. */
  tile: (level: number, index: number): Deno.KvKey => ["t", level, index],
  tiles: (level: number): Deno.KvKey => ["t", level],
  /** The upper nodes of a full tile of level 0. */
  upperNodes: (index: number): Deno.KvKey => ["n", index],
  allUpperNodes: (): Deno.KvKey => ["n"],
  /** The partial tile of a level. */
  edge: (level: number): Deno.KvKey => ["e", level],
  edges: (): Deno.KvKey => ["e"],
  head: (): Deno.KvKey => ["head"],
  /** The tree head published at this size. */
  sth: (size: number): Deno.KvKey => ["sth", size],
  sths: (): Deno.KvKey => ["sth"],
  /** The succession that begins an epoch, and its closed link. */
  succession: (epoch: number): Deno.KvKey => ["ep", epoch],
  link: (epoch: number): Deno.KvKey => ["epl", epoch],
  links: (): Deno.KvKey => ["epl"],
  /** Spent ids from this number on. */
  spent: (first: number): Deno.KvKey => ["sp", first],
  spents: (): Deno.KvKey => ["sp"],
} as const;

export interface IndexKeys {
  bucket(run: number, bucket: number): Deno.KvKey;
  run(run: number): Deno.KvKey;
  /** Present when all buckets of a run are stored. */
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
/** The index of the spent ids. */
export const spentIndexKeys = indexKeys("sx", "sxd");
