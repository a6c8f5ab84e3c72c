/**
 * A file lock that keeps a second process from the same data. The operating system releases it when the
 * process ends.
 *
 * @module
 */

import { utf8 } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { plainReason, reasonOf } from "./store_fault.ts";

/** An exclusive lock. */
export interface LockFile {
  release(): void;
}

/** A lock whose file names its holder. */
export interface NamedLock extends LockFile {
  /** Tells processes that want the lock who holds it. */
  name(holder: string): void;
}

/**
 * Locks the file at `path`, and creates it if missing. `data_in_use` when another process holds the lock,
 * `file_failed` when the file cannot be created. The file is never removed: other processes could then
 * lock a new one.
 */
export async function acquireLock(path: string): Promise<NamedLock> {
  const file = await openLockFile(path);
  let locked = false;
  try {
    locked = await file.tryLock(true);
    // Another process has held it before.
    if (locked) await file.truncate();
  } finally {
    if (!locked) file.close();
  }
  if (!locked) throw inUse(path, await Deno.readTextFile(path).catch(() => ""));
  return {
    name: (holder) => attempt(() => file.writeSync(utf8(holder))),
    release() {
      attempt(() => file.truncateSync());
      unlock(file);
    },
  };
}

/**
 * Locks the file at `path` without a change to it; `undefined` if there is none. `data_in_use` when another
 * process holds the lock.
 */
export async function holdLock(path: string): Promise<LockFile | undefined> {
  const file = await Deno.open(path, { read: true }).catch(() => undefined);
  // A file system that has no locks has none that are held.
  if (file === undefined || await file.tryLock(true).catch(() => true)) {
    return file && { release: () => unlock(file) };
  }
  file.close();
  throw inUse(path, "");
}

/** Waits for the lock on the file at `path`, for locks that are held for some milliseconds. */
export async function awaitLock(path: string): Promise<LockFile> {
  const file = await openLockFile(path);
  await file.lock(true);
  return { release: () => unlock(file) };
}

/**
 * Releases the lock and closes the file. To close it is not enough: a child that this process starts at that moment
 * has the file open as well, until its program begins.
 */
function unlock(file: Deno.FsFile): void {
  attempt(() => file.unlockSync());
  file.close();
}

/** Calls `change`, on which the lock does not depend: it may fail. */
function attempt(change: () => void): void {
  try {
    change();
  } catch {
    // The disk may be full or gone, or have no locks.
  }
}

function inUse(path: string, holder: string): CountersignError {
  return new CountersignError(
    "data_in_use",
    `Cannot lock "${path}": ${holder || "another process"} uses it. Stop that process first`,
  );
}

async function openLockFile(path: string): Promise<Deno.FsFile> {
  if (!("Deno" in globalThis)) {
    throw new CountersignError("file_failed", `Cannot lock "${path}": only Deno locks files`);
  }
  try {
    return await Deno.open(path, { create: true, write: true, mode: 0o600 });
  } catch (cause) {
    throw new CountersignError(
      "file_failed",
      `Cannot lock "${path}": ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
}
