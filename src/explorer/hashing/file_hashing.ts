/**
 * Hashes a file in a worker of its own. The file is read as a stream: its size is not limited by
 * memory, and the page stays responsive.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import type { HashReport, HashRequest } from "./hash_messages.ts";

/** What is used of the browser's `Worker`. */
export interface HashWorker {
  postMessage(message: HashRequest): void;
  addEventListener(type: "message", listener: (event: MessageEvent<HashReport>) => void): void;
  addEventListener(type: "error", listener: (event: Event) => void): void;
  terminate(): void;
}

/** How a file is hashed. */
export interface HashingOptions {
  readonly startWorker: () => HashWorker;
  /** Told how many bytes are done, now and then. */
  readonly onProgress: (done: number) => void;
  readonly signal: AbortSignal;
}

/** SHA-256 of `file` in lowercase hex; `file_failed` when it cannot be read to its end. */
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
      reject(unreadable("the worker that hashes did not start"));
    });
    worker.postMessage({ file });
  });
}

function unreadable(found: string): CountersignError {
  return new CountersignError(
    "file_failed",
    `Cannot hash file: one that can be read to its end required, found otherwise (${found})`,
  );
}
