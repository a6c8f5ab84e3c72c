/**
 * Gives back the space of write-ahead files. SQLite cannot reuse `<file>-wal` while another program
 * reads the database, for example a backup. Once the reader has ended SQLite reuses the file and
 * leaves its length as it is.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../clock.ts";
import { checkStoreFile, type StoreFile, storeFileAt } from "./store_place.ts";

/** A write-ahead file longer than this is truncated. Without long readers it stays below 8 MiB. */
export const MAX_WAL_BYTES = 64 * 2 ** 20;
const LOOK_MS = 30_000;
/** The header of a write-ahead file, and where it counts how often SQLite began it anew. */
const HEADER_LENGTH = 32;
const RESTARTS_OFFSET = 12;

/** The write-ahead file of one database that this process has open. */
export class WalFile {
  readonly #path: string;
  readonly #opened: StoreFile;
  readonly #maxBytes: number;
  /** Restarts at the first look that found the file too long. */
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
   * Truncates the file if it is too long and SQLite has begun it anew since it became so: then all
   * but its newest frames are in the database, and little is left to copy. Does nothing while a
   * reader or a writer is at work, so call it again. Returns whether it truncated.
   */
  async shrink(): Promise<boolean> {
    const restarts = await this.#restartsIfTooLong();
    if (restarts === undefined || this.#restarts === undefined) {
      this.#restarts = restarts;
      return false;
    }
    if (restarts === this.#restarts) return false;
    // SQLite would make a database that is missing, and open another one at the path.
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
 * Keeps the write-ahead files of the databases at `paths` short until `stop`, which must come before
 * the databases are closed. Leaves out a database that is missing.
 */
export function keepWalFilesShort(
  paths: readonly string[],
  clock: Clock,
): { readonly stop: () => Promise<void> } {
  const stop = new AbortController();
  const running = Promise.all(paths.map((path) => keepShort(path, clock, stop.signal)));
  return {
    async stop() {
      stop.abort();
      await running;
    },
  };
}

async function keepShort(path: string, clock: Clock, signal: AbortSignal): Promise<void> {
  const file = await WalFile.of(path).catch(() => undefined);
  if (file === undefined) return;
  while (!signal.aborted) {
    await clock.sleep(LOOK_MS, signal);
    if (signal.aborted) return;
    // A file that stays long costs only space, and commits report a store that fails.
    await file.shrink().catch(() => {});
  }
}
