/**
 * A look at a database before Deno KV opens it. In the background of opening, Deno KV reads tables of
 * its own and looks for rows that expired, and ends the whole process, with no word of ours, where
 * what it reads is damaged.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { CountersignError } from "../errors.ts";
import { reasonOf } from "./store_fault.ts";

/** The tables that are read unasked; all of them stay small. */
const OWN_TABLES = ["migration_state", "data_version", "queue", "queue_running"];
/** SQLITE_IOERR, the lowest byte of the codes of its kinds (sqlite.org/rescode.html). */
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

/**
 * Reads Deno KV's own tables in the file at `path`; `store_corrupt` when they are damaged,
 * `storage_failed` when the file cannot be locked or read, or its disk is full. Opening the file
 * reports every other fault. Do not call it while
 * this process has the file open: closing any handle on a file gives up the process's POSIX locks on
 * it.
 */
export function probeDatabase(path: string): void {
  try {
    using database = new DatabaseSync(path, { readOnly: true, timeout: LOCK_WAIT_MS });
    for (const table of OWN_TABLES) {
      // With their indexes; damage is a result here, not an error.
      const results = database.prepare(`PRAGMA integrity_check(${table})`).all();
      const found = results.map((row) => String(row["integrity_check"])).join(", ");
      if (found !== "ok") throw new Error(`${found}: database disk image is malformed`);
    }
    // Answered from the index over it, like the search for what has expired.
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
      `Cannot open "${path}": a whole database required, found "${found}"`,
      { cause },
    );
  }
}

/** Whether `integrity_check` reports a fault of the disk, not damaged content. */
function isIoError(found: string): boolean {
  const code = /error code=(\d+)/.exec(found)?.[1];
  return code !== undefined && (Number(code) & 0xff) === IO_ERROR;
}
