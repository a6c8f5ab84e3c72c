/**
 * Locks a data folder.
 *
 * @module
 */

import { CountersignError, hasCode } from "../errors.ts";
import { acquireLock, type LockFile } from "../storage/lock_file.ts";
import { lockFile } from "./data_paths.ts";

/** Locks `dataFolder` for this process. `data_in_use`; `file_failed` if it is read-only. */
export async function lockData(dataFolder: string): Promise<LockFile> {
  try {
    return await acquireLock(lockFile(dataFolder));
  } catch (error) {
    if (!hasCode(error, "file_failed")) throw error;
    throw new CountersignError(
      "file_failed",
      `${error.message}. A gateway needs a data folder that it can write to; ` +
        "to check a read-only folder, run countersign fsck --data",
      { cause: error },
    );
  }
}
