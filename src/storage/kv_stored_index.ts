/**
 * {@linkcode StoredIndex} on Deno KV.
 *
 * @module
 */

import type { Stored, StoredIndex } from "../audit/ports.ts";
import { type Bytes, concat } from "../bytes.ts";
import { wordsOf } from "../gateway/hash_index.ts";
import { sortRun } from "../gateway/index_run.ts";
import { KeyedHash } from "../gateway/keyed_hash.ts";
import { RUN_LEAVES } from "../gateway/recent_digests.ts";
import { logKeys } from "./keys.ts";
import type { KvRecords } from "./kv_records.ts";

/** No run's number is as large. */
const END = Number.MAX_SAFE_INTEGER;
/** More runs than 2^36 attestations fill. */
const MAX_RUNS = 2 ** 16;

/** The index under `["ix"]` and `["ixd"]`. */
export class KvStoredIndex implements StoredIndex {
  readonly runLeaves = RUN_LEAVES;
  readonly #records: KvRecords;
  readonly #key: Bytes;

  constructor(records: KvRecords, key: Bytes) {
    this.#records = records;
    this.#key = key;
  }

  async runs(): Promise<{ run: number; isDone: boolean }[]> {
    const runs = new Map<number, boolean>();
    // The first key of each run leads to the next run: there is no list of them.
    for (let next = 0; next < END;) {
      const keys = await this.#records.keys(logKeys.indexRun(next), logKeys.indexRun(END), 1);
      const run = keys instanceof Array ? keys[0]?.[1] : undefined;
      if (typeof run !== "number") break;
      runs.set(run, false);
      next = Math.floor(run) + 1;
    }
    const done = await this.#records.keys(logKeys.indexDone(0), logKeys.indexDone(END), MAX_RUNS);
    for (const key of done instanceof Array ? done : []) runs.set(key[1] as number, true);
    return [...runs].map(([run, isDone]) => ({ run, isDone })).sort((a, b) => a.run - b.run);
  }

  async bucketsOf(digests: Bytes): Promise<readonly Bytes[]> {
    const { buckets } = await sortRun(
      new KeyedHash(this.#key),
      wordsOf(digests),
      () => Promise.resolve(),
    );
    return buckets;
  }

  buckets(run: number): AsyncIterable<Stored<Bytes>> {
    return this.#records.under(logKeys.indexRun(run), (_, value) => concat(value));
  }
}
