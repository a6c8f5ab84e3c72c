/**
 * {@linkcode IndexStore} on any engine.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import type { CommitOutcome, IndexStore, RunReads } from "../../gateway/ports.ts";
import { NumberedRecords } from "../numbered_records.ts";
import type { IndexKeys } from "./log_keys.ts";
import type { StoreReads } from "../store_engine.ts";
import type { FencedKv } from "./kv_commit.ts";
import { decodeBucket, encodeBucket } from "./record_codec.ts";

/** The buckets of one index. */
export class KvRunReads implements RunReads {
  readonly #reads: StoreReads;
  readonly #keys: IndexKeys;

  constructor(reads: StoreReads, keys: IndexKeys) {
    this.#reads = reads;
    this.#keys = keys;
  }

  bucket(run: number, bucket: number): Promise<Bytes | undefined> {
    return this.records(run).at(bucket);
  }

  /** The buckets of a run, by number. */
  protected records(run: number): NumberedRecords<Bytes> {
    return new NumberedRecords(
      this.#reads,
      this.#keys.run(run),
      (bucket, value) => decodeBucket(run, bucket, value),
    );
  }
}

/** {@linkcode KvRunReads} with commits. The done mark of a run is set with its last buckets. */
export class KvIndexStore extends KvRunReads implements IndexStore {
  readonly key: Bytes;
  readonly #kv: FencedKv;
  readonly #keys: IndexKeys;

  /** `key` determines the buckets of entries; `keys` are the keys of the store. */
  constructor(kv: FencedKv, keys: IndexKeys, key: Bytes) {
    super(kv.reads, keys);
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
        operation.set(this.#keys.bucket(run, bucket), encodeBucket(run, bucket, entries));
      }
      return done ? operation.set(this.#keys.done(run), true) : operation;
    });
  }

  async *buckets(run: number): AsyncGenerator<{ bucket: number; entries: Bytes }> {
    for await (const [bucket, entries] of this.records(run).entries()) {
      yield { bucket, entries };
    }
  }
}
