/**
 * The files of an open store: a gateway stops writing once one of them is deleted or replaced.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { type StoreFile, storeFileAt } from "../store_location.ts";

/** Rejects with `storage_failed` when the file at `path` is no longer `opened`. */
export async function checkStoreFile(path: string, opened: StoreFile): Promise<void> {
  await checkFile("store", path, opened);
}

/** The write-ahead file of the open store at `path`; `undefined` when there is none. */
export async function walFileAt(path: string): Promise<StoreFile | undefined> {
  return await storeFileAt(`${path}-wal`).catch(() => undefined);
}

/**
 * Rejects with `storage_failed` when the write-ahead file of the store at `path` is no longer `opened`.
 * The last commits are only in this file until SQLite copies them into the store. SQLite deletes it only
 * when the last connection closes.
 */
export async function checkWalFile(path: string, opened: StoreFile): Promise<void> {
  await checkFile("write-ahead file of the store", `${path}-wal`, opened);
}

async function checkFile(what: string, path: string, opened: StoreFile): Promise<void> {
  let now: StoreFile | undefined;
  try {
    now = await storeFileAt(path);
  } catch (error) {
    // Another error of the file system does not show that the file is gone.
    if (!(error instanceof Deno.errors.NotFound)) return;
  }
  const isSame = now?.inode === opened.inode && now?.device === opened.device &&
    now?.created === opened.created;
  if (isSame) return;
  throw new CountersignError(
    "storage_failed",
    `The ${what} "${path}" was ${
      now === undefined ? "deleted" : "replaced"
    } while the gateway runs. ` +
      "Nothing is accepted and no round is signed; reads go on from the open files. Save the open " +
      'files before you stop the gateway: "storage_failed" in docs/operating.md',
  );
}
