/**
 * The hash implementations of the product and the alternatives.
 *
 * @module
 */

import { digest } from "@chainsafe/as-sha256";
import { createHash, hash } from "node:crypto";
import { loadHashWasmKernels } from "../src/proof/crypto/hash_wasm_kernels.ts";
import type { Kernels } from "../src/proof/crypto/kernels.ts";
import { kernelsOf } from "../src/proof/crypto/kernels_of.ts";
import { portableKernels } from "../src/proof/crypto/portable_kernels.ts";
import { HASHING_BUILDS, loadWasmKernels } from "../src/proof/crypto/wasm_kernels.ts";

async function ownBuild(name: string): Promise<Kernels> {
  return (await loadWasmKernels(HASHING_BUILDS.filter((build) => build.name === name)))!;
}

/** By name, our module first. All others hash one message at a time. */
export const HASHING_CORES: Readonly<Record<string, Kernels>> = {
  "wasm, four lanes": await ownBuild("hashing.simd"),
  "wasm, scalar": await ownBuild("hashing.scalar"),
  "node:crypto createHash": kernelsOf((message) => createHash("sha256").update(message).digest()),
  "node:crypto hash": kernelsOf((message) => hash("sha256", message, "buffer")),
  "as-sha256": kernelsOf(digest),
  "hash-wasm": await loadHashWasmKernels(),
  "noble": portableKernels,
};
