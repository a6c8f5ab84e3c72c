/**
 * The WebAssembly modules of the product: the hashing core and the BLS scheme. Only this file
 * imports `.wasm`. Each build has a dynamic import, so an engine that cannot run a build still
 * loads this file.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import type { Bls } from "./bls.ts";
import type { Kernels } from "./kernels.ts";
import { wasmBls } from "./wasm_bls.ts";
import type { BlsExports } from "./wasm_bls_exports.ts";
import { type HashingExports, wasmKernels } from "./wasm_hashing.ts";
import {
  type Build,
  loadModule,
  supportsRelaxedSimd,
  supportsSimd,
  supportsWasm,
} from "./wasm_loader.ts";

/** The builds of the hashing module, best first. */
export const HASHING_BUILDS: readonly Build<HashingExports>[] = [
  {
    name: "hashing.simd",
    isSupported: supportsSimd,
    load: () => import("../../../wasm/build/hashing.simd.wasm"),
  },
  {
    name: "hashing.scalar",
    isSupported: supportsWasm,
    load: () => import("../../../wasm/build/hashing.scalar.wasm"),
  },
];

/** The hashing core in WebAssembly; `undefined` if the engine cannot run any build. */
export async function loadWasmKernels(
  builds: readonly Build<HashingExports>[] = HASHING_BUILDS,
): Promise<Kernels | undefined> {
  const loaded = await loadModule(builds);
  return loaded && wasmKernels(loaded.exports);
}

// RFC 9380 appendix J.9.1, the first message, compressed.
const KNOWN_TAG = "QUUX-V01-CS02-with-BLS12381G1_XMD:SHA-256_SSWU_RO_";
const KNOWN_HASH = "852926add2207b76ca4fa57a8734416c8dc95e24501772c8" +
  "14278700eed6d1e4e8cf62d9c09db0fac349612b759e79a1";

/**
 * True if a build hashes to G1 as in the RFC. On hardware without a fused multiply-add, the relaxed
 * instruction rounds twice, and nearly every product of the field is wrong.
 */
function hashesToG1(exports: BlsExports): boolean {
  return hexOf(wasmBls(exports).hashToG1(utf8(""), KNOWN_TAG)) === KNOWN_HASH;
}

/** The builds of the BLS module, best first. */
export const BLS_BUILDS: readonly Build<BlsExports>[] = [
  {
    name: "bls.fma",
    isSupported: supportsRelaxedSimd,
    load: () => import("../../../wasm/build/bls.fma.wasm"),
    passes: hashesToG1,
  },
  {
    name: "bls.scalar",
    isSupported: supportsWasm,
    load: () => import("../../../wasm/build/bls.scalar.wasm"),
    passes: hashesToG1,
  },
];

/** The scheme in WebAssembly; `undefined` if the engine cannot run any build. */
export async function loadWasmBls(
  builds: readonly Build<BlsExports>[] = BLS_BUILDS,
): Promise<Bls | undefined> {
  const loaded = await loadModule(builds);
  return loaded && wasmBls(loaded.exports);
}
