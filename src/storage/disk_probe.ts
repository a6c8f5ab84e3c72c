/**
 * Tests whether a disk still takes writes. Without this test, an idle gateway would notice a fault
 * only when the next hash arrives.
 *
 * @module
 */

import { statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import { plainReason, reasonOf } from "./store_fault.ts";

/** About the most space that a commit needs beyond the free room in its file. */
const PROBE_BYTES = 64 * 1024;
/** Milliseconds for which an answer is reused, so that frequent callers cause no more writes. */
const ANSWER_MS = 5_000;

/** A file system, in bytes. */
export interface DiskSpace {
  readonly free: number;
  readonly total: number;
}

/** Writes a new file and removes it again, so that the write needs free space on the disk. */
export class DiskProbe {
  readonly #file: string;
  readonly #clock: Clock;
  #answer: { readonly atMs: number; readonly written: Promise<void> } | undefined;

  /** Probes of one folder write files of different names. */
  constructor(folder: string, clock: Clock, name = "probe") {
    this.#file = join(folder, name);
    this.#clock = clock;
  }

  /** Resolves when the disk took a file within the last seconds; `storage_failed` when it did not. */
  check(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const age = this.#answer === undefined ? Infinity : Math.abs(nowMs - this.#answer.atMs);
    if (age >= ANSWER_MS) {
      this.#answer = { atMs: nowMs, written: writeTemporary(this.#file, PROBE_BYTES) };
    }
    return this.#answer!.written;
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

/** Writes a file of `length` bytes, durably, and removes it again; `storage_failed`. */
export async function writeTemporary(path: string, length: number): Promise<void> {
  try {
    await using opened = new AsyncDisposableStack();
    const file = await Deno.open(path, { create: true, truncate: true, write: true, mode: 0o600 });
    opened.defer(() => Deno.remove(path));
    opened.defer(() => file.close());
    const bytes = new Uint8Array(length);
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
    await file.syncData();
  } catch (cause) {
    throw new CountersignError(
      "storage_failed",
      `Cannot write ${length} bytes to "${path}": ${plainReason(reasonOf(cause))}`,
      { cause },
    );
  }
}
