/**
 * What the reader has stamped in this visit: each file or hash a row, which lives on while other
 * pages are shown.
 *
 * @module
 */

import { followJob, type FollowJobOptions, type JobState } from "../../client/job_follower.ts";
import type { GatewayClient } from "../../client/gateway_client.ts";
import { hashFile, type HashWorker } from "../hashing/file_hashing.ts";
import { Slots } from "../hashing/slots.ts";

/** Files that are hashed at once, and requests in flight. */
const HASHING_AT_ONCE = 2;
const REQUESTS_AT_ONCE = 4;

/**
 * `queued` and `hashing` are of files; `following` lasts from submission to the last anchor;
 * `settled`: nothing more is expected.
 */
export type StampPhase =
  | "queued"
  | "hashing"
  | "following"
  | "settled"
  | "cancelled"
  | "failed";

/** One file or hash. */
export interface StampRow extends JobState {
  readonly id: number;
  /** The file's name; `undefined` for a hash that was pasted. */
  readonly name?: string;
  /** Bytes of the file, and how many of them are hashed. */
  readonly size?: number;
  readonly done?: number;
  /** 64 lowercase hex, once known. */
  readonly hash?: string;
  readonly phase: StampPhase;
  /** Exactly when failed. */
  readonly error?: unknown;
}

/** What the desk works with. */
export interface StampParts extends Pick<FollowJobOptions, "wait" | "random"> {
  readonly api: GatewayClient;
  readonly startWorker: () => HashWorker;
}

/** One for the life of the page. */
export class StampDesk {
  readonly #parts: StampParts;
  readonly #hashing = new Slots(HASHING_AT_ONCE);
  readonly #requests = new Slots(REQUESTS_AT_ONCE);
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<number, AbortController>();
  readonly #files = new Map<number, File>();
  #rows: readonly StampRow[] = [];
  #nextId = 1;

  constructor(parts: StampParts) {
    this.#parts = parts;
  }

  /** Latest first; another list after each change. */
  get rows(): readonly StampRow[] {
    return this.#rows;
  }

  /** Calls `listener` after every change; the result ends that. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Hashes `files`, submits the hashes and follows them. */
  addFiles(files: readonly File[]): void {
    for (const file of files) {
      const id = this.#nextId++;
      this.#files.set(id, file);
      this.#add({ id, name: file.name, size: file.size, phase: "queued" });
    }
  }

  /** Submits `hash`, 64 lowercase hex, and follows it. One that is followed is not added again. */
  addHash(hash: string): void {
    if (this.#rows.some((row) => row.name === undefined && row.hash === hash)) return;
    this.#add({ id: this.#nextId++, hash, phase: "following" });
  }

  /** Stops a row. A hash that was submitted stays so. */
  cancel(id: number): void {
    this.#running.get(id)?.abort();
  }

  /** Tries a row again that failed or was cancelled. */
  retry(id: number): void {
    const row = this.#row(id);
    if (row === undefined || this.#running.has(id)) return;
    const { error: _, lost: __, done: ___, ...kept } = row;
    this.#rows = this.#rows.map((other) =>
      other.id === id ? { ...kept, phase: kept.hash === undefined ? "queued" : "following" } : other
    );
    this.#start(id);
  }

  /** Takes a row off the list, and stops it. */
  remove(id: number): void {
    this.cancel(id);
    this.#files.delete(id);
    this.#rows = this.#rows.filter((row) => row.id !== id);
    this.#tell();
  }

  #add(row: StampRow): void {
    this.#rows = [row, ...this.#rows];
    this.#start(row.id);
  }

  #start(id: number): void {
    const stop = new AbortController();
    this.#running.set(id, stop);
    this.#tell();
    this.#run(id, stop.signal).then(
      () => this.#change(id, { phase: "settled" }),
      (error) =>
        this.#change(id, stop.signal.aborted ? { phase: "cancelled" } : { phase: "failed", error }),
    ).finally(() => this.#running.delete(id));
  }

  async #run(id: number, signal: AbortSignal): Promise<void> {
    const hash = this.#row(id)?.hash ?? await this.#hash(id, signal);
    // The content is of no more use, and a browser may hold it in memory.
    this.#files.delete(id);
    this.#change(id, { phase: "following", hash });
    const { wait, random } = this.#parts;
    const report = (state: JobState) => this.#report(id, state);
    const gateway = this.#boundedApi(signal);
    await followJob(hash, { gateway, wait, random, report }, signal);
  }

  #hash(id: number, signal: AbortSignal): Promise<string> {
    const file = this.#files.get(id)!;
    return this.#hashing.run(() => {
      this.#change(id, { phase: "hashing", done: 0 });
      return hashFile(file, {
        startWorker: this.#parts.startWorker,
        onProgress: (done) => this.#change(id, { done }),
        signal,
      });
    }, signal);
  }

  /** The gateway, asked by all rows together no more than a few questions at once. */
  #boundedApi(signal: AbortSignal) {
    const { api } = this.#parts;
    const bounded = <T>(ask: () => Promise<T>) => this.#requests.run(ask, signal);
    return {
      submit: (...of: Parameters<typeof api.submit>) => bounded(() => api.submit(...of)),
      job: (...of: Parameters<typeof api.job>) => bounded(() => api.job(...of)),
      bundle: (...of: Parameters<typeof api.bundle>) => bounded(() => api.bundle(...of)),
      status: (...of: Parameters<typeof api.status>) => bounded(() => api.status(...of)),
    };
  }

  #report(id: number, state: JobState): void {
    const row = this.#row(id);
    if (row === undefined) return;
    const { lost: _, ...rest } = row;
    this.#put({ ...rest, ...state });
  }

  #row(id: number): StampRow | undefined {
    return this.#rows.find((row) => row.id === id);
  }

  #change(id: number, news: Partial<StampRow>): void {
    const row = this.#row(id);
    if (row !== undefined) this.#put({ ...row, ...news });
  }

  #put(changed: StampRow): void {
    this.#rows = this.#rows.map((row) => row.id === changed.id ? changed : row);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
