/**
 * The log's store: one SQLite file, written through Deno KV and read through SQLite.
 *
 * @module
 */

import { type Bytes, bytesOfHex, hexOf } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type {
  IndexStore,
  LogStore,
  RoundStore,
  SpentStore,
  SthStore,
  TreeStore,
} from "../../gateway/ports.ts";
import { digestIndexKeys, logKeys, spentIndexKeys } from "./log_keys.ts";
import { FencedKv, type KvHandles } from "./kv_commit.ts";
import { KvIndexStore } from "./kv_index.ts";
import { KvRoundStore, KvSpentStore } from "./kv_rounds.ts";
import { KvSthStore, KvTreeStore } from "./kv_tree.ts";
import { storeFault } from "../store_fault.ts";
import {
  checkLocation,
  checkStoreFile,
  checkWalFile,
  locationOf,
  type StoreFile,
  storeFileAt,
  walFileAt,
} from "./store_location.ts";
import { openReads } from "../sqlite_reads.ts";
import { openStoreKv } from "../store_kv.ts";
import { checkMeta, META_KEY, openMeta, type StoreMeta } from "../store_meta.ts";

/**
 * The format that this program writes. It is raised with each new key, record version or meaning that
 * an older program would misread or report as damage:
 *
 *     1   has rounds of versions 1 to 4, tree heads of versions 1 and 2, and spent rows, although the
 *         first programs knew only versions 1
 *     2   the same records; programs that know only some of them fail with `format_unsupported`
 *
 * Earlier formats are read as they are. Taking the fence raises the format before anything else is
 * written.
 */
export const FORMAT_VERSION = 2;
export const INDEX_KEY_LENGTH = 8;

export interface LogMeta extends StoreMeta {
  /** Hex. Secret, since clients choose the indexed hashes. */
  readonly index_key: string;
}

interface OpenedFile {
  readonly path: string;
  readonly file: StoreFile;
  /** Its write-ahead file, once it exists. */
  wal: StoreFile | undefined;
}

/** How to check a store's location. */
export interface LocationCheck {
  /** The operator confirms that the original is stopped for good: accepts and stores a new location. */
  readonly moved: boolean;
}

/** {@linkcode LogStore} on Deno KV. */
export class KvLogStore implements LogStore {
  readonly rounds: RoundStore;
  readonly tree: TreeStore;
  readonly sths: SthStore;
  readonly index: IndexStore;
  readonly spent: SpentStore;
  readonly spentIndex: IndexStore;
  readonly #kv: FencedKv;
  readonly #opened: OpenedFile | undefined;
  #meta: LogMeta;

  /** `opened` is absent for a store in memory. */
  constructor(kv: FencedKv, meta: LogMeta, indexKey: Bytes, opened: OpenedFile | undefined) {
    this.#kv = kv;
    this.#meta = meta;
    this.#opened = opened;
    this.rounds = new KvRoundStore(kv);
    this.tree = new KvTreeStore(kv);
    this.sths = new KvSthStore(kv);
    this.index = new KvIndexStore(kv, digestIndexKeys, indexKey);
    this.spent = new KvSpentStore(kv.reads);
    this.spentIndex = new KvIndexStore(kv, spentIndexKeys, indexKey);
  }

  /**
   * Whether other threads can read the file (`read_only_log.ts`): false for a store in memory, and for a
   * file with an unknown layout, which is read through Deno KV.
   */
  get allowsReaders(): boolean {
    return this.#kv.reads !== this.#kv.handles.writes;
  }

  async takeFence(): Promise<void> {
    await this.#kv.takeFence();
    if (this.#meta.format_version === FORMAT_VERSION) return;
    const raised: LogMeta = { ...this.#meta, format_version: FORMAT_VERSION };
    const outcome = await this.#kv.commit((operation) => operation.set(META_KEY, raised));
    // This commit checks only the fence.
    if (outcome !== "stored") {
      throw storeFault("write", new Error("the format could not be raised"));
    }
    this.#meta = raised;
  }

  checkFence(): Promise<void> {
    return this.#kv.checkFence();
  }

  async checkFile(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined) return;
    await checkStoreFile(opened.path, opened.file);
    if (opened.wal === undefined) opened.wal = await walFileAt(opened.path);
    else await checkWalFile(opened.path, opened.wal);
  }

  close(): void {
    this.#kv.close();
  }
}

/**
 * Opens the store at `path`, or creates it. Rejects with `network_changed` for a store of another
 * network (`networkDigest`), `format_unsupported` for a newer format, `store_corrupt` for a damaged one,
 * and `file_failed` when the path has no store and none can be created. With `locationCheck`, rejects
 * with `store_copied` when the store was last used elsewhere, and stores the location with the fence.
 */
export async function openKvLogStore(
  path: string,
  networkDigest: string,
  locationCheck?: LocationCheck,
): Promise<KvLogStore> {
  const writes = await openStoreKv(path);
  let handles: KvHandles = { writes, reads: writes };
  try {
    const meta = await openMeta<LogMeta>(writes, {
      format_version: FORMAT_VERSION,
      index_key: hexOf(crypto.getRandomValues(new Uint8Array(INDEX_KEY_LENGTH))),
      network: networkDigest,
    });
    checkMeta(meta, networkDigest, FORMAT_VERSION);
    const indexKey = bytesOfHex(meta.index_key, INDEX_KEY_LENGTH);
    if (indexKey === undefined) {
      throw new CountersignError(
        "store_corrupt",
        "Cannot open store: its index key is not 8 bytes of hex",
      );
    }
    // An in-memory store belongs to one handle, so reads and writes share it.
    if (path === ":memory:") {
      return new KvLogStore(new FencedKv(handles), meta, indexKey, undefined);
    }
    const location = locationCheck && await locationOf(path);
    if (location !== undefined && !locationCheck?.moved) {
      checkLocation(path, (await writes.get(logKeys.location())).value, location);
    }
    handles = { writes, reads: openReads(path, writes) };
    const opened = { path, file: await storeFileAt(path), wal: await walFileAt(path) };
    return new KvLogStore(new FencedKv(handles, location), meta, indexKey, opened);
  } catch (error) {
    closeHandles(handles);
    throw error;
  }
}

function closeHandles(handles: KvHandles): void {
  if (handles.reads !== handles.writes) handles.reads.close();
  handles.writes.close();
}
