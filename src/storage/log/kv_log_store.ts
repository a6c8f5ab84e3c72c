/**
 * The log's store on any engine (`store_engine.ts`).
 *
 * @module
 */

import { type Bytes, bytesOfHex, hexOf } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type {
  IndexStore,
  LogStore,
  RoundStore,
  SpentStore,
  SthStore,
  SuccessionStore,
  TreeStore,
} from "../../gateway/ports.ts";
import { digestIndexKeys, logKeys, spentIndexKeys } from "./log_keys.ts";
import { FencedKv, type KvHandles } from "./kv_commit.ts";
import { KvIndexStore } from "./kv_index.ts";
import { KvRoundStore, KvSpentStore } from "./kv_rounds.ts";
import { KvSuccessionStore } from "./kv_successions.ts";
import { KvSthStore, KvTreeStore } from "./kv_tree.ts";
import type { StoreEngine, StoreFence } from "../store_engine.ts";
import { storeFault } from "../store_fault.ts";
import {
  AcceptedMark,
  checkMeta,
  FORMAT_VERSION,
  META_KEY,
  openMeta,
  type StoreMeta,
  unmarked,
} from "../store_meta.ts";

export const INDEX_KEY_LENGTH = 8;

export interface LogMeta extends StoreMeta {
  /** Hex. Secret, since clients choose the indexed hashes. */
  readonly index_key: string;
}

/** An open engine with the log of one network. */
export interface LogEngine {
  readonly handles: KvHandles;
  readonly fence: StoreFence;
  /** Rejects with `storage_failed` when the open file was deleted or replaced. */
  readonly checkFile?: () => Promise<void>;
  /** Whether other threads can read the store. */
  readonly allowsReaders: boolean;
}

/** {@linkcode LogStore} on an engine. */
export class KvLogStore implements LogStore {
  readonly rounds: RoundStore;
  readonly tree: TreeStore;
  readonly sths: SthStore;
  readonly successions: SuccessionStore;
  readonly index: IndexStore;
  readonly spent: SpentStore;
  readonly spentIndex: IndexStore;
  readonly #kv: FencedKv;
  readonly #engine: LogEngine;
  #meta: LogMeta;

  /** `meta` is the result of {@linkcode openLogMeta}. */
  constructor(engine: LogEngine, meta: LogMeta) {
    const indexKey = indexKeyOf(meta);
    const kv = new FencedKv(engine.handles, engine.fence);
    this.#kv = kv;
    this.#engine = engine;
    this.#meta = meta;
    this.rounds = new KvRoundStore(kv);
    this.tree = new KvTreeStore(kv);
    this.sths = new KvSthStore(kv);
    this.successions = new KvSuccessionStore(kv);
    this.index = new KvIndexStore(kv, digestIndexKeys, indexKey);
    this.spent = new KvSpentStore(kv.reads);
    this.spentIndex = new KvIndexStore(kv, spentIndexKeys, indexKey);
  }

  /** Whether other threads can read the store (`read_only_log.ts`). */
  get allowsReaders(): boolean {
    return this.#engine.allowsReaders;
  }

  async takeFence(): Promise<void> {
    await this.#kv.takeFence();
    if (this.#meta.mark === undefined) return;
    const meta = unmarked(this.#meta);
    const outcome = await this.#kv.commit((operation) => operation.set(META_KEY, meta));
    // This commit checks only the fence.
    if (outcome !== "stored") throw storeFault("write", new Error("the mark could not be removed"));
    this.#meta = meta;
  }

  checkFence(): Promise<void> {
    return this.#kv.checkFence();
  }

  async checkFile(): Promise<void> {
    await this.#engine.checkFile?.();
  }

  close(): void {
    this.#kv.close();
  }
}

/**
 * The record of the store in `engine`, which is created if it is empty. Rejects with `network_changed` for
 * a store of another network (`networkDigest`), `format_unsupported` for a newer format, and
 * `store_corrupt` for a damaged one. Opens a store whose log was moved elsewhere if `accepted` accepts its
 * mark; taking the fence then removes the mark.
 */
export async function openLogMeta(
  engine: Pick<StoreEngine, "get" | "atomic">,
  networkDigest: string,
  accepted: AcceptedMark = new AcceptedMark(false),
): Promise<LogMeta> {
  await requireEmptyWithoutMeta(engine);
  const stored = await openMeta<LogMeta>(engine, {
    format_version: FORMAT_VERSION,
    index_key: hexOf(crypto.getRandomValues(new Uint8Array(INDEX_KEY_LENGTH))),
    network: networkDigest,
  });
  checkMeta(accepted.accepts(stored.mark) ? unmarked(stored) : stored, networkDigest);
  indexKeyOf(stored);
  return stored;
}

/** A new index key would find none of the stored digests. */
async function requireEmptyWithoutMeta(engine: Pick<StoreEngine, "get">): Promise<void> {
  if ((await engine.get(META_KEY)).value !== null) return;
  if ((await engine.get(logKeys.intake(0))).value === null) return;
  throw new CountersignError(
    "store_corrupt",
    "Cannot open store: it has digests, but its record of format, index key and network is missing",
  );
}

function indexKeyOf({ index_key: text }: LogMeta): Bytes {
  const key = bytesOfHex(text, INDEX_KEY_LENGTH);
  if (key !== undefined) return key;
  throw new CountersignError(
    "store_corrupt",
    "Cannot open store: its index key is not 8 bytes of hex",
  );
}
