/**
 * Hashes files, and searches proofs of work, in a few workers. They read files as streams: memory
 * does not limit a file's size, and the page stays responsive.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import type { WorkDemand, WorkProof, WorkSubject } from "../../format/work_proof.ts";

/** A request of the page to an idle worker. Terminating the worker cancels it. */
export type HashRequest =
  | { readonly kind: "file"; readonly file: Blob }
  | WorkRequest;

/** A proof of work to search. */
export interface WorkRequest {
  readonly kind: "work";
  readonly subject: WorkSubject;
  readonly demand: WorkDemand;
  readonly modules: HashingModules;
}

/** Addresses of the builds of the hashing module, by file. */
export type HashingModules = Readonly<Record<string, string>>;

/**
 * The worker's messages: bytes so far and in all, of large files only; then 64 lowercase hex digits,
 * a proof of work or an error.
 */
export type HashReport =
  | { readonly kind: "progress"; readonly done: number; readonly size: number }
  | { readonly kind: "hashed"; readonly hash: string; readonly size: number }
  | { readonly kind: "found"; readonly proof: WorkProof }
  | { readonly kind: "failed"; readonly message: string };

/** The used part of the browser's `Worker`. */
export interface HashWorker {
  postMessage(message: HashRequest): void;
  addEventListener(type: "message", listener: (event: MessageEvent<HashReport>) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
  terminate(): void;
}

export interface HashingOptions {
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
}

/** A worker, and its task. */
interface Slot {
  readonly worker: HashWorker;
  task: Task | undefined;
}

/** At most `size` workers, which run as long as tasks wait. */
export class HashPool {
  readonly #startWorker: () => HashWorker;
  readonly #size: number;
  readonly #modules: HashingModules;
  readonly #waiting = new Set<Task>();
  readonly #slots = new Set<Slot>();

  constructor(startWorker: () => HashWorker, size: number, modules: HashingModules = {}) {
    this.#startWorker = startWorker;
    this.#size = size;
    this.#modules = modules;
  }

  /** SHA-256 of `file` in lowercase hex; `file_failed` if it cannot be read to its end. */
  hash(file: Blob, { onStart, onProgress, signal }: HashingOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const cancel = () => {
        this.#waiting.delete(task);
        for (const slot of this.#slots) if (slot.task === task) this.#end(slot);
        reject(signal.reason);
        this.#assign();
      };
      const report = (data: HashReport) => {
        if (data.kind === "progress") return onProgress(data.done, data.size);
        signal.removeEventListener("abort", cancel);
        if (data.kind === "hashed") {
          onProgress(data.size, data.size);
          resolve(data.hash);
        } else reject(new CountersignError("file_failed", `Cannot hash the file: ${whyOf(data)}`));
      };
      const task: Task = { request: { kind: "file", file }, onStart, report };
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
      const files = [...this.#waiting];
      this.#waiting.clear();
      for (const task of [{ request, report }, ...files]) this.#waiting.add(task);
      this.#assign();
    });
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
    for (const slot of this.#slots) if (slot.task === undefined) this.#end(slot);
  }

  #freeSlot(): Slot | undefined {
    for (const slot of this.#slots) if (slot.task === undefined) return slot;
    return this.#slots.size < this.#size ? this.#open() : undefined;
  }

  #open(): Slot {
    const worker = this.#startWorker();
    const slot: Slot = { worker, task: undefined };
    this.#slots.add(slot);
    worker.addEventListener("message", ({ data }) => {
      const { task } = slot;
      if (task === undefined) return;
      if (data.kind !== "progress") slot.task = undefined;
      task.report(data);
      if (data.kind !== "progress") this.#assign();
    });
    worker.addEventListener("error", () => {
      this.#end(slot);
      slot.task?.report({ kind: "failed", message: "the worker did not start" });
      this.#assign();
    });
    return slot;
  }

  #end(slot: Slot): void {
    slot.worker.terminate();
    this.#slots.delete(slot);
  }
}

function whyOf(report: HashReport): string {
  return report.kind === "failed" ? report.message : "the worker answered something else";
}
