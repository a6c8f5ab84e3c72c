/**
 * Checks a database before Deno KV opens it. After opening, Deno KV reads tables of its own and searches
 * for expired rows in the background, and panics when these are damaged.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { CountersignError } from "../base/errors.ts";
import { reasonOf } from "./store_fault.ts";

/** The tables that Deno KV reads in the background. All stay small. */
const OWN_TABLES = ["migration_state", "data_version", "queue", "queue_running"];
/** SQLITE_IOERR: the lowest byte of its extended codes (sqlite.org/rescode.html). */
const IO_ERROR = 10;
/**
 * SQLITE_BUSY, SQLITE_PROTOCOL, and SQLITE_IOERR of locks: CHECKRESERVEDLOCK, LOCK, RDLOCK, UNLOCK.
 * Deno KV retries after these errors for ever, and blocks this thread while it opens a file.
 */
const LOCK_ERRORS: readonly unknown[] = [5, 15, 3594, 3850, 2314, 2058];
/** SQLITE_IOERR_SHMSIZE: the disk has no room for `<file>-shm`. */
const NO_ROOM = 4874;
/** How long another program may hold a lock before the database counts as locked. */
const LOCK_WAIT_MS = 5_000;

/** Creates the file at `path` for its owner only if it is missing, then probes it. */
export async function prepareDatabase(path: string): Promise<void> {
  (await Deno.open(path, { create: true, write: true, mode: 0o600 })).close();
  probeDatabase(path);
}

/**
 * Reads Deno KV's own tables in the file at `path`: `store_corrupt` when they are damaged,
 * `storage_failed` when the file cannot be locked or read, or its disk is full. Opening the file
 * reports all other faults. Do not call it while this process has the file open: closing any handle on
 * a file releases the process's POSIX locks on it.
 */
export function probeDatabase(path: string): void {
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_WAIT_MS });
    for (const table of OWN_TABLES) {
      // Includes their indexes. Damage is a result here, not an error.
      const results = database.prepare(`PRAGMA integrity_check(${table})`).all();
      const found = results.map((row) => String(row["integrity_check"])).join(", ");
      if (found !== "ok") throw new Error(`${found}: database disk image is malformed`);
    }
    // Reads the same index as the search for expired rows.
    database.prepare("SELECT count(*) FROM kv WHERE expiration_ms >= 0").all();
  } catch (cause) {
    const found = reasonOf(cause);
    const { errcode } = cause as { errcode?: unknown };
    if (errcode === NO_ROOM) {
      throw new CountersignError(
        "storage_failed",
        `Cannot open "${path}": disk full, no room for "${path}-shm", which SQLite maps into ` +
          `memory ("${found}"). Free some space, and start again`,
        { cause },
      );
    }
    if (LOCK_ERRORS.includes(errcode)) {
      throw new CountersignError(
        "storage_failed",
        `Cannot open "${path}": another program holds a lock on it, or the file system refuses ` +
          `locks ("${found}"). End that program, or move the data to a local disk`,
        { cause },
      );
    }
    if (!found.includes("malformed")) return;
    if (isIoError(found)) {
      throw new CountersignError(
        "storage_failed",
        `Cannot read "${path}": I/O error of the disk ("${found}"). ` +
          "Repair the disk first, then check the store with countersign fsck --data",
        { cause },
      );
    }
    throw new CountersignError(
      "store_corrupt",
      `Cannot open "${path}": the database is damaged ("${found}")`,
      { cause },
    );
  }
}

/** Whether `integrity_check` reports an I/O error, not damaged content. */
function isIoError(found: string): boolean {
  const code = /error code=(\d+)/.exec(found)?.[1];
  return code !== undefined && (Number(code) & 0xff) === IO_ERROR;
}
