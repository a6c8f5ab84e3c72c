/**
 * The index of digests that the sequencer writes: appends digests to unsealed runs in memory, and seals full
 * runs into the store.
 *
 * @module
 */

import type { IndexedRows, IndexStore } from "../ports.ts";
import type { StoreWrites } from "../settle.ts";
import { ABSENT, corrupt, DigestIndex } from "./digest_index.ts";
import { RunFilter, sortRun } from "./index_run.ts";
import { DIGEST_WORDS, KeyedHash, wordsOf } from "./keyed_hash.ts";
import { RecentDigests, RUN_LEAVES } from "./recent_digests.ts";
import type { SharedIndex } from "./shared_index.ts";

/** Appending is synchronous, so callers need no lock. */
export class HashIndex extends DigestIndex {
  /** Called synchronously after a run was added or sealed: {@linkcode shared} has changed. */
  runsChanged: () => void = () => {};
  readonly #store: IndexStore;
  readonly #source: IndexedRows;
  #sealing: Promise<void> | undefined;
  /** Sequence after the last digest on disk, as far as known. */
  #durable = 0;
  #isStopping = false;

  private constructor(store: IndexStore, source: IndexedRows) {
    super(store.key, { sealed: store, source });
    this.#store = store;
    this.#source = source;
  }

  /**
   * Loads the filters of sealed runs, and the digests after these runs. `store_corrupt` unless the digests
   * end at sequence `end`.
   */
  static async open(store: IndexStore, source: IndexedRows, end: number): Promise<HashIndex> {
    const index = new HashIndex(store, source);
    await index.#loadFilters(await store.runCount());
    index.recent.push(new RecentDigests(index.sealedRuns * RUN_LEAVES));
    await index.#load(end);
    return index;
  }

  /**
   * Appends the digests below sequence `end` that another process has stored, and drops the runs that it
   * has sealed. `store_corrupt` as for {@linkcode HashIndex.open}.
   */
  async follow(end: number): Promise<void> {
    await this.#load(end);
    if (!this.recent[0]!.isFull) return;
    // The other process may have sealed a run that is not full here yet.
    const full = Math.floor(end / RUN_LEAVES);
    await this.#loadFilters(Math.min(await this.#store.runCount(), full));
    const sealedEnd = this.sealedRuns * RUN_LEAVES;
    if (this.recent[0]!.base === sealedEnd) return;
    while (this.recent.length > 0 && this.recent[0]!.base < sealedEnd) this.recent.shift();
    if (this.recent.length === 0) this.recent.push(new RecentDigests(sealedEnd));
    this.runsChanged();
  }

  /** Loads the filters of the runs below `runs` that have none here. */
  async #loadFilters(runs: number): Promise<void> {
    for (let run = this.filters.length; run < runs; run++) {
      const filter = new RunFilter();
      for await (const { bucket, entries } of this.#store.buckets(run)) {
        filter.addBucket(bucket, entries);
      }
      this.filters.push(filter);
      await this.#requireKey(run);
    }
  }

  /** With a damaged index key, no sealed digest would be found, and each would be accepted again. */
  async #requireKey(run: number): Promise<void> {
    const first = run * RUN_LEAVES;
    const [row] = await this.#source.rows(first, first + 1);
    if (row === undefined) throw corrupt(`digest ${first} is missing`);
    this.hash.hash(wordsOf(row.digests), (first - row.first) * DIGEST_WORDS);
    if (!this.filters[run]!.mayHold(this.hash)) {
      throw corrupt(`the index of run ${run} was made with another key than that of the store`);
    }
  }

  /** Appends the stored digests up to sequence `end`. */
  async #load(end: number): Promise<void> {
    const page = 2 ** 15;
    for (let start = this.end; start < end; start += page) {
      for (const row of await this.#source.rows(start, Math.min(start + page, end))) {
        const words = wordsOf(row.digests);
        // A row may overlap two pages, or reach beyond the end: append each digest once.
        const count = Math.min(words.length / DIGEST_WORDS, end - row.first);
        for (let i = 0; i < count; i++) {
          if (row.first + i === this.end) this.append(words, i);
        }
        const { acceptedAt } = row;
        if (acceptedAt !== undefined) this.accept(row.first, this.end, acceptedAt);
      }
    }
    if (this.end !== end) throw corrupt(`digests end at ${this.end}, not ${end}`);
  }

  /** Handles of the memory, for an {@linkcode IndexReplica} in another thread. */
  get shared(): SharedIndex {
    return {
      key: this.#store.key,
      filters: this.filters.map(({ memory }) => memory),
      runs: this.recent.map(({ base, memory }) => ({ base, memory })),
    };
  }

  /** Appends digest `i` of `words`, which is in no run, and returns its sequence. */
  append(words: Uint32Array, i: number): number {
    this.hash.hash(words, i * DIGEST_WORDS);
    return this.#appendHashed(words, i);
  }

  /**
   * The sequence of digest `i` of `words`, appended unless an unsealed run has it. No sealed run may have
   * it.
   */
  take(words: Uint32Array, i: number): number {
    const sequence = this.probeUnsealed(words, i);
    return sequence === ABSENT ? this.#appendHashed(words, i) : sequence;
  }

  /** {@linkcode append} for the digest that was hashed last. */
  #appendHashed(words: Uint32Array, i: number): number {
    let run = this.recent.at(-1)!;
    if (run.isFull) {
      run = new RecentDigests(run.end);
      this.recent.push(run);
      this.runsChanged();
    }
    return run.append(this.hash, words, i * DIGEST_WORDS);
  }

  /** Sets the time of acceptance, in Unix seconds, of the appended sequences [start, end). */
  accept(start: number, end: number, seconds: number): void {
    for (const run of this.recent) {
      const from = Math.max(start, run.base);
      const to = Math.min(end, run.end);
      if (from < to) run.setAcceptedAt(from, to, seconds);
    }
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

  /**
   * Finishes the run that is being sealed, and seals no more. Never rejects: {@linkcode HashIndex.seal}
   * does.
   */
  async sealed(): Promise<void> {
    this.#isStopping = true;
    await this.#sealing?.catch(() => {});
  }

  #sealableRuns(): number {
    return this.recent.filter((run) => run.isFull && run.end <= this.#durable).length;
  }

  async #sealRuns(writes: StoreWrites): Promise<void> {
    let slices = 0;
    // The more runs wait, the longer the slices: otherwise memory would grow with the load.
    const pause = async () => {
      if (++slices % this.recent.length === 0) await writes.clock.sleep(0);
    };
    while (this.#sealableRuns() > 0 && !this.#isStopping) {
      await this.#sealRun(this.recent[0]!, { writes, pause });
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
    this.filters.push(filter);
    this.recent.shift();
    if (this.recent.length === 0) this.recent.push(new RecentDigests(recent.end));
    this.runsChanged();
  }
}
