/**
 * The worker that hashes files, one after the other. The content never leaves the browser.
 *
 * @module
 */

import { createSHA256 } from "hash-wasm";
import { partsOf } from "../../client/stream_parts.ts";
import type { HashReport, HashRequest } from "./hash_pool.ts";

/** Bytes between two progress reports. */
const REPORT_BYTES = 8 * 1024 * 1024;

function report(message: HashReport): void {
  postMessage(message);
}

const hashers = createSHA256();

async function hash({ file }: HashRequest): Promise<void> {
  try {
    const hasher = (await hashers).init();
    const { size } = file;
    let [done, reported] = [0, 0];
    if (size >= REPORT_BYTES) report({ kind: "progress", done, size });
    for await (const chunk of partsOf(file.stream())) {
      hasher.update(chunk);
      done += chunk.length;
      if (done - reported >= REPORT_BYTES) {
        reported = done;
        report({ kind: "progress", done, size });
      }
    }
    if (done !== size) throw new Error("the file changed while it was read");
    report({ kind: "hashed", hash: hasher.digest("hex"), size });
  } catch (error) {
    report({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

addEventListener("message", (event) => {
  void hash((event as MessageEvent<HashRequest>).data);
});
