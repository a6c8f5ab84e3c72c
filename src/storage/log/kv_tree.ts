/**
 * {@linkcode TreeStore} and {@linkcode SthStore} on any engine.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import type {
  CommitOutcome,
  HeadCommit,
  HeadVersion,
  SthReads,
  SthStore,
  StoredHead,
  TileReads,
  TreeStore,
} from "../../gateway/ports.ts";
import { NumberedRecords } from "../numbered_records.ts";
import { absent, bytesAt, type StoreReads } from "../store_engine.ts";
import { logKeys } from "./log_keys.ts";
import type { FencedKv } from "./kv_commit.ts";
import { decodeHead, decodeStoredSth, encodeHead, encodeStoredSth } from "./record_codec.ts";

/** Full tiles under `["t", L, N]`, and the upper nodes of those of level 0 under `["n", N]`. */
export class KvTileReads implements TileReads {
  readonly #reads: StoreReads;

  constructor(reads: StoreReads) {
    this.#reads = reads;
  }

  tile(level: number, index: number): Promise<Bytes | undefined> {
    return this.#at(logKeys.tile(level, index));
  }

  upperNodes(index: number): Promise<Bytes | undefined> {
    return this.#at(logKeys.upperNodes(index));
  }

  async #at(key: Deno.KvKey): Promise<Bytes | undefined> {
    const { value } = await this.#reads.get<Bytes>(key);
    return value ?? undefined;
  }
}

/** The head under `["head"]`, edges under `["e", L]`, and the tiles. */
export class KvTreeStore extends KvTileReads implements TreeStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    super(kv.reads);
    this.#kv = kv;
  }

  async head(): Promise<{ head: StoredHead; version: HeadVersion } | undefined> {
    const key = logKeys.head();
    const entry = await this.#kv.handles.writes.get<unknown>(key);
    if (entry.value === null) return undefined;
    return { head: decodeHead(bytesAt(key, entry.value)), version: entry.versionstamp };
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

  commit(change: HeadCommit): Promise<CommitOutcome> {
    return this.#kv.commit((operation) => {
      const key = logKeys.head();
      operation.check(
        change.replaces === null ? absent(key) : { key, versionstamp: change.replaces },
      );
      for (const { level, index, hashes, upperNodes } of change.tiles) {
        operation.set(logKeys.tile(level, index), hashes);
        if (level === 0) operation.set(logKeys.upperNodes(index), upperNodes);
      }
      change.edges.forEach((edge, level) => operation.set(logKeys.edge(level), edge));
      return operation.set(key, encodeHead(change.head));
    });
  }
}

/** Published tree heads under `["sth", S]`. */
export class KvSthReads implements SthReads {
  readonly #records: NumberedRecords<SthRecord>;

  constructor(reads: StoreReads) {
    this.#records = new NumberedRecords(reads, logKeys.sths(), decodeStoredSth);
  }

  at(size: number): Promise<SthRecord | undefined> {
    return this.#records.at(size);
  }

  firstAbove(size: number): Promise<SthRecord | undefined> {
    return this.#records.first(size + 1);
  }

  below(before: number, limit: number): Promise<SthRecord[]> {
    return this.#records.list({ end: before, limit, reverse: true });
  }
}

/** {@linkcode KvSthReads} with commits. */
export class KvSthStore extends KvSthReads implements SthStore {
  readonly #kv: FencedKv;

  constructor(kv: FencedKv) {
    super(kv.reads);
    this.#kv = kv;
  }

  commit(record: SthRecord): Promise<CommitOutcome> {
    const key = logKeys.sth(record.size);
    return this.#kv.commit((operation) =>
      operation.check(absent(key)).set(key, encodeStoredSth(record))
    );
  }

  async replace(stored: SthRecord, record: SthRecord): Promise<CommitOutcome> {
    const key = logKeys.sth(stored.size);
    const { value, versionstamp } = await this.#kv.handles.writes.get<unknown>(key);
    if (value === null || !equalBytes(bytesAt(key, value), encodeStoredSth(stored))) {
      return "conflict";
    }
    return await this.#kv.commit((operation) =>
      operation.check({ key, versionstamp }).set(key, encodeStoredSth(record))
    );
  }
}
