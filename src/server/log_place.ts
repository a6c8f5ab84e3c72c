/**
 * Where the databases of one log are: in a folder of this machine, or in a database by URL.
 *
 * @module
 */

import { join } from "node:path";
import { CountersignError, hasCode } from "../errors.ts";
import { openRemoteKv, type RemoteDatabase } from "../storage/kv_connect.ts";
import { KV_CONNECT_PREFIX, KvConnectStore } from "../storage/kv_connect_store.ts";
import { KvFence } from "../storage/log/kv_fence.ts";
import { logKeys } from "../storage/log/log_keys.ts";
import { checkLocation, locationOf } from "../storage/log/store_location.ts";
import { acquireLock } from "../storage/lock_file.ts";
import type { CopyEnd } from "../storage/store_copy.ts";
import type { StoreEngine } from "../storage/store_engine.ts";
import { openStoreKv } from "../storage/store_kv.ts";
import { META_KEY } from "../storage/store_meta.ts";
import { anchorsFile, lockFile, storeFile } from "./data_paths.ts";
import { exists, makeFolder } from "./files.ts";

/** A folder or a database with the databases of one log. */
export interface LogPlace {
  /** As in messages: without secrets. */
  readonly name: string;
  hasLog(): Promise<boolean>;
  /** Opens the databases for a copy, which `opened` closes. Creates missing ones. */
  openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd>;
  /** Opens an empty database beside those of the log, which `opened` removes. */
  scratch(opened: AsyncDisposableStack): Promise<() => Promise<StoreEngine>>;
}

/** The files of a data folder. */
export class LocalPlace implements LogPlace {
  readonly name: string;
  readonly #store: string;
  readonly #anchors: string;

  constructor(readonly folder: string) {
    this.name = folder;
    this.#store = storeFile(folder);
    this.#anchors = anchorsFile(folder);
  }

  hasLog(): Promise<boolean> {
    return exists(this.#store);
  }

  async openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd> {
    await makeFolder(this.folder);
    const lock = await acquireLock(lockFile(this.folder)).catch((cause) => {
      if (!hasCode(cause, "data_in_use")) throw cause;
      throw new CountersignError(
        "data_in_use",
        `Cannot copy "${this.folder}": a gateway or another copy has it open. Stop it first`,
        { cause },
      );
    });
    opened.defer(() => lock.release());
    const log = await openStoreKv(this.#store);
    opened.defer(() => log.close());
    checkLocation(
      this.#store,
      (await log.get(logKeys.location())).value,
      await locationOf(this.#store),
    );
    const anchors = await openStoreKv(this.#anchors);
    opened.defer(() => anchors.close());
    return { name: this.name, log, anchors, fence: new KvFence(log) };
  }

  async scratch(opened: AsyncDisposableStack): Promise<() => Promise<StoreEngine>> {
    if (!await exists(this.folder)) {
      throw new CountersignError(
        "configuration_missing",
        `Cannot check "${this.folder}": there is no such folder`,
      );
    }
    const path = join(this.folder, `check-${crypto.randomUUID()}.kv`);
    opened.defer(async () => {
      for (const suffix of ["", "-wal", "-shm"]) await Deno.remove(path + suffix).catch(() => {});
    });
    return () => openStoreKv(path);
  }
}

/** A database by URL, which may have records of others as well. */
export class RemotePlace implements LogPlace {
  readonly name: string;

  constructor(readonly database: RemoteDatabase) {
    this.name = database.url;
  }

  async hasLog(): Promise<boolean> {
    const store = await KvConnectStore.open(this.database);
    try {
      return (await store.engine("log").get(META_KEY)).value !== null;
    } finally {
      store.close();
    }
  }

  async openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd> {
    const store = await KvConnectStore.open(this.database);
    opened.defer(() => store.close());
    const [log, anchors] = [store.engine("log"), store.engine("anchors")];
    return { name: this.name, log, anchors, fence: store.fence };
  }

  async scratch(opened: AsyncDisposableStack): Promise<() => Promise<StoreEngine>> {
    const prefix = [KV_CONNECT_PREFIX, "check", crypto.randomUUID()];
    const open = () => openRemoteKv(this.database, prefix);
    // A store that cannot be opened has nothing to remove.
    (await open()).close();
    opened.defer(async () => {
      const engine = await open();
      for (let isEmpty = false; !isEmpty;) {
        const commit = engine.atomic();
        isEmpty = true;
        for await (const { key } of engine.list({ prefix: [] }, { limit: 500, batchSize: 500 })) {
          commit.delete(key);
          isEmpty = false;
        }
        await commit.commit();
      }
      engine.close();
    });
    return open;
  }
}
