/**
 * Where the databases of one log are: in a folder of this machine, or in PostgreSQL (`database_place.ts`).
 *
 * @module
 */

import { CountersignError, hasCode } from "../errors.ts";
import { KvFence } from "../storage/log/kv_fence.ts";
import { logKeys } from "../storage/log/log_keys.ts";
import { checkLocation, locationOf } from "../storage/log/store_location.ts";
import { acquireLock } from "../storage/lock_file.ts";
import type { CopyEnd } from "../storage/store_copy.ts";
import { openStoreKv } from "../storage/store_kv.ts";
import { anchorsFile, lockFile, storeFile } from "./data_paths.ts";
import { exists, makeFolder } from "./files.ts";

/** A folder or a database with the databases of one log. */
export interface LogPlace {
  /** As in messages: without secrets. */
  readonly name: string;
  hasLog(): Promise<boolean>;
  /** Opens the databases for a copy, which `opened` closes. Creates missing ones. */
  openCopyEnd(opened: AsyncDisposableStack): Promise<CopyEnd>;
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
}
