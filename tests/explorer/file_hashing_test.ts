import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { hasCode } from "../../src/errors.ts";
import type { HashReport } from "../../src/explorer/hashing/file_hashing.ts";
import { hashFile, type HashWorker } from "../../src/explorer/hashing/file_hashing.ts";

const SCRIPT = new URL("../../src/explorer/hashing/hash_worker.ts", import.meta.url);

function startWorker(): HashWorker {
  return new Worker(SCRIPT, { type: "module" });
}

const never = new AbortController().signal;
const silent = { startWorker, onProgress: () => {}, signal: never };

Deno.test("the worker hashes files of any size and reports progress", async () => {
  for (const size of [0, 1, 63, 64, 65, 70_000, 20 * 1024 * 1024 + 1]) {
    const content = new Uint8Array(randomBytes(size));
    const reported: number[] = [];
    const hash = await hashFile(new Blob([content]), {
      ...silent,
      onProgress: (done) => reported.push(done),
    });
    assert.equal(hash, createHash("sha256").update(content).digest("hex"));
    assert.equal(reported.length > 0, size > 8 * 1024 * 1024);
    assert.ok(reported.every((done, i) => done > (reported[i - 1] ?? 0) && done <= size));
  }
});

Deno.test("hashFile() fails if the file cannot be read to its end", async () => {
  const short = new Blob(["abc"]);
  for (const message of ["3 bytes required, found 2", "gone"]) {
    const worker = fakeWorker((report) => report({ kind: "failed", message }));
    await assert.rejects(
      hashFile(short, { ...silent, startWorker: () => worker }),
      (error) => hasCode(error, "file_failed") && error.message.includes(message),
    );
    assert.equal(worker.ended, true);
  }
});

Deno.test("hashFile() fails if the worker does not start, and terminates it when aborted", async () => {
  const broken = fakeWorker(() => {});
  const failing = hashFile(new Blob([]), { ...silent, startWorker: () => broken });
  broken.fail();
  await assert.rejects(failing, (error) => hasCode(error, "file_failed"));
  const stop = new AbortController();
  const idle = fakeWorker(() => {});
  const cancelled = hashFile(new Blob([]), {
    ...silent,
    startWorker: () => idle,
    signal: stop.signal,
  });
  stop.abort(new Error("cancelled"));
  await assert.rejects(cancelled, /cancelled/);
  assert.equal(idle.ended, true);
  await assert.rejects(
    hashFile(new Blob([]), { ...silent, startWorker: () => assert.fail(), signal: stop.signal }),
    /cancelled/,
  );
});

/** A worker that answers a request with `answer`. */
function fakeWorker(answer: (report: (message: HashReport) => void) => void) {
  const listeners: Record<string, (event: never) => void> = {};
  return {
    ended: false,
    addEventListener(type: string, listener: (event: never) => void) {
      listeners[type] = listener;
    },
    postMessage() {
      queueMicrotask(() => answer((data) => listeners["message"]!({ data } as never)));
    },
    terminate() {
      this.ended = true;
    },
    fail() {
      listeners["error"]!({} as never);
    },
  };
}
