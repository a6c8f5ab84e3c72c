/**
 * Hashes files, and searches proofs of work, in a few workers. They read files as streams: memory
 * does not limit a file's size, and the page stays responsive.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import type { WorkDemand, WorkProof, WorkSubject } from "../../proof/format/work_proof.ts";
import type { HashName } from "../../proof/timestamp/algorithms.ts";
import { PartNotLoaded } from "../page_part.ts";

/** A request of the page to an idle worker. Terminating the worker cancels it. */
export type HashRequest =
  | FileRequest
  | WorkRequest;

/** A file to hash. */
export interface FileRequest {
  readonly kind: "file";
  readonly file: Blob;
  readonly hash: HashName;
  readonly modules: HashingModules;
}

/** A proof of work to search. */
export interface WorkRequest {
  readonly kind: "work";
  readonly subject: WorkSubject;
  readonly demand: WorkDemand;
  readonly modules: HashingModules;
}

/** Addresses of {@linkcode LONG_HASHES} and of the builds of the hashing module, by file. */
export type HashingModules = Readonly<Record<string, string>>;

/**
 * The worker's messages: bytes so far and in all, of large files only; then a digest in lowercase hex,
 * a proof of work or an error.
 */
export type HashReport =
  | { readonly kind: "progress"; readonly done: number; readonly size: number }
  | { readonly kind: "hashed"; readonly hash: string; readonly size: number }
  | { readonly kind: "found"; readonly proof: WorkProof }
  | { readonly kind: "failed"; readonly message: string }
  /** A script that the worker imports could not be loaded. */
  | { readonly kind: "not_loaded" };

/** The script of SHA-384 and SHA-512. A worker imports it when it is asked for one of them. */
export const LONG_HASHES = "long_hashes.js";

/** The used part of the browser's `Worker`. */
export interface HashWorker {
  postMessage(message: HashRequest): void;
  addEventListener(type: "message", listener: (event: MessageEvent<HashReport>) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
  terminate(): void;
}

export interface HashingOptions {
  /** SHA-256 by default. */
  readonly hash?: HashName;
  /** A worker takes the file. */
  readonly onStart?: () => void;
  /** Gets the number of hashed bytes now and then, and at the end. */
  readonly onProgress: (done: number, size: number) => void;
  readonly signal: AbortSignal;
}

interface Task {
  readonly request: HashRequest;
  readonly onStart?: (() => void) | undefined;
  readonly report: (report: HashReport) => void;
  readonly notLoaded: () => void;
}

/** A worker, and its task. */
interface Slot {
  readonly worker: HashWorker;
  task: Task | undefined;
  /** It has answered, so its script was loaded. */
  isLoaded: boolean;
}

/**
 * At most `size` workers. One stays when no task waits, so that a page whose gateway is away still
 * hashes.
 */
export class HashPool {
  readonly #startWorker: () => HashWorker;
  #size: number;
  readonly #modules: HashingModules;
  readonly #waiting = new Set<Task>();
  readonly #slots = new Set<Slot>();

  constructor(startWorker: () => HashWorker, size: number, modules: HashingModules = {}) {
    this.#startWorker = startWorker;
    this.#size = size;
    this.#modules = modules;
  }

  /** Loads the first worker. */
  prepare(): void {
    if (this.#slots.size === 0) this.#open();
  }

  /**
   * The digest of `file` in lowercase hex; `file_failed` if it cannot be read to its end,
   * {@linkcode PartNotLoaded} without a worker.
   */
  hash(
    file: Blob,
    { hash = "SHA-256", onStart, onProgress, signal }: HashingOptions,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const cancel = () => {
        this.#waiting.delete(task);
        for (const slot of this.#slots) if (slot.task === task) this.#end(slot);
        reject(signal.reason);
        this.#assign();
        this.prepare();
      };
      const notLoaded = () => {
        signal.removeEventListener("abort", cancel);
        reject(new PartNotLoaded("Cannot hash the file"));
      };
      const report = (data: HashReport) => {
        if (data.kind === "progress") return onProgress(data.done, data.size);
        if (data.kind === "not_loaded") return notLoaded();
        signal.removeEventListener("abort", cancel);
        if (data.kind === "hashed") {
          onProgress(data.size, data.size);
          resolve(data.hash);
        } else reject(new CountersignError("file_failed", `Cannot hash the file: ${whyOf(data)}`));
      };
      const request = { kind: "file", file, hash, modules: this.#modules } as const;
      const task: Task = { request, onStart, report, notLoaded };
      signal.addEventListener("abort", cancel, { once: true });
      this.#waiting.add(task);
      this.#assign();
    });
  }

  /** Searches a proof of work, before the files that wait: their hashes wait for its token. */
  findWork(subject: WorkSubject, demand: WorkDemand): Promise<WorkProof> {
    const request = { kind: "work", subject, demand, modules: this.#modules } as const;
    return new Promise((resolve, reject) => {
      const report = (data: HashReport) => {
        if (data.kind === "found") resolve(data.proof);
        else reject(new Error(`Cannot search a proof of work: ${whyOf(data)}`));
      };
      const notLoaded = () => reject(new PartNotLoaded("Cannot compute the proof of work"));
      this.#putFirst({ request, report, notLoaded });
      this.#assign();
    });
  }

  #putFirst(task: Task): void {
    const others = [...this.#waiting];
    this.#waiting.clear();
    for (const one of [task, ...others]) this.#waiting.add(one);
  }

  #assign(): void {
    for (const task of this.#waiting) {
      const slot = this.#freeSlot();
      if (slot === undefined) return;
      this.#waiting.delete(task);
      slot.task = task;
      task.onStart?.();
      slot.worker.postMessage(task.request);
    }
    for (const slot of this.#slots) {
      if (slot.task === undefined && this.#slots.size > 1) this.#end(slot);
    }
  }

  #freeSlot(): Slot | undefined {
    for (const slot of this.#slots) if (slot.task === undefined) return slot;
    return this.#slots.size < this.#size ? this.#open() : undefined;
  }

  #open(): Slot {
    const worker = this.#startWorker();
    const slot: Slot = { worker, task: undefined, isLoaded: false };
    this.#slots.add(slot);
    worker.addEventListener("message", ({ data }) => {
      const { task } = slot;
      slot.isLoaded = true;
      if (task === undefined) return;
      if (data.kind !== "progress") slot.task = undefined;
      task.report(data);
      if (data.kind !== "progress") this.#assign();
    });
    worker.addEventListener("error", () => this.#failed(slot));
    return slot;
  }

  #failed(slot: Slot): void {
    const { task, isLoaded } = slot;
    this.#end(slot);
    if (isLoaded) task?.report({ kind: "failed", message: "the worker stopped" });
    else if (this.#slots.size === 0) task?.notLoaded();
    else if (task !== undefined) {
      // What this worker had to do goes to workers that were loaded.
      this.#size = this.#slots.size;
      this.#putFirst(task);
    }
    this.#assign();
  }

  #end(slot: Slot): void {
    slot.worker.terminate();
    this.#slots.delete(slot);
  }
}

function whyOf(report: HashReport): string {
  return report.kind === "failed" ? report.message : "the worker answered something else";
}
