/**
 * Truncates write-ahead files. SQLite cannot reuse `<file>-wal` while another program, for example a
 * backup, reads the database. After that it reuses the file but does not shorten it.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../base/clock.ts";
import { type StoreFile, storeFileAt } from "../store_location.ts";
import { checkStoreFile } from "./store_files.ts";

/** A write-ahead file longer than this is truncated. Without long readers it stays below 8 MiB. */
export const MAX_WAL_BYTES = 64 * 2 ** 20;
const CHECK_MS = 30_000;
/** The header of a write-ahead file, and the offset of its count of restarts. */
const HEADER_LENGTH = 32;
const RESTARTS_OFFSET = 12;

/** The write-ahead file of a database that this process has open. */
export class WalFile {
  readonly #path: string;
  readonly #opened: StoreFile;
  readonly #maxBytes: number;
  /** Restarts at the first check that found the file too long. */
  #restarts: number | undefined;

  private constructor(path: string, opened: StoreFile, maxBytes: number) {
    this.#path = path;
    this.#opened = opened;
    this.#maxBytes = maxBytes;
  }

  static async of(path: string, maxBytes: number = MAX_WAL_BYTES): Promise<WalFile> {
    return new WalFile(path, await storeFileAt(path), maxBytes);
  }

  /**
   * Truncates the file if it is too long and SQLite has restarted it since it became so: all but its
   * newest frames are then in the database, and little is left to copy. Does nothing while a reader or
   * writer is active, so call it periodically. Returns whether it truncated.
   */
  async shrink(): Promise<boolean> {
    const restarts = await this.#restartsIfTooLong();
    if (restarts === undefined || this.#restarts === undefined) {
      this.#restarts = restarts;
      return false;
    }
    if (restarts === this.#restarts) return false;
    // SQLite would create a missing database, or open a different one at the path.
    await checkStoreFile(this.#path, this.#opened);
    using database = new DatabaseSync(this.#path, { timeout: 0 });
    const { busy } = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()!;
    if (busy === 0) this.#restarts = undefined;
    return busy === 0;
  }

  async #restartsIfTooLong(): Promise<number | undefined> {
    try {
      using file = await Deno.open(`${this.#path}-wal`);
      if ((await file.stat()).size <= this.#maxBytes) return undefined;
      const header = new Uint8Array(HEADER_LENGTH);
      if (await file.read(header) !== HEADER_LENGTH) return undefined;
      return new DataView(header.buffer).getUint32(RESTARTS_OFFSET);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return undefined;
      throw error;
    }
  }
}

/**
 * Keeps the write-ahead file of the database at `path` short until `signal` aborts, which must be before
 * the database is closed. Does nothing if the database is missing.
 */
export async function keepWalFileShort(
  path: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const file = await WalFile.of(path).catch(() => undefined);
  if (file === undefined) return;
  while (!signal.aborted) {
    await clock.sleep(CHECK_MS, signal);
    if (signal.aborted) return;
    // A long file only costs space, and commits report a failing store.
    await file.shrink().catch(() => {});
  }
}
