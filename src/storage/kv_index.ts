/**
 * {@linkcode IndexStore} on Deno KV.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import type { CommitOutcome, IndexStore } from "../gateway/ports.ts";
import { logKeys } from "./keys.ts";
import type { FencedKv } from "./kv_commit.ts";

/** Buckets under `["ix", run, bucket]`; the done mark `["ixd", run]` is set with the last ones. */
export class KvIndexStore implements IndexStore {
  readonly key: Bytes;
  readonly #kv: FencedKv;

  constructor(kv: FencedKv, key: Bytes) {
    this.#kv = kv;
    this.key = key;
  }

  async runCount(): Promise<number> {
    let count = 0;
    for await (const _ of this.#kv.reads.list({ prefix: logKeys.indexesDone() })) count++;
    return count;
  }

  commitRows(
    run: number,
    rows: readonly { readonly bucket: number; readonly entries: Bytes }[],
    done: boolean,
  ): Promise<CommitOutcome> {
    return this.#kv.commit((operation) => {
      for (const { bucket, entries } of rows) operation.set(logKeys.index(run, bucket), entries);
      return done ? operation.set(logKeys.indexDone(run), true) : operation;
    });
  }

  async bucket(run: number, bucket: number): Promise<Bytes | undefined> {
    const { value } = await this.#kv.reads.get<Bytes>(logKeys.index(run, bucket));
    return value ?? undefined;
  }

  async *buckets(run: number): AsyncGenerator<{ bucket: number; entries: Bytes }> {
    const selector = { prefix: logKeys.indexRun(run) };
    for await (const entry of this.#kv.reads.list<Bytes>(selector, { batchSize: 500 })) {
      yield { bucket: entry.key[2] as number, entries: entry.value };
    }
  }
}
