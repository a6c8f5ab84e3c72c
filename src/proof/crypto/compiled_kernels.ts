/**
 * The fastest {@linkcode Kernels} that this engine runs.
 *
 * @module
 */

import type { Kernels } from "./kernels.ts";
import { portableKernels } from "./portable_kernels.ts";
import { loadWasmKernels } from "./wasm_kernels.ts";

/**
 * Our WebAssembly module from `loadOwn`, else hash-wasm's, else plain JavaScript. All give the same
 * results.
 */
export async function loadCompiledKernels(
  loadOwn: () => Promise<Kernels | undefined> = loadWasmKernels,
): Promise<Kernels> {
  const kernels = await loadOwn();
  if (kernels !== undefined) return kernels;
  // Imported dynamically because hardly any engine needs it.
  const { loadHashWasmKernels } = await import("./hash_wasm_kernels.ts");
  return await loadHashWasmKernels().catch(() => portableKernels);
}
