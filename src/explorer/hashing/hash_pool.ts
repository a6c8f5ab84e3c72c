/**
 * Hashes files in a few workers, which read them as streams: memory does not limit a file's size, and
 * the page stays responsive.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";

/** The page's message to a worker that has no file. Terminating the worker cancels. */
export interface HashRequest {
  readonly file: Blob;
}

/**
 * The worker's messages: bytes so far and in all, of large files only; then 64 lowercase hex digits or
 * an error.
 */
export type HashReport =
  | { readonly kind: "progress"; readonly done: number; readonly size: number }
  | { readonly kind: "hashed"; readonly hash: string; readonly size: number }
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

interface Task extends HashingOptions {
  readonly file: Blob;
  readonly resolve: (hash: string) => void;
  readonly reject: (error: unknown) => void;
}

/** A worker, and its file. */
interface Slot {
  readonly worker: HashWorker;
  task: Task | undefined;
}

/** At most `size` workers, which run as long as files wait. */
export class HashPool {
  readonly #startWorker: () => HashWorker;
  readonly #size: number;
  readonly #waiting = new Set<Task>();
  readonly #slots = new Set<Slot>();

  constructor(startWorker: () => HashWorker, size: number) {
    this.#startWorker = startWorker;
    this.#size = size;
  }

  /** SHA-256 of `file` in lowercase hex; `file_failed` if it cannot be read to its end. */
  hash(file: Blob, options: HashingOptions): Promise<string> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const cancel = () => {
        this.#waiting.delete(task);
        for (const slot of this.#slots) if (slot.task === task) this.#end(slot);
        reject(signal.reason);
        this.#assign();
      };
      const settled = <T>(settle: (value: T) => void) => (value: T) => {
        signal.removeEventListener("abort", cancel);
        settle(value);
      };
      const task = { ...options, file, resolve: settled(resolve), reject: settled(reject) };
      signal.addEventListener("abort", cancel, { once: true });
      this.#waiting.add(task);
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
      slot.worker.postMessage({ file: task.file });
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
      if (data.kind === "progress") return task.onProgress(data.done, data.size);
      slot.task = undefined;
      if (data.kind === "hashed") {
        task.onProgress(data.size, data.size);
        task.resolve(data.hash);
      } else task.reject(unreadable(data.message));
      this.#assign();
    });
    worker.addEventListener("error", () => {
      this.#end(slot);
      slot.task?.reject(unreadable("the worker did not start"));
      this.#assign();
    });
    return slot;
  }

  #end(slot: Slot): void {
    slot.worker.terminate();
    this.#slots.delete(slot);
  }
}

function unreadable(why: string): CountersignError {
  return new CountersignError("file_failed", `Cannot hash the file: ${why}`);
}
