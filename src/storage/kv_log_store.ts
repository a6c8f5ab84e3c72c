/**
 * The log's store on Deno KV: one SQLite file, written through Deno KV and read beside it.
 *
 * @module
 */

import { type Bytes, bytesOfHex, hexOf } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { IndexStore, LogStore, RoundStore, SthStore, TreeStore } from "../gateway/ports.ts";
import type { SpentStore } from "../gateway/spent_ports.ts";
import { digestIndexKeys, logKeys, spentIndexKeys } from "./keys.ts";
import { FencedKv, type KvHandles } from "./kv_commit.ts";
import { KvIndexStore } from "./kv_index.ts";
import { KvRoundStore } from "./kv_rounds.ts";
import { KvSpentStore } from "./kv_spent.ts";
import { KvSthStore } from "./kv_sths.ts";
import { KvTreeStore } from "./kv_tree.ts";
import { storeFault } from "./store_fault.ts";
import {
  checkPlace,
  checkStoreFile,
  checkWalFile,
  placeOf,
  type StoreFile,
  storeFileAt,
  walFileAt,
} from "./store_place.ts";
import { openReads } from "./sqlite_reads.ts";
import { openStoreKv, type StoreKv } from "./store_kv.ts";

/**
 * The format that this program writes. It is raised with each new key, record version or meaning that
 * an older program would misread or call damage:
 *
 *     1   every program up to the one that introduced 2. Its stores may hold rounds of versions 1 to 4,
 *         tree heads of versions 1 and 2, and spent tokens, though the first programs knew only
 *         version 1 of either
 *     2   the same records; a program that knows only some of them says `format_unsupported`
 *
 * A store of an earlier format is read as it is. Taking its fence raises it, before anything else is
 * written.
 */
export const FORMAT_VERSION = 2;
const FIRST_FORMAT_VERSION = 1;
export const INDEX_KEY_LENGTH = 8;

/** What the store says of itself. */
export interface Meta {
  readonly format_version: number;
  /** Hex; secret, since clients choose the hashes that are indexed. */
  readonly index_key: string;
  /** Digest of the network's id, keys and threshold. */
  readonly network: string;
}

/** The file of an open store. */
interface OpenedFile {
  readonly path: string;
  readonly file: StoreFile;
  /** Its write-ahead file, once SQLite has made it. */
  wal: StoreFile | undefined;
}

/** How a store's place is checked. */
export interface PlaceCheck {
  /** The operator vouches that the original is stopped for good: another place is recorded. */
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
  #meta: Meta;

  /** `opened` is absent for a store in memory. */
  constructor(kv: FencedKv, meta: Meta, indexKey: Bytes, opened: OpenedFile | undefined) {
    this.#kv = kv;
    this.#meta = meta;
    this.#opened = opened;
    this.rounds = new KvRoundStore(kv);
    this.tree = new KvTreeStore(kv);
    this.sths = new KvSthStore(kv);
    this.index = new KvIndexStore(kv, digestIndexKeys, indexKey);
    this.spent = new KvSpentStore(kv);
    this.spentIndex = new KvIndexStore(kv, spentIndexKeys, indexKey);
  }

  async takeFence(): Promise<void> {
    await this.#kv.takeFence();
    if (this.#meta.format_version === FORMAT_VERSION) return;
    const raised: Meta = { ...this.#meta, format_version: FORMAT_VERSION };
    const outcome = await this.#kv.commit((operation) => operation.set(logKeys.meta(), raised));
    // This commit checks only the fence, so only the fence can be in conflict.
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
 * Opens the store at `path`, or makes it. `networkDigest` names the network (id, keys, threshold)
 * that it belongs to: a store of another is refused with `network_changed`, one of a newer format
 * with `format_unsupported`, a damaged one with `store_corrupt`, and a path that holds and takes no
 * store with `file_failed`. With `placeCheck`, a store that was last used at another place is refused
 * with `store_copied`, and the place is recorded with the fence.
 */
export async function openKvLogStore(
  path: string,
  networkDigest: string,
  placeCheck?: PlaceCheck,
): Promise<KvLogStore> {
  const writes = await openStoreKv(path);
  let handles: KvHandles = { writes, reads: writes };
  try {
    const meta = await readOrCreateMeta(writes, networkDigest);
    checkMeta(meta, networkDigest, FORMAT_VERSION);
    const indexKey = bytesOfHex(meta.index_key, INDEX_KEY_LENGTH);
    if (indexKey === undefined) throw corrupt("the index key is not 8 bytes of hex");
    // An in-memory store is one per handle: there reads and writes must share it.
    if (path === ":memory:") {
      return new KvLogStore(new FencedKv(handles), meta, indexKey, undefined);
    }
    const place = placeCheck && await placeOf(path);
    if (place !== undefined && !placeCheck?.moved) {
      checkPlace(path, (await writes.get(logKeys.place())).value, place);
    }
    handles = { writes, reads: await openReads(path, writes) };
    const opened = { path, file: await storeFileAt(path), wal: await walFileAt(path) };
    return new KvLogStore(new FencedKv(handles, place), meta, indexKey, opened);
  } catch (error) {
    closeHandles(handles);
    throw error;
  }
}

async function readOrCreateMeta(kv: StoreKv, networkDigest: string): Promise<Meta> {
  const entry = await kv.get<Meta>(logKeys.meta());
  if (entry.value !== null) return entry.value;
  const meta: Meta = {
    format_version: FORMAT_VERSION,
    index_key: hexOf(crypto.getRandomValues(new Uint8Array(INDEX_KEY_LENGTH))),
    network: networkDigest,
  };
  try {
    await kv.atomic().check(entry).set(logKeys.meta(), meta).commit();
  } catch (cause) {
    throw storeFault("write", cause);
  }
  // Whichever of two makers came first made it.
  return (await kv.get<Meta>(logKeys.meta())).value ?? meta;
}

/** Refuses a store of a format above `latest`, `format_unsupported`, or another network, `network_changed`. */
export function checkMeta(
  { format_version: version, network }: Pick<Meta, "format_version" | "network">,
  networkDigest: string,
  latest: number,
): void {
  if (!Number.isInteger(version) || version < FIRST_FORMAT_VERSION || version > latest) {
    throw new CountersignError(
      "format_unsupported",
      `Cannot open store: this program reads format versions ${FIRST_FORMAT_VERSION} to ${latest}, ` +
        `the store has ${version}. Use the program that wrote it, or a later one`,
    );
  }
  if (network !== networkDigest) {
    throw new CountersignError(
      "network_changed",
      "Cannot open store: the network that it was made for required, " +
        "found another id, threshold, log key or witness key",
    );
  }
}

function closeHandles(handles: KvHandles): void {
  if (handles.reads !== handles.writes) handles.reads.close();
  handles.writes.close();
}

function corrupt(found: string): CountersignError {
  return new CountersignError(
    "store_corrupt",
    `Cannot open store: a whole record required, ${found}`,
  );
}
