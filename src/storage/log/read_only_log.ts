/**
 * The log's store, as a thread reads it that must not write. The thread that writes has the same file open
 * (`kv_log_store.ts`); every read here sees what that thread has committed before.
 *
 * @module
 */

import type {
  LogReads,
  RoundReads,
  RunReads,
  SpentStore,
  SthReads,
  SuccessionReads,
  TileReads,
} from "../../gateway/ports.ts";
import { openSqliteReads } from "../sqlite_reads.ts";
import type { StoreReads } from "../store_engine.ts";
import { KvRunReads } from "./kv_index.ts";
import { KvRoundReads, KvSpentStore } from "./kv_rounds.ts";
import { KvSuccessionReads } from "./kv_successions.ts";
import { KvSthReads, KvTileReads } from "./kv_tree.ts";
import { digestIndexKeys, spentIndexKeys } from "./log_keys.ts";

/** {@linkcode LogReads} on SQLite. */
export class ReadOnlyLog implements LogReads {
  readonly rounds: RoundReads;
  readonly tree: TileReads;
  readonly sths: SthReads;
  readonly successions: SuccessionReads;
  readonly index: RunReads;
  readonly spent: Pick<SpentStore, "rows">;
  readonly spentIndex: RunReads;
  readonly #reads: StoreReads;

  constructor(reads: StoreReads) {
    this.#reads = reads;
    this.rounds = new KvRoundReads(reads);
    this.tree = new KvTileReads(reads);
    this.sths = new KvSthReads(reads);
    this.successions = new KvSuccessionReads(reads);
    this.index = new KvRunReads(reads, digestIndexKeys);
    this.spent = new KvSpentStore(reads);
    this.spentIndex = new KvRunReads(reads, spentIndexKeys);
  }

  close(): void {
    this.#reads.close();
  }
}

/**
 * Opens the store at `path`, which `KvLogStore.allowsReaders` must allow, with permission to read only.
 * `storage_failed`, `store_corrupt`.
 */
export function openReadOnlyLog(path: string): ReadOnlyLog {
  return new ReadOnlyLog(openSqliteReads(path));
}
