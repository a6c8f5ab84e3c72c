/**
 * The worker that hashes a file. The content never leaves the browser.
 *
 * @module
 */

import { createSHA256 } from "hash-wasm";
import type { HashReport, HashRequest } from "./file_hashing.ts";

/** Bytes between two progress reports. */
const REPORT_BYTES = 8 * 1024 * 1024;

function report(message: HashReport): void {
  postMessage(message);
}

async function hash({ file }: HashRequest): Promise<void> {
  try {
    const hasher = await createSHA256();
    let [done, reported] = [0, 0];
    for await (const chunk of file.stream()) {
      hasher.update(chunk);
      done += chunk.length;
      if (done - reported >= REPORT_BYTES) {
        reported = done;
        report({ kind: "progress", done });
      }
    }
    if (done !== file.size) throw new Error("the file changed while it was read");
    report({ kind: "hashed", hash: hasher.digest("hex") });
  } catch (error) {
    report({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", (event) => {
  void hash((event as MessageEvent<HashRequest>).data);
});
