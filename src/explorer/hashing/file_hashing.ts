/**
 * Hashes a file in a worker, which reads it as a stream: memory does not limit its size, and the page
 * stays responsive.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";

/** The page's message to the worker. A worker hashes one file; terminating it cancels. */
export interface HashRequest {
  readonly file: Blob;
}

/** The worker's messages: bytes so far, then 64 lowercase hex digits or an error. */
export type HashReport =
  | { readonly kind: "progress"; readonly done: number }
  | { readonly kind: "hashed"; readonly hash: string }
  | { readonly kind: "failed"; readonly message: string };

/** The used part of the browser's `Worker`. */
export interface HashWorker {
  postMessage(message: HashRequest): void;
  addEventListener(type: "message", listener: (event: MessageEvent<HashReport>) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
  terminate(): void;
}

export interface HashingOptions {
  readonly startWorker: () => HashWorker;
  /** Gets the number of hashed bytes. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** SHA-256 of `file` in lowercase hex; `file_failed` if it cannot be read to its end. */
export function hashFile(file: Blob, options: HashingOptions): Promise<string> {
  const { startWorker, onProgress, signal } = options;
  return new Promise<string>((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const worker = startWorker();
    const end = () => {
      worker.terminate();
      signal.removeEventListener("abort", cancel);
    };
    const cancel = () => {
      end();
      reject(signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    worker.addEventListener("message", ({ data }) => {
      if (data.kind === "progress") return onProgress(data.done);
      end();
      if (data.kind === "hashed") resolve(data.hash);
      else reject(unreadable(data.message));
    });
    worker.addEventListener("error", () => {
      end();
      reject(unreadable("the worker did not start"));
    });
    worker.postMessage({ file });
  });
}

function unreadable(why: string): CountersignError {
  return new CountersignError("file_failed", `Cannot hash the file: ${why}`);
}
