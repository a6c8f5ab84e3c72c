/**
 * Every implementation of `Kernels`, and helpers of their tests.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { loadHashWasmKernels } from "../../../src/proof/crypto/hash_wasm_kernels.ts";
import type { Kernels } from "../../../src/proof/crypto/kernels.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { HASHING_BUILDS, loadWasmKernels } from "../../../src/proof/crypto/wasm_kernels.ts";

/** Both builds of our module, regardless of the product's choice. */
async function ownBuild(name: string): Promise<Kernels> {
  const build = HASHING_BUILDS.filter((build) => build.name === name);
  return (await loadWasmKernels(build))!;
}

/** Name and implementation; the portable one first. */
export const IMPLEMENTATIONS: readonly (readonly [string, Kernels])[] = [
  ["portable", portableKernels],
  ["hash-wasm", await loadHashWasmKernels()],
  ["SIMD", await ownBuild("hashing.simd")],
  ["scalar", await ownBuild("hashing.scalar")],
];

/** SHA-256 of the concatenation, by `node:crypto`. */
export function sha256(...parts: Uint8Array[]): Uint8Array {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** Bytes without a period that would hide a block error. */
export function pattern(length: number, seed = 0): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 3) * 7 + seed) % 251);
}
