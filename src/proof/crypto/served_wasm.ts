/**
 * The WebAssembly modules of the product in a browser, which fetches them.
 *
 * @module
 */

import type { Bls } from "./bls.ts";
import type { Kernels } from "./kernels.ts";
import { BLS_BUILDS, HASHING_BUILDS, loadWasmBls, loadWasmKernels } from "./wasm_kernels.ts";
import type { Build } from "./wasm_loader.ts";

/** {@linkcode loadWasmKernels} in a browser: `open` fetches a `.wasm` file. */
export function loadServedKernels(
  open: (file: string) => Promise<Response>,
): Promise<Kernels | undefined> {
  return loadWasmKernels(servedBuilds(HASHING_BUILDS, open));
}

/** {@linkcode loadWasmBls} in a browser: `open` fetches a `.wasm` file. */
export function loadServedBls(
  open: (file: string) => Promise<Response>,
): Promise<Bls | undefined> {
  return loadWasmBls(servedBuilds(BLS_BUILDS, open));
}

/**
 * `builds` for a browser: `open` fetches a file such as `hashing.simd.wasm`, which is compiled
 * while it streams. A failed response counts as a build that does not load.
 */
function servedBuilds<E>(
  builds: readonly Build<E>[],
  open: (file: string) => Promise<Response>,
): Build<E>[] {
  return builds.map((build) => ({
    ...build,
    load: async () => {
      const response = await open(`${build.name}.wasm`);
      try {
        const { instance } = await WebAssembly.instantiateStreaming(response);
        return instance.exports as E;
      } finally {
        // A response of another type or status is refused without reading it.
        if (!response.bodyUsed) await response.body?.cancel();
      }
    },
  }));
}
