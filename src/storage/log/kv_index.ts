/**
 * {@linkcode IndexStore} on Deno KV.
 *
 * @module
 */

import type { Bytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { ENTRY_LENGTH } from "../../gateway/index/index_run.ts";
import type { CommitOutcome, IndexStore } from "../../gateway/ports.ts";
import type { IndexKeys } from "./keys.ts";
import type { FencedKv } from "./kv_commit.ts";

/** The buckets of one index. The done mark of a run is set with its last buckets. */
export class KvIndexStore implements IndexStore {
  readonly key: Bytes;
  readonly #kv: FencedKv;
  readonly #keys: IndexKeys;

  /** `key` determines the buckets of entries; `keys` are the keys of the store. */
  constructor(kv: FencedKv, keys: IndexKeys, key: Bytes) {
    this.#kv = kv;
    this.#keys = keys;
    this.key = key;
  }

  async runCount(): Promise<number> {
    let count = 0;
    for await (const _ of this.#kv.reads.list({ prefix: this.#keys.allDone() })) count++;
    return count;
  }

  commitRows(
    run: number,
    rows: readonly { readonly bucket: number; readonly entries: Bytes }[],
    done: boolean,
  ): Promise<CommitOutcome> {
    return this.#kv.commit((operation) => {
      for (const { bucket, entries } of rows) {
        operation.set(this.#keys.bucket(run, bucket), entries);
      }
      return done ? operation.set(this.#keys.done(run), true) : operation;
    });
  }

  async bucket(run: number, bucket: number): Promise<Bytes | undefined> {
    const key = this.#keys.bucket(run, bucket);
    const { value } = await this.#kv.reads.get<unknown>(key);
    return value === null ? undefined : entriesAt(key, value);
  }

  async *buckets(run: number): AsyncGenerator<{ bucket: number; entries: Bytes }> {
    const selector = { prefix: this.#keys.run(run) };
    for await (const entry of this.#kv.reads.list<unknown>(selector, { batchSize: 500 })) {
      yield { bucket: entry.key[2] as number, entries: entriesAt(entry.key, entry.value) };
    }
  }
}

function entriesAt(key: Deno.KvKey, value: unknown): Bytes {
  if (value instanceof Uint8Array && value.length % ENTRY_LENGTH === 0) return value as Bytes;
  throw new CountersignError(
    "store_corrupt",
    `Cannot read ${JSON.stringify(key)} of the store: the value is not entries of the index`,
  );
}
