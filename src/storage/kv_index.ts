/**
 * {@linkcode IndexStore} on Deno KV.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { CommitOutcome, IndexStore } from "../gateway/ports.ts";
import type { IndexKeys } from "./keys.ts";
import type { FencedKv } from "./kv_commit.ts";

/** Buckets under the keys of one index; the done mark of a run is set with the last ones. */
export class KvIndexStore implements IndexStore {
  readonly key: Bytes;
  readonly #kv: FencedKv;
  readonly #keys: IndexKeys;

  /** `key` places the entries; `keys` are those of the store. */
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
    const { value } = await this.#kv.reads.get<Bytes>(this.#keys.bucket(run, bucket));
    return value ?? undefined;
  }

  async *buckets(run: number): AsyncGenerator<{ bucket: number; entries: Bytes }> {
    const selector = { prefix: this.#keys.run(run) };
    for await (const entry of this.#kv.reads.list<Bytes>(selector, { batchSize: 500 })) {
      yield { bucket: entry.key[2] as number, entries: entry.value };
    }
  }
}
