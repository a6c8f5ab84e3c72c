/**
 * The files that SQLite makes beside a database that it opens for reading, and leaves there: an empty write-ahead
 * file, and shared memory. The latter has no data: where a killed gateway left one, it may change.
 *
 * @module
 */

import { lockFile } from "../../server/data_paths.ts";
import { exists } from "../../server/files.ts";

/** Disposing removes those that were made since. Databases must be closed before. */
export class SideFiles implements AsyncDisposable {
  readonly #dataFolder: string;
  readonly #hadLock: boolean;
  /** By write-ahead file, the files of a database that were not there. */
  readonly #missing: ReadonlyMap<string, readonly string[]>;

  private constructor(
    dataFolder: string,
    hadLock: boolean,
    missing: ReadonlyMap<string, readonly string[]>,
  ) {
    this.#dataFolder = dataFolder;
    this.#hadLock = hadLock;
    this.#missing = missing;
  }

  /** Those of `databases`, whose data folder is locked if it has a lock file. */
  static async of(dataFolder: string, databases: readonly string[]): Promise<SideFiles> {
    const missing = new Map<string, readonly string[]>();
    for (const path of databases) {
      const [wal, memory] = [`${path}-wal`, `${path}-shm`];
      const there = await Promise.all([exists(wal), exists(memory)]);
      missing.set(wal, [wal, memory].filter((_, index) => !there[index]));
    }
    return new SideFiles(dataFolder, await exists(lockFile(dataFolder)), missing);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A gateway that was started meanwhile on a folder without a lock needs them.
    if (!this.#hadLock && await exists(lockFile(this.#dataFolder))) return;
    for (const [wal, files] of this.#missing) {
      const { size } = await Deno.stat(wal).catch(() => ({ size: 0 }));
      if (size > 0 && files.includes(wal)) continue;
      for (const file of files) await Deno.remove(file).catch(() => {});
    }
  }
}
