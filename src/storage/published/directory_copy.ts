/**
 * A copy of a log in a folder, for any file server. A file is written under `.tmp/`, synced, and then
 * linked to its path, so a reader never finds half of one. Publishers that share the folder take a lock
 * to replace the checkpoint.
 *
 *     checkpoint
 *     tile/<level>/<index>, tile/entries/<index>
 *     succession/<epoch>.json       the link that ended an epoch
 *     evidence/<16 hex>.json        two histories of the log
 *     .tmp/                         files that are being written, and the lock
 *
 * @module
 */

import { dirname, join } from "node:path";
import { type Bytes, textOf, utf8 } from "../../base/bytes.ts";
import type { Clock } from "../../base/clock.ts";
import { readFile } from "node:fs/promises";
import { CountersignError, tryParse } from "../../base/errors.ts";
import { systemCode, systemProblem } from "../../base/system_error.ts";
import {
  CHECKPOINT_PATH,
  type CopyPageFile,
  type CopyTarget,
  type PageTarget,
  type StoredCheckpoint,
} from "../../logs/publishing/ports.ts";
import { awaitLock } from "../lock_file.ts";
import { plainReason, reasonOf } from "../store_fault.ts";

const TEMPORARY_FOLDER = ".tmp";
/** Files under `.tmp/` that are older were left by a process that ended. */
const STALE_MS = 3_600_000;
const FILE_MODE = 0o644;
const FOLDER_MODE = 0o755;

/** A copy of a log in a folder. */
export class DirectoryCopy implements PageTarget {
  readonly name: string;
  readonly #root: string;
  /** Folders that exist. */
  readonly #folders = new Set<string>();
  /** Folders with entries that are not durable. */
  readonly #unsynced = new Set<string>();

  private constructor(root: string) {
    this.name = root;
    this.#root = root;
  }

  /** Reads the copy in folder `root`, an absolute path. */
  static reading(root: string): Pick<CopyTarget, "name" | "checkpoint" | "read"> {
    return new DirectoryCopy(root);
  }

  /** Opens the copy in folder `root`, an absolute path, and creates it if it is missing. */
  static async open(root: string, clock: Clock): Promise<DirectoryCopy> {
    const copy = new DirectoryCopy(root);
    await copy.#makeFolder(TEMPORARY_FOLDER);
    await copy.#removeStale(clock.nowMs());
    return copy;
  }

  async checkpoint(): Promise<StoredCheckpoint | undefined> {
    const bytes = await this.read(CHECKPOINT_PATH);
    if (bytes === undefined) return undefined;
    const text = tryParse(() => textOf(bytes));
    if (text === undefined) {
      const path = this.#path(CHECKPOINT_PATH);
      const reason = "it is damaged (not UTF-8). Move it away, and run the command again";
      throw new CountersignError("file_failed", `Cannot read "${path}": ${reason}`);
    }
    return { text, version: text };
  }

  async replaceCheckpoint(expected: StoredCheckpoint | undefined, text: string): Promise<boolean> {
    const lock = await awaitLock(this.#path(`${TEMPORARY_FOLDER}/lock`));
    try {
      const found = await this.checkpoint();
      if (found?.text === text) return true;
      if (found?.text !== expected?.text) return false;
      await this.#replace(CHECKPOINT_PATH, utf8(text));
      return true;
    } finally {
      lock.release();
    }
  }

  async read(path: string): Promise<Bytes | undefined> {
    try {
      return new Uint8Array(await readFile(this.#path(path)));
    } catch (cause) {
      const code = systemCode(cause);
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw failed("read", this.#path(path), cause);
    }
  }

  async putNew(path: string, bytes: Bytes): Promise<boolean> {
    await this.#makeFolder(dirname(path));
    // Also if the file exists: its writer may have ended before its folder was durable.
    for (let folder = dirname(path);; folder = dirname(folder)) {
      this.#unsynced.add(this.#path(folder));
      if (folder === ".") break;
    }
    let isNew = true;
    await this.#withNewFile(path, bytes, async (temporary) => {
      try {
        await Deno.link(temporary, this.#path(path));
      } catch (cause) {
        if (!(cause instanceof Deno.errors.AlreadyExists)) throw cause;
        isNew = false;
      }
      await Deno.remove(temporary);
    });
    return isNew;
  }

  async putPage(path: string, { bytes }: CopyPageFile): Promise<void> {
    await this.#makeFolder(dirname(path));
    await this.#replace(path, bytes);
  }

  async #replace(path: string, bytes: Bytes): Promise<void> {
    await this.#withNewFile(path, bytes, async (temporary) => {
      await Deno.rename(temporary, this.#path(path));
    });
    this.#unsynced.add(this.#path(dirname(path)));
    await this.sync();
  }

  async sync(): Promise<void> {
    const folders = [...this.#unsynced];
    this.#unsynced.clear();
    // Windows opens no folders.
    if (Deno.build.os === "windows") return;
    for (const [i, folder] of folders.entries()) {
      try {
        using opened = await Deno.open(folder);
        await opened.sync();
      } catch (cause) {
        // Another publisher has removed these partial tiles.
        if (cause instanceof Deno.errors.NotFound && folder.endsWith(".p")) continue;
        for (const left of folders.slice(i)) this.#unsynced.add(left);
        throw failed("sync", folder, cause);
      }
    }
  }

  async removePartials(path: string): Promise<void> {
    const folder = this.#path(`${path}.p`);
    this.#folders.delete(folder);
    try {
      await Deno.remove(folder, { recursive: true });
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw failed("remove", folder, cause);
    }
  }

  /** Writes and syncs a temporary file, which `place` puts at its path. */
  async #withNewFile(
    path: string,
    bytes: Bytes,
    place: (temporary: string) => Promise<void>,
  ): Promise<void> {
    const temporary = this.#path(`${TEMPORARY_FOLDER}/${crypto.randomUUID()}`);
    try {
      using file = await Deno.open(temporary, { createNew: true, write: true, mode: FILE_MODE });
      for (let rest = bytes; rest.length > 0;) rest = rest.subarray(await file.write(rest));
      await file.syncData();
      await place(temporary);
    } catch (cause) {
      await Deno.remove(temporary).catch(() => {});
      throw failed("write", this.#path(path), cause);
    }
  }

  async #makeFolder(path: string): Promise<void> {
    const folder = this.#path(path);
    if (this.#folders.has(folder)) return;
    try {
      await Deno.mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    } catch (cause) {
      throw failed("create folder", folder, cause);
    }
    this.#folders.add(folder);
  }

  async #removeStale(nowMs: number): Promise<void> {
    const folder = this.#path(TEMPORARY_FOLDER);
    for await (const { name } of Deno.readDir(folder)) {
      if (name === "lock") continue;
      const file = join(folder, name);
      try {
        const { mtime } = await Deno.stat(file);
        if (mtime !== null && nowMs - mtime.getTime() > STALE_MS) await Deno.remove(file);
      } catch (cause) {
        // Another publisher has just ended its write.
        if (!(cause instanceof Deno.errors.NotFound)) throw failed("remove", file, cause);
      }
    }
  }

  #path(path: string): string {
    return join(this.#root, path);
  }
}

function failed(action: string, path: string, cause: unknown): CountersignError {
  if (cause instanceof CountersignError) return cause;
  const isFile = systemCode(cause) === "ENOTDIR";
  const reason = isFile ? systemProblem(cause) : plainReason(reasonOf(cause));
  return new CountersignError("file_failed", `Cannot ${action} "${path}": ${reason}`, { cause });
}
