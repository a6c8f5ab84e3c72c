/**
 * Finds the sequence of a digest: in memory for unsealed runs, by a filter and one row of the store for
 * sealed runs. Memory is constant except for the filters, 20 bits for each digest. Redeemed token ids have
 * an index of the same kind, in which the digests are ids and the sequences are their numbers.
 *
 * The memory is shared: {@linkcode HashIndex} writes it in one thread, and {@linkcode IndexReplica} reads it
 * in others. What leaves an index is a copy in memory that is not shared.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import type { IndexedRows, RunReads } from "../ports.ts";
import { bucketOf, offsetsOf, type RunFilter } from "./index_run.ts";
import { DIGEST_WORDS, KeyedHash, wordsOf } from "./keyed_hash.ts";
import { type RecentDigests, RUN_LEAVES } from "./recent_digests.ts";

/** The error for damage of the indexed rows. */
export const corrupt = errorBuilder("store_corrupt", "Cannot read digests of the store");

/** Results of {@linkcode DigestIndex.probe} for a digest that is in no unsealed run. */
export const ABSENT = -1;
export const PERHAPS_SEALED = -2;

/** The reads of an index from the store. */
export interface IndexReads {
  readonly sealed: RunReads;
  readonly source: Pick<IndexedRows, "rows">;
}

/** Reads an index. Probing is synchronous, so callers need no lock. */
export abstract class DigestIndex {
  protected readonly hash: KeyedHash;
  /** Filters of sealed runs, by run; their number is the number of sealed runs. */
  protected readonly filters: RunFilter[] = [];
  /** Unsealed runs, ascending; never empty. */
  protected readonly recent: RecentDigests[] = [];
  readonly #reads: IndexReads;

  /** `key` is the store's index key. */
  protected constructor(key: Bytes, reads: IndexReads) {
    this.hash = new KeyedHash(key);
    this.#reads = reads;
  }

  /** Sequence after the last digest. */
  get end(): number {
    return this.recent.at(-1)!.end;
  }

  /** Number of sealed runs. It increases when digests move from memory to the store. */
  get sealedRuns(): number {
    return this.filters.length;
  }

  /** Runs in memory, 44 MiB each: the one that is appended to, and full runs that are not sealed yet. */
  get unsealedRuns(): number {
    return this.recent.length;
  }

  /** The sequence of digest `i` of `words`, {@linkcode ABSENT} or {@linkcode PERHAPS_SEALED}. */
  probe(words: Uint32Array, i: number): number {
    const sequence = this.probeUnsealed(words, i);
    if (sequence >= 0) return sequence;
    for (const filter of this.filters) if (filter.mayHold(this.hash)) return PERHAPS_SEALED;
    return ABSENT;
  }

  /** The sequence of digest `i` of `words` in an unsealed run, or {@linkcode ABSENT}. */
  probeUnsealed(words: Uint32Array, i: number): number {
    this.hash.hash(words, i * DIGEST_WORDS);
    for (let at = this.recent.length - 1; at >= 0; at--) {
      const sequence = this.recent[at]!.find(this.hash, words, i * DIGEST_WORDS);
      if (sequence >= 0) return sequence;
    }
    return ABSENT;
  }

  /**
   * The sequence of a digest in a sealed run. `store_corrupt` if it is not found, but an entry of its hash
   * leads to a digest with another hash: then the entry or the digest is damaged.
   */
  async findSealed(digest: Bytes): Promise<number | undefined> {
    const words = wordsOf(digest);
    let damaged: number | undefined;
    // The hash object is shared: hash again after each await.
    for (let run = this.filters.length - 1; run >= 0; run--) {
      this.hash.hash(words, 0);
      if (!this.filters[run]!.mayHold(this.hash)) continue;
      const entries = await this.#reads.sealed.bucket(run, bucketOf(this.hash));
      if (entries === undefined) continue;
      this.hash.hash(words, 0);
      for (const offset of offsetsOf(this.hash, entries)) {
        const sequence = run * RUN_LEAVES + offset;
        const found = wordsOf(await this.#readDigests(sequence, sequence + 1));
        if (found.every((word, i) => word === words[i])) return sequence;
        this.hash.hash(found, 0);
        if (!offsetsOf(this.hash, entries).includes(offset)) damaged = sequence;
      }
    }
    if (damaged !== undefined) {
      throw corrupt(`digest ${damaged} does not have the hash of its index entry`);
    }
    return undefined;
  }

  /** The sequence of a digest; without a promise unless the store has to be read. */
  find(digest: Bytes): number | undefined | Promise<number | undefined> {
    const sequence = this.probe(wordsOf(digest), 0);
    if (sequence >= 0) return sequence;
    return sequence === ABSENT ? undefined : this.findSealed(digest);
  }

  /** The digests of [start, end), from memory if possible. */
  digests(start: number, end: number): Bytes | Promise<Bytes> {
    if (start < this.recent[0]!.base || end > this.end) return this.#readDigests(start, end);
    const parts: Bytes[] = [];
    for (const run of this.recent) {
      const from = Math.max(start, run.base);
      const to = Math.min(end, run.end);
      if (from < to) parts.push(run.digests(from, to));
    }
    return parts.length === 1 ? parts[0]! : concat(...parts);
  }

  /** Unix seconds at which a sequence was accepted, from memory if possible. */
  acceptedAt(sequence: number): number | Promise<number> {
    return this.acceptedInMemory(sequence) ?? this.#readAcceptedAt(sequence);
  }

  /** {@linkcode acceptedAt}; `undefined` if it is not in memory. */
  acceptedInMemory(sequence: number): number | undefined {
    for (const run of this.recent) {
      if (sequence >= run.base && sequence < run.end) return run.acceptedAt(sequence);
    }
    return undefined;
  }

  async #readDigests(start: number, end: number): Promise<Bytes> {
    const digests = new Uint8Array((end - start) * HASH_LENGTH);
    let next = start;
    for (const row of await this.#reads.source.rows(start, end)) {
      const from = Math.max(start, row.first);
      const to = Math.min(end, row.first + row.digests.length / HASH_LENGTH);
      if (from !== next) break;
      next = to;
      const part = row.digests.subarray(
        (from - row.first) * HASH_LENGTH,
        (to - row.first) * HASH_LENGTH,
      );
      digests.set(part, (from - start) * HASH_LENGTH);
    }
    // Missing digests would be signed and hashed into the tree as zeros.
    if (next !== end) throw corrupt(`digest ${next} is missing`);
    return digests;
  }

  async #readAcceptedAt(sequence: number): Promise<number> {
    const [row] = await this.#reads.source.rows(sequence, sequence + 1);
    if (row?.acceptedAt !== undefined) return row.acceptedAt;
    throw corrupt(`the time of acceptance of ${sequence} is missing`);
  }
}
