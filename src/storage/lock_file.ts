/**
 * A lock held on a file, which keeps a second process off the same data. The operating system gives
 * it up when the process ends, however it ends.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { plainReason, reasonOf } from "./store_fault.ts";

/** An exclusive lock, from {@linkcode acquireLock} until `release`. */
export interface LockFile {
  release(): void;
}

/**
 * Locks the file at `path`, which is made when it is not there and never removed: a lock on a file
 * that others can no longer find keeps nobody out. `data_in_use` when another holds it, `file_failed`
 * when it cannot be made.
 */
export async function acquireLock(path: string): Promise<LockFile> {
  const file = await openLockFile(path);
  let locked = false;
  try {
    locked = await file.tryLock(true);
  } finally {
    if (!locked) file.close();
  }
  if (!locked) {
    throw new CountersignError(
      "data_in_use",
      `Cannot lock "${path}": a file that no other process holds required, found one in use`,
    );
  }
  return { release: () => file.close() };
}

/**
 * Locks the file at `path` as {@linkcode acquireLock} does, once whoever holds it gives it up: for what
 * is held for some milliseconds.
 */
export async function awaitLock(path: string): Promise<LockFile> {
  const file = await openLockFile(path);
  await file.lock(true);
  return { release: () => file.close() };
}

async function openLockFile(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path, { create: true, write: true, mode: 0o600 });
  } catch (cause) {
    throw new CountersignError(
      "file_failed",
      `Cannot lock "${path}": a writable file required, found ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
}
