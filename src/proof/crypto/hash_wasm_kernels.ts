/**
 * {@linkcode Kernels} with hash-wasm's compiled SHA-256, one message at a time: used if our own
 * module does not load. Tests compare the module with it.
 *
 * @module
 */

import { createSHA256 } from "hash-wasm";
import type { Kernels } from "./kernels.ts";
import { kernelsOf } from "./kernels_of.ts";

/** Compiles the module; the hashing itself is synchronous. */
export async function loadHashWasmKernels(): Promise<Kernels> {
  const hasher = await createSHA256();
  return kernelsOf((message) => hasher.init().update(message).digest("binary"));
}
