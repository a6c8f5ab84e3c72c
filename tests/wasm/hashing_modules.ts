/**
 * The hashing modules as files: bytes and fresh instances, apart from those of the product.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import type { HashingExports } from "../../src/proof/crypto/wasm_hashing.ts";

export const HASHING_MODULES = ["hashing.simd", "hashing.scalar"] as const;

/** The committed bytes of `wasm/build/<name>.wasm`. */
export function moduleBytes(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(
    readFileSync(new URL(`../../wasm/build/${name}.wasm`, import.meta.url)),
  );
}

/** A new instance. */
export function instantiate(bytes: Uint8Array<ArrayBuffer>): HashingExports {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
  return exports as unknown as HashingExports;
}
