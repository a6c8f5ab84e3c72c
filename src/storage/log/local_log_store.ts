/**
 * The log's store in one SQLite file, written through Deno KV and read through SQLite.
 *
 * @module
 */

import { openReads } from "../sqlite_reads.ts";
import { openStoreKv } from "../store_kv.ts";
import {
  checkLocation,
  type Copied,
  type LocationCheck,
  locationOf,
  storeFileAt,
} from "../store_location.ts";
import type { KvHandles } from "./kv_commit.ts";
import { KvFence } from "./kv_fence.ts";
import { KvLogStore, openLogMeta } from "./kv_log_store.ts";
import { logKeys } from "./log_keys.ts";
import { AcceptedMark } from "../store_meta.ts";
import { checkStoreFile, checkWalFile, walFileAt } from "./store_files.ts";

/** What a copied folder of a gateway is, to the operator. */
export const COPIED_STORE: Copied = {
  name: "store",
  danger: "Two gateways over copies of one store fork its log",
};

/**
 * Opens the store at `path`, or creates it. Rejects like `openLogMeta`, and with `file_failed` when the
 * path has no store and none can be created. With `locationCheck`, rejects with `store_copied` when the
 * store was last used elsewhere, and stores the location with the fence.
 */
export async function openKvLogStore(
  path: string,
  networkDigest: string,
  locationCheck?: LocationCheck,
): Promise<KvLogStore> {
  const writes = await openStoreKv(path);
  let handles: KvHandles = { writes, reads: writes };
  try {
    const meta = await openLogMeta(
      writes,
      networkDigest,
      new AcceptedMark(locationCheck?.moved ?? false),
    );
    // An in-memory store belongs to one handle, so reads and writes share it.
    if (path === ":memory:") {
      return new KvLogStore({ handles, fence: new KvFence(writes), allowsReaders: false }, meta);
    }
    const location = locationCheck && await locationOf(path);
    if (location !== undefined && !locationCheck?.moved) {
      checkLocation(path, COPIED_STORE, (await writes.get(logKeys.location())).value, location);
    }
    const reads = openReads(path, writes);
    handles = { writes, reads };
    const fence = new KvFence(writes, (commit) => {
      if (location !== undefined) commit.set(logKeys.location(), location);
    });
    const checkFile = await fileCheck(path);
    // A file with an unknown layout is read through Deno KV, by this thread alone.
    return new KvLogStore({ handles, fence, checkFile, allowsReaders: reads !== writes }, meta);
  } catch (error) {
    if (handles.reads !== handles.writes) handles.reads.close();
    handles.writes.close();
    throw error;
  }
}

/** A check that the file at `path` and its write-ahead file are those of now. */
async function fileCheck(path: string): Promise<() => Promise<void>> {
  const file = await storeFileAt(path);
  let wal = await walFileAt(path);
  return async () => {
    await checkStoreFile(path, file);
    if (wal === undefined) wal = await walFileAt(path);
    else await checkWalFile(path, wal);
  };
}
