/**
 * Tests whether a disk accepts writes, so that an idle gateway detects a fault before the next hash.
 *
 * @module
 */

import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../base/clock.ts";
import { writeTemporary } from "./disk_write.ts";

/** About the most space that a commit needs beyond the free space in its file. */
const PROBE_BYTES = 64 * 1024;
/** A result is reused for this long, so that frequent callers cause few writes. */
const RESULT_MS = 5_000;

/** A file system, in bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly total: number;
}

/** The result of a write, for callers who ask more often than it should be repeated. */
export class RecentResult {
  readonly #write: () => Promise<void>;
  readonly #clock: Clock;
  #result: { readonly atMs: number; readonly written: Promise<void> } | undefined;

  constructor(clock: Clock, write: () => Promise<void>) {
    this.#clock = clock;
    this.#write = write;
  }

  /** As the write of the last seconds, or a new one. */
  get(): Promise<void> {
    const nowMs = this.#clock.elapsedMs();
    const age = this.#result === undefined ? Infinity : nowMs - this.#result.atMs;
    if (age >= RESULT_MS) this.#result = { atMs: nowMs, written: this.#write() };
    return this.#result!.written;
  }
}

/** Writes and removes a new file: only that needs free space on the disk. */
export class DiskProbe {
  readonly #file: string;
  readonly #written: RecentResult;

  /** Probes of one folder need different names. */
  constructor(folder: string, clock: Clock, name = "probe") {
    this.#file = join(folder, name);
    this.#written = new RecentResult(clock, () => writeTemporary(this.#file, PROBE_BYTES));
  }

  /** Resolves if the disk accepted a file within the last seconds; otherwise `storage_failed`. */
  check(): Promise<void> {
    return this.#written.get();
  }

  /** Space left for this user; `undefined` if unknown, for example without `--allow-sys=statfs`. */
  async space(): Promise<DiskSpace | undefined> {
    try {
      const { bavail, blocks, bsize } = await statfs(dirname(this.#file));
      return { free: bavail * bsize, total: blocks * bsize };
    } catch {
      return undefined;
    }
  }
}
