/**
 * {@linkcode StoredIndex} on any engine.
 *
 * @module
 */

import type { Stored, StoredIndex } from "../../audit/ports.ts";
import { type Bytes, concat } from "../../bytes.ts";
import { sortRun } from "../../gateway/index/index_run.ts";
import { KeyedHash, wordsOf } from "../../gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../gateway/index/recent_digests.ts";
import type { IndexKeys } from "./log_keys.ts";
import type { KvRecords } from "../kv_records.ts";

/** Larger than any run. */
const END = Number.MAX_SAFE_INTEGER;
/** Enough for 2^36 attestations. */
const MAX_RUNS = 2 ** 16;

export class KvStoredIndex implements StoredIndex {
  readonly runLeaves = RUN_LEAVES;
  readonly #records: KvRecords;
  readonly #keys: IndexKeys;
  readonly #key: Bytes;

  /** `key` determines the buckets of entries; `keys` are the keys of the store. */
  constructor(records: KvRecords, keys: IndexKeys, key: Bytes) {
    this.#records = records;
    this.#keys = keys;
    this.#key = key;
  }

  async runs(): Promise<{ run: number; isDone: boolean }[]> {
    const runs = new Map<number, boolean>();
    // There is no list of runs, so the first key after each run is looked up.
    for (let next = 0; next < END;) {
      const keys = await this.#records.keys(this.#keys.run(next), this.#keys.run(END), 1);
      const run = keys instanceof Array ? keys[0]?.[1] : undefined;
      if (typeof run !== "number") break;
      runs.set(run, false);
      next = Math.floor(run) + 1;
    }
    const done = await this.#records.keys(this.#keys.done(0), this.#keys.done(END), MAX_RUNS);
    for (const key of done instanceof Array ? done : []) runs.set(key[1] as number, true);
    return [...runs].map(([run, isDone]) => ({ run, isDone })).sort((a, b) => a.run - b.run);
  }

  async bucketsOf(digests: Bytes): Promise<readonly Bytes[]> {
    const hash = new KeyedHash(this.#key);
    return (await sortRun(hash, wordsOf(digests), () => Promise.resolve())).buckets;
  }

  buckets(run: number): AsyncIterable<Stored<Bytes>> {
    return this.#records.under(this.#keys.run(run), (_, value) => concat(value));
  }
}
