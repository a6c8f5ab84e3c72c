/**
 * A lock between processes of Deno, Node and Bun, for changes that take some milliseconds. Node has no
 * file locks, so the lock is a file that one process creates. A killed process leaves its file; others
 * remove a file that its owner has not renewed for {@linkcode STALE_MS}.
 *
 * A suspended process may lose its lock this way. It has to confirm the lock right before the change
 * takes effect.
 *
 * @module
 */

import { type FileHandle, link, open, readFile, rename, unlink } from "node:fs/promises";
import { SLEEP_OVER, systemClock } from "../base/clock.ts";
import { CountersignError } from "../base/errors.ts";
import { systemCode } from "../base/system_error.ts";
import { textIfExists } from "./replaced_file.ts";
import { plainReason, reasonOf } from "../storage/store_fault.ts";

const STALE_MS = 10_000;
/** Renewals within the time after which a lock is stale. */
const RENEWALS = 5;
const RETRY_MS = 10;

class LockLost extends CountersignError {}

/** Rejects if this process no longer holds the lock. */
export type ConfirmLock = () => Promise<void>;

/**
 * Runs `act` while this process holds the lock file at `path`. Runs it again after `confirm` rejected.
 * `file_failed` when the file cannot be created.
 */
export async function withChangeLock<T>(
  path: string,
  act: (confirm: ConfirmLock) => Promise<T>,
  staleMs = STALE_MS,
): Promise<T> {
  for (;;) {
    const lock = await ChangeLock.acquire(path, staleMs);
    try {
      return await act(() => lock.confirm());
    } catch (error) {
      if (!(error instanceof LockLost)) throw error;
    } finally {
      await lock.release();
    }
  }
}

class ChangeLock {
  readonly #path: string;
  readonly #id = crypto.randomUUID();
  readonly #file: FileHandle;
  readonly #released = new AbortController();
  readonly #renewing: Promise<void>;
  #renewals = 0;

  private constructor(path: string, file: FileHandle, staleMs: number) {
    this.#path = path;
    this.#file = file;
    this.#renewing = this.#renew(staleMs / RENEWALS);
  }

  static async acquire(path: string, staleMs: number): Promise<ChangeLock> {
    let seen: string | undefined;
    let seenAt = 0;
    for (;;) {
      const file = await create(path);
      if (file !== undefined) {
        const lock = new ChangeLock(path, file, staleMs);
        await lock.#write();
        return lock;
      }
      const text = await textIfExists(path);
      const now = performance.now();
      if (text !== seen) {
        seen = text;
        seenAt = now;
      } else if (text !== undefined && now - seenAt >= staleMs) {
        await removeStale(path, text);
      }
      await systemClock.sleep(RETRY_MS * (0.5 + Math.random()));
    }
  }

  async confirm(): Promise<void> {
    if (await this.#isHeld()) return;
    throw new LockLost("data_in_use", `Cannot lock "${this.#path}": another process took it over`);
  }

  async release(): Promise<void> {
    this.#released.abort(SLEEP_OVER);
    await this.#renewing;
    await this.#file.close();
    if (await this.#isHeld()) await unlink(this.#path).catch(() => {});
  }

  async #isHeld(): Promise<boolean> {
    return (await textIfExists(this.#path))?.startsWith(this.#id) ?? false;
  }

  async #renew(intervalMs: number): Promise<void> {
    for (;;) {
      await systemClock.sleep(intervalMs, this.#released.signal);
      if (this.#released.signal.aborted) return;
      await this.#write();
    }
  }

  /** Each text differs from the one before, so that waiting processes see the lock renewed. */
  async #write(): Promise<void> {
    // A lock that cannot be written is not held for `confirm`.
    await this.#file.write(`${this.#id} ${this.#renewals++}`, 0).catch(() => {});
  }
}

/** Creates the file at `path`; `undefined` if it exists. */
async function create(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "wx", 0o600);
  } catch (cause) {
    if (systemCode(cause) === "EEXIST") return undefined;
    throw new CountersignError(
      "file_failed",
      `Cannot lock "${path}": ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
}

/** Removes the lock file with `text`. Puts back the file of a process that locked meanwhile. */
async function removeStale(path: string, text: string): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return; // Another process removed it.
  }
  if (await readFile(aside, "utf8") !== text) await link(aside, path).catch(() => {});
  await unlink(aside);
}
