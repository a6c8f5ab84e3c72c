/**
 * The stamps of this visit, one row for each file or hash. They continue while other pages are shown.
 *
 * @module
 */

import { followJob, type FollowJobOptions, type JobState } from "../../client/job_follower.ts";
import type { GatewayClient } from "../../client/gateway_client.ts";
import { hashFile, type HashWorker } from "../hashing/file_hashing.ts";
import { Semaphore } from "../hashing/semaphore.ts";
import { Store } from "../store.ts";

/** Files that are hashed at the same time, and requests in flight. */
const MAX_HASHING = 2;
const MAX_REQUESTS = 4;

/**
 * Files start as `queued`, hashes as `following`, which lasts from submission to the last anchor.
 * `settled`: no more changes are expected.
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
  /** The file's name; `undefined` for a pasted hash. */
  readonly name?: string;
  /** Bytes of the file, and how many of them are hashed. */
  readonly size?: number;
  readonly done?: number;
  /** 64 lowercase hex, once known. */
  readonly hash?: string;
  readonly phase: StampPhase;
  /** Present exactly if the phase is `failed`. */
  readonly error?: unknown;
}

export interface StampParts extends Pick<FollowJobOptions, "wait" | "random"> {
  readonly api: GatewayClient;
  readonly startWorker: () => HashWorker;
}

/** The rows, latest first. One for the life of the page. */
export class StampQueue extends Store<readonly StampRow[]> {
  readonly #parts: StampParts;
  readonly #hashing = new Semaphore(MAX_HASHING);
  readonly #requests = new Semaphore(MAX_REQUESTS);
  readonly #running = new Map<number, AbortController>();
  readonly #files = new Map<number, File>();
  #nextId = 1;

  constructor(parts: StampParts) {
    super([]);
    this.#parts = parts;
  }

  /** Hashes `files`, submits the hashes and follows them. */
  addFiles(files: readonly File[]): void {
    for (const file of files) {
      const id = this.#nextId++;
      this.#files.set(id, file);
      this.#start({ id, name: file.name, size: file.size, phase: "queued" });
    }
  }

  /** Submits `hash`, 64 lowercase hex, and follows it. Does nothing if it has a row already. */
  addHash(hash: string): void {
    if (this.state.some((row) => row.name === undefined && row.hash === hash)) return;
    this.#start({ id: this.#nextId++, hash, phase: "following" });
  }

  /** Stops a row. This does not withdraw a submitted hash. */
  cancel(id: number): void {
    this.#running.get(id)?.abort();
  }

  /** Restarts a row that failed or was cancelled. */
  retry(id: number): void {
    const row = this.#row(id);
    if (row === undefined || this.#running.has(id)) return;
    const { error: _, lost: __, done: ___, ...kept } = row;
    this.#start({ ...kept, phase: kept.hash === undefined ? "queued" : "following" });
  }

  /** Stops and removes a row. */
  remove(id: number): void {
    this.cancel(id);
    this.#files.delete(id);
    this.setState(this.state.filter((row) => row.id !== id));
  }

  /** Adds or replaces `row`, and runs it. */
  #start(row: StampRow): void {
    const { id } = row;
    const stop = new AbortController();
    this.#running.set(id, stop);
    if (this.#row(id) === undefined) this.setState([row, ...this.state]);
    else this.#put(row);
    this.#run(id, stop.signal).then(
      () => this.#change(id, { phase: "settled" }),
      (error) =>
        this.#change(id, stop.signal.aborted ? { phase: "cancelled" } : { phase: "failed", error }),
    ).finally(() => this.#running.delete(id));
  }

  async #run(id: number, signal: AbortSignal): Promise<void> {
    const hash = this.#row(id)?.hash ?? await this.#hash(id, signal);
    // The browser may hold the content in memory.
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

  /** The gateway's API with a limit on the requests of all rows together. */
  #boundedApi(signal: AbortSignal) {
    const { api } = this.#parts;
    const limited = <A extends unknown[], T>(request: (...args: A) => Promise<T>) => (...args: A) =>
      this.#requests.run(() => request(...args), signal);
    return {
      submit: limited(api.submit.bind(api)),
      job: limited(api.job.bind(api)),
      bundle: limited(api.bundle.bind(api)),
      status: limited(api.status.bind(api)),
    };
  }

  #report(id: number, state: JobState): void {
    const row = this.#row(id);
    if (row === undefined) return;
    const { lost: _, ...rest } = row;
    this.#put({ ...rest, ...state });
  }

  #row(id: number): StampRow | undefined {
    return this.state.find((row) => row.id === id);
  }

  #change(id: number, changes: Partial<StampRow>): void {
    const row = this.#row(id);
    if (row !== undefined) this.#put({ ...row, ...changes });
  }

  #put(changed: StampRow): void {
    this.setState(this.state.map((row) => row.id === changed.id ? changed : row));
  }
}
