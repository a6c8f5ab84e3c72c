/**
 * The one place that chooses the implementation of the `bls` scheme which a program runs with.
 *
 * @module
 */

import type { Bls } from "./bls.ts";
import { portableBls } from "./portable_bls.ts";
import { loadWasmBls } from "./wasm_kernels.ts";

let loaded: Promise<Bls> | undefined;

/** Our WebAssembly module, one instance for all who ask, else plain JavaScript. */
export function loadBls(): Promise<Bls> {
  return loaded ??= loadWasmBls().then((bls) => bls ?? portableBls);
}
