/**
 * Chooses the implementation of the `bls` scheme.
 *
 * @module
 */

import type { Bls } from "./bls.ts";
import { portableBls } from "./portable_bls.ts";
import { loadWasmBls } from "./wasm_kernels.ts";

let loaded: Promise<Bls> | undefined;

/** Our WebAssembly module, with one shared instance, or plain JavaScript if it does not load. */
export function loadBls(): Promise<Bls> {
  return loaded ??= loadWasmBls().then((bls) => bls ?? portableBls);
}
