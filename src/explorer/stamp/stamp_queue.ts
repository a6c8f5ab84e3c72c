/**
 * The stamps of this visit. They continue while other pages are shown.
 *
 * @module
 */

import type { NamedFile } from "../components/dropped_files.ts";
import type { HashPool } from "../hashing/hash_pool.ts";
import { isUnsaved, type StampRow, StampRows } from "./stamp_rows.ts";
import { type FollowerParts, StampFollower } from "./stamp_follower.ts";

export interface StampParts extends FollowerParts {
  readonly hashing: Pick<HashPool, "hash">;
  /** Calls its argument soon. */
  readonly later: (notify: () => void) => void;
}

/** One for the life of the page. */
export class StampQueue {
  readonly rows: StampRows;
  readonly follower: StampFollower;
  readonly #hashing: StampParts["hashing"];
  /** Files whose hash is not known. */
  readonly #files = new Map<number, File>();
  readonly #running = new Map<number, AbortController>();
  #nextId = 1;

  constructor(parts: StampParts) {
    this.rows = new StampRows(parts.later);
    this.follower = new StampFollower(parts, this.rows);
    this.#hashing = parts.hashing;
  }

  /** True if proofs would be lost with the page. */
  get hasUnsaved(): boolean {
    return this.rows.state.some(isUnsaved);
  }

  /** Hashes `files`, submits the hashes and follows them. */
  addFiles(files: readonly NamedFile[]): void {
    for (const { name, file } of files) {
      const id = this.#nextId++;
      this.#files.set(id, file);
      // A browser asks the disk for the size of each file: the worker does that.
      this.#start({ id, name, phase: "queued" });
    }
  }

  /** Submits `hash`, 64 lowercase hex, and follows it. Does nothing if it has a row already. */
  addHash(hash: string): void {
    if (this.rows.state.some((row) => row.name === undefined && row.hash === hash)) return;
    this.#start({ id: this.#nextId++, hash, phase: "sending" });
  }

  /** Stops the hashing of a row, or the sending of its hash unless that is on its way. */
  cancel(id: number): void {
    this.#running.get(id)?.abort();
    if (this.rows.get(id)?.phase === "sending") this.rows.change(id, { phase: "cancelled" });
  }

  /** Restarts a row that failed or was cancelled. */
  retry(id: number): void {
    const row = this.rows.get(id);
    if (row?.phase !== "failed" && row?.phase !== "cancelled") return;
    const { error: _, done: __, ...kept } = row;
    this.#start({ ...kept, phase: kept.hash === undefined ? "queued" : "sending" });
  }

  /** Stops and removes a row. This does not withdraw a submitted hash. */
  remove(id: number): void {
    this.cancel(id);
    this.#files.delete(id);
    this.rows.remove(id);
  }

  /** Adds or replaces `row`, and runs it. */
  #start(row: StampRow): void {
    this.rows.put(row);
    if (row.phase === "queued") void this.#hash(row.id);
    else this.follower.start();
  }

  async #hash(id: number): Promise<void> {
    const stop = new AbortController();
    this.#running.set(id, stop);
    try {
      const hash = await this.#hashing.hash(this.#files.get(id)!, {
        onStart: () => this.rows.change(id, { phase: "hashing", done: 0 }),
        onProgress: (done, size) => this.rows.change(id, { done, size }),
        signal: stop.signal,
      });
      // The browser may hold the content in memory.
      this.#files.delete(id);
      this.rows.change(id, { phase: "sending", hash });
      this.follower.start();
    } catch (error) {
      const isCancelled = stop.signal.aborted;
      this.rows.change(id, isCancelled ? { phase: "cancelled" } : { phase: "failed", error });
    } finally {
      if (this.#running.get(id) === stop) this.#running.delete(id);
    }
  }
}
