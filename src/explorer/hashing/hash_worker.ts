/**
 * The worker that hashes files: the content is read piece by piece and never leaves the browser.
 *
 * @module
 */

import { createSHA256 } from "hash-wasm";
import type { HashReport, HashRequest } from "./hash_messages.ts";

/** Progress is reported when this many bytes more were hashed. */
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
    // A file that was cut or grew while it was read has no one content.
    if (done !== file.size) throw new Error(`${file.size} bytes required, found ${done}`);
    report({ kind: "hashed", hash: hasher.digest("hex") });
  } catch (error) {
    report({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", (event) => {
  void hash((event as MessageEvent<HashRequest>).data);
});
