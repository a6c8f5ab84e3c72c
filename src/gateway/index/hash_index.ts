/**
 * Finds the sequence of a digest: in memory for unsealed runs, by a filter and one row of the store for
 * sealed runs. Memory is constant except for the filters, 13 bits for each digest. Redeemed token ids have
 * an index of the same kind, in which the digests are ids and the sequences are their numbers.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { bucketOf, offsetsOf, RunFilter, sortRun } from "./index_run.ts";
import { DIGEST_WORDS, KeyedHash, wordsOf } from "./keyed_hash.ts";
import type { IndexedRows, IndexStore } from "../ports.ts";
import { RecentDigests, RUN_LEAVES } from "./recent_digests.ts";
import type { StoreWrites } from "../settle.ts";

/** Results of {@linkcode HashIndex.probe} for a digest that is in no unsealed run. */
export const ABSENT = -1;
export const PERHAPS_SEALED = -2;

/** Appending and probing are synchronous, so callers need no lock. */
export class HashIndex {
  readonly #store: IndexStore;
  readonly #source: IndexedRows;
  readonly #hash: KeyedHash;
  /** Filters of sealed runs, by run; `#filters.length` is the number of sealed runs. */
  readonly #filters: RunFilter[] = [];
  /** Unsealed runs, ascending; never empty. Digests are appended to the last one. */
  readonly #recent: RecentDigests[] = [];
  #sealing: Promise<void> | undefined;
  /** Sequence after the last digest on disk, as far as known. */
  #durable = 0;
  #isStopping = false;

  private constructor(store: IndexStore, source: IndexedRows) {
    this.#store = store;
    this.#source = source;
    this.#hash = new KeyedHash(store.key);
  }

  /**
   * Loads the filters of sealed runs, and the digests after these runs. `store_corrupt` unless the digests
   * end at sequence `end`.
   */
  static async open(store: IndexStore, source: IndexedRows, end: number): Promise<HashIndex> {
    const index = new HashIndex(store, source);
    const runs = await store.runCount();
    for (let run = 0; run < runs; run++) {
      const filter = new RunFilter();
      for await (const { bucket, entries } of store.buckets(run)) filter.addBucket(bucket, entries);
      index.#filters.push(filter);
    }
    index.#recent.push(new RecentDigests(runs * RUN_LEAVES));
    const page = 2 ** 15;
    for (let start = runs * RUN_LEAVES; start < end; start += page) {
      for (const row of await source.rows(start, Math.min(start + page, end))) {
        const words = wordsOf(row.digests);
        for (let i = 0; i < words.length / DIGEST_WORDS; i++) {
          // A row may overlap two pages: append each digest once.
          if (row.first + i === index.end) index.append(words, i);
        }
        const { acceptedAt } = row;
        if (acceptedAt !== undefined) index.accept(row.first, index.end, acceptedAt);
      }
    }
    if (index.end !== end) throw corrupt(`digests end at ${index.end}, not ${end}`);
    return index;
  }

  /** Sequence after the last digest. */
  get end(): number {
    return this.#recent.at(-1)!.end;
  }

  /** Number of sealed runs. It increases when digests move from memory to the store. */
  get sealedRuns(): number {
    return this.#filters.length;
  }

  /**
   * The sequence of digest `i` of `words`, {@linkcode ABSENT} or {@linkcode PERHAPS_SEALED}. Stores its
   * hash in `hashes`, if given, for {@linkcode HashIndex.takeProbed}.
   */
  probe(words: Uint32Array, i: number, hashes?: Uint32Array): number {
    this.#hash.hash(words, i * DIGEST_WORDS);
    if (hashes !== undefined) this.#hash.keep(hashes, i);
    const sequence = this.#findUnsealed(words, i);
    if (sequence >= 0) return sequence;
    for (const filter of this.#filters) if (filter.mayHold(this.#hash)) return PERHAPS_SEALED;
    return ABSENT;
  }

  /** {@linkcode HashIndex.probe}; appends the digest if it is in no run. */
  take(words: Uint32Array, i: number): number {
    const found = this.probe(words, i);
    return found === ABSENT ? this.#appendHashed(words, i) : found;
  }

  /**
   * The sequence of digest `i` of `words`, appended unless an unsealed run has it. {@linkcode probe} stored
   * its hash in `hashes` and did not find it. No sealed run may have it.
   */
  takeProbed(words: Uint32Array, i: number, hashes: Uint32Array): number {
    this.#hash.recall(hashes, i);
    const sequence = this.#findUnsealed(words, i);
    return sequence >= 0 ? sequence : this.#appendHashed(words, i);
  }

  /** The sequence in an unsealed run of the digest that was hashed last, or {@linkcode ABSENT}. */
  #findUnsealed(words: Uint32Array, i: number): number {
    for (let at = this.#recent.length - 1; at >= 0; at--) {
      const sequence = this.#recent[at]!.find(this.#hash, words, i * DIGEST_WORDS);
      if (sequence >= 0) return sequence;
    }
    return ABSENT;
  }

  /** Appends digest `i` of `words`, which is in no run, and returns its sequence. */
  append(words: Uint32Array, i: number): number {
    this.#hash.hash(words, i * DIGEST_WORDS);
    return this.#appendHashed(words, i);
  }

  /** {@linkcode append} for the digest that was hashed last. */
  #appendHashed(words: Uint32Array, i: number): number {
    if (this.#recent.at(-1)!.isFull) this.#recent.push(new RecentDigests(this.end));
    return this.#recent.at(-1)!.append(this.#hash, words, i * DIGEST_WORDS);
  }

  /** Sets the time of acceptance, in Unix seconds, of the appended sequences [start, end). */
  accept(start: number, end: number, seconds: number): void {
    for (const run of this.#recent) {
      const from = Math.max(start, run.base);
      const to = Math.min(end, run.end);
      if (from < to) run.setAcceptedAt(from, to, seconds);
    }
  }

  /**
   * The sequence of a digest in a sealed run. `store_corrupt` if it is not found, but an entry of its hash
   * leads to a digest with another hash: then the entry or the digest is damaged.
   */
  async findSealed(digest: Bytes): Promise<number | undefined> {
    const words = wordsOf(digest);
    let damaged: number | undefined;
    // The hash object is shared: hash again after each await.
    for (let run = this.#filters.length - 1; run >= 0; run--) {
      this.#hash.hash(words, 0);
      if (!this.#filters[run]!.mayHold(this.#hash)) continue;
      const entries = await this.#store.bucket(run, bucketOf(this.#hash));
      if (entries === undefined) continue;
      this.#hash.hash(words, 0);
      for (const offset of offsetsOf(this.#hash, entries)) {
        const sequence = run * RUN_LEAVES + offset;
        const found = wordsOf(await this.#readDigests(sequence, sequence + 1));
        if (found.every((word, i) => word === words[i])) return sequence;
        this.#hash.hash(found, 0);
        if (!offsetsOf(this.#hash, entries).includes(offset)) damaged = sequence;
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
    if (start < this.#recent[0]!.base) return this.#readDigests(start, end);
    const parts: Bytes[] = [];
    for (const run of this.#recent) {
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
    const run = this.#recent.find((run) => sequence >= run.base && sequence < run.end);
    return run?.acceptedAt(sequence);
  }

  /**
   * Seals the full runs below sequence `durable`, in slices between other work. Resolves at once if sealing
   * is in progress. Rejects with `fence_lost`, or with `storage_failed` once `writes` is stopped.
   */
  async seal(durable: number, writes: StoreWrites): Promise<void> {
    this.#durable = Math.max(this.#durable, durable);
    if (this.#sealing !== undefined || this.#sealableRuns() === 0) return;
    this.#sealing = this.#sealRuns(writes).finally(() => this.#sealing = undefined);
    await this.#sealing;
  }

  /** Runs in memory, 44 MiB each: the one that is appended to, and full runs that are not sealed yet. */
  get unsealedRuns(): number {
    return this.#recent.length;
  }

  /**
   * Finishes the run that is being sealed, and seals no more. Never rejects: {@linkcode HashIndex.seal}
   * does.
   */
  async sealed(): Promise<void> {
    this.#isStopping = true;
    await this.#sealing?.catch(() => {});
  }

  #sealableRuns(): number {
    return this.#recent.filter((run) => run.isFull && run.end <= this.#durable).length;
  }

  async #sealRuns(writes: StoreWrites): Promise<void> {
    let slices = 0;
    // The more runs wait, the longer the slices: otherwise memory would grow with the load.
    const pause = async () => {
      if (++slices % this.#recent.length === 0) await writes.clock.sleep(0);
    };
    while (this.#sealableRuns() > 0 && !this.#isStopping) {
      await this.#sealRun(this.#recent[0]!, { writes, pause });
    }
  }

  async #sealRun(
    recent: RecentDigests,
    { writes, pause }: { readonly writes: StoreWrites; readonly pause: () => Promise<void> },
  ): Promise<void> {
    const run = recent.base / RUN_LEAVES;
    // A separate hash object, because slices interleave with probes.
    const { buckets, filter } = await sortRun(
      new KeyedHash(this.#store.key),
      recent.words,
      pause,
    );
    const step = this.#source.limits.indexRowsPerCommit;
    for (let first = 0; first < buckets.length; first += step) {
      const rows = buckets.slice(first, first + step)
        .map((entries, i) => ({ bucket: first + i, entries }));
      await writes.settle({
        what: `index of run ${run}`,
        commit: () => this.#store.commitRows(run, rows, first + step >= buckets.length),
        // Storing the same bytes again is harmless.
        inspect: () => Promise.resolve("absent"),
      });
      await pause();
    }
    // Add the filter before the run leaves memory, so that every probe sees one of them.
    this.#filters.push(filter);
    this.#recent.shift();
    if (this.#recent.length === 0) this.#recent.push(new RecentDigests(recent.end));
  }

  async #readDigests(start: number, end: number): Promise<Bytes> {
    const digests = new Uint8Array((end - start) * HASH_LENGTH);
    let next = start;
    for (const row of await this.#source.rows(start, end)) {
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
    const [row] = await this.#source.rows(sequence, sequence + 1);
    if (row?.acceptedAt !== undefined) return row.acceptedAt;
    throw corrupt(`the time of acceptance of ${sequence} is missing`);
  }
}

function corrupt(reason: string): CountersignError {
  return new CountersignError("store_corrupt", `Cannot read digests of the store: ${reason}`);
}
