/**
 * The WebAssembly modules of the product, and the hashing core in WebAssembly. The only file that
 * imports `.wasm`: each build by itself and only when it is loaded, so that an engine that cannot
 * run one still loads this file.
 *
 * @module
 */

import type { Kernels } from "./kernels.ts";
import { type HashingExports, wasmKernels } from "./wasm_hashing.ts";
import { type Build, loadModule, servedBuilds, supportsSimd, supportsWasm } from "./wasm_loader.ts";

/** The builds of the hashing module, best first. */
export const HASHING_BUILDS: readonly Build<HashingExports>[] = [
  {
    name: "hashing.simd",
    isSupported: supportsSimd,
    load: () => import("../../wasm/build/hashing.simd.wasm"),
  },
  {
    name: "hashing.scalar",
    isSupported: supportsWasm,
    load: () => import("../../wasm/build/hashing.scalar.wasm"),
  },
];

/** The hashing core in WebAssembly; `undefined` where the engine runs none of the builds. */
export async function loadWasmKernels(
  builds: readonly Build<HashingExports>[] = HASHING_BUILDS,
): Promise<Kernels | undefined> {
  const loaded = await loadModule(builds);
  return loaded && wasmKernels(loaded.exports);
}

/** {@linkcode loadWasmKernels} in a browser: `open` answers the response for a `.wasm` file. */
export function loadServedKernels(
  open: (file: string) => Promise<Response>,
): Promise<Kernels | undefined> {
  return loadWasmKernels(servedBuilds(HASHING_BUILDS, open));
}
