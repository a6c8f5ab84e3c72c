/**
 * The worker that hashes files and searches proofs of work, one after the other. The content of a
 * file never leaves the browser.
 *
 * @module
 */

import { createSHA256, type IHasher } from "hash-wasm";
import { partsOf } from "../../client/stream_parts.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { portableKernels } from "../../proof/crypto/portable_kernels.ts";
import { loadServedKernels } from "../../proof/crypto/served_wasm.ts";
import { findWork } from "../../proof/format/work_proof.ts";
import { importPart } from "../page_part.ts";
import {
  type FileRequest,
  type HashReport,
  type HashRequest,
  LONG_HASHES,
  type WorkRequest,
} from "./hash_pool.ts";

/** Bytes between two progress reports. */
const REPORT_BYTES = 8 * 1024 * 1024;

function report(message: HashReport): void {
  postMessage(message);
}

const sha256 = createSHA256();

async function hasherOf({ hash, modules }: FileRequest): Promise<IHasher> {
  if (hash === "SHA-256") return await sha256;
  const script = await importPart<typeof import("./long_hashes.ts")>(modules[LONG_HASHES]!);
  return await (hash === "SHA-384" ? script.createSHA384() : script.createSHA512());
}

async function hash(request: FileRequest): Promise<void> {
  const found = await hasherOf(request).catch(() => undefined);
  if (found === undefined) return report({ kind: "not_loaded" });
  const hasher = found.init();
  const { file } = request;
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
}

let kernels: Promise<Kernels | undefined> | undefined;

async function search({ subject, demand, modules }: WorkRequest): Promise<void> {
  kernels ??= loadServedKernels((file) => fetch(modules[file]!));
  const proof = findWork(subject, demand, await kernels ?? portableKernels);
  report({ kind: "found", proof });
}

addEventListener("message", (event) => {
  const { data } = event as MessageEvent<HashRequest>;
  const done = data.kind === "file" ? hash(data) : search(data);
  done.catch((error) => {
    report({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  });
});
