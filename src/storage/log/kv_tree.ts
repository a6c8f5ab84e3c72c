/**
 * {@linkcode TreeStore} and {@linkcode SthStore} on Deno KV.
 *
 * @module
 */

import { type Bytes, concat, HASH_LENGTH, uint64 } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { SthRecord } from "../../format/records.ts";
import type {
  CommitOutcome,
  HeadCommit,
  HeadVersion,
  SthStore,
  StoredHead,
  TreeStore,
} from "../../gateway/ports.ts";
import { logKeys } from "./keys.ts";
import { absent, type FencedKv } from "./kv_commit.ts";
import { decodeSth, encodeSth } from "./record_codec.ts";

/** The head under `["head"]`, edges under `["e", L]`, full tiles under `["t", L, N]`. */
export class KvTreeStore implements TreeStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    this.#kv = kv;
  }

  async head(): Promise<{ head: StoredHead; version: HeadVersion } | undefined> {
    const entry = await this.#kv.handles.writes.get<Uint8Array>(logKeys.head());
    if (entry.value === null) return undefined;
    if (entry.value.length !== 8 + HASH_LENGTH) {
      throw new CountersignError(
        "store_corrupt",
        `Cannot read head of the store: it has ${entry.value.length} bytes, not 40`,
      );
    }
    const view = new DataView(entry.value.buffer, entry.value.byteOffset);
    return {
      head: { size: Number(view.getBigUint64(0)), root: entry.value.slice(8) as Bytes },
      version: entry.versionstamp,
    };
  }

  async edges(): Promise<Bytes[]> {
    const edges: Bytes[] = [];
    const selector = { prefix: logKeys.edges() };
    for await (const entry of this.#kv.handles.writes.list<Bytes>(selector)) {
      if (entry.key[1] !== edges.length) {
        throw new CountersignError(
          "store_corrupt",
          `Cannot read edges of the store: level ${edges.length} is missing`,
        );
      }
      edges.push(entry.value);
    }
    return edges;
  }

  async tile(level: number, index: number): Promise<Bytes | undefined> {
    const { value } = await this.#kv.reads.get<Bytes>(logKeys.tile(level, index));
    return value ?? undefined;
  }

  commit(change: HeadCommit): Promise<CommitOutcome> {
    return this.#kv.commit((operation) => {
      const key = logKeys.head();
      operation.check(
        change.replaces === null ? absent(key) : { key, versionstamp: change.replaces },
      );
      for (const { level, index, hashes } of change.tiles) {
        operation.set(logKeys.tile(level, index), hashes);
      }
      change.edges.forEach((edge, level) => operation.set(logKeys.edge(level), edge));
      return operation.set(key, concat(uint64(change.head.size), change.head.root));
    });
  }
}

/** Published tree heads under `["sth", S]`. */
export class KvSthStore implements SthStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    this.#kv = kv;
  }

  commit(record: SthRecord): Promise<CommitOutcome> {
    const key = logKeys.sth(record.size);
    return this.#kv.commit((operation) => operation.check(absent(key)).set(key, encodeSth(record)));
  }

  async at(size: number): Promise<SthRecord | undefined> {
    const { value } = await this.#kv.reads.get<Uint8Array>(logKeys.sth(size));
    return value === null ? undefined : decodeSth(size, value);
  }

  async firstAbove(size: number): Promise<SthRecord | undefined> {
    const selector = { prefix: logKeys.sths(), start: logKeys.sth(size + 1) };
    const [record] = await this.#list(selector, { limit: 1 });
    return record;
  }

  below(before: number, limit: number): Promise<SthRecord[]> {
    const selector = { prefix: logKeys.sths(), end: logKeys.sth(before) };
    return this.#list(selector, { reverse: true, limit });
  }

  async #list(selector: Deno.KvListSelector, options: Deno.KvListOptions): Promise<SthRecord[]> {
    const records: SthRecord[] = [];
    for await (const entry of this.#kv.reads.list<Uint8Array>(selector, options)) {
      records.push(decodeSth(entry.key[1] as number, entry.value));
    }
    return records;
  }
}
