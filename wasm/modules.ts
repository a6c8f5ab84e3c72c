/**
 * The table of WebAssembly modules, with the sources and features of each.
 *
 * @module
 */

import { BLS_MODULES } from "./bls_modules.ts";
import { compressSource } from "./unroll_sha256.ts";

/** A module of `wasm/build/`. */
export interface WasmModule {
  /** `<name>.wasm` in `wasm/build/`. */
  readonly name: string;
  /** Path of the entry below `wasm/assembly/`. */
  readonly entry: string;
  /** WebAssembly features that an engine needs to load it, as asc spells them. */
  readonly features: readonly string[];
  /** Size of its memory in pages of 64 KiB, then fixed: views of it stay valid. */
  readonly pages?: number;
  /** How asc optimizes; -O3 unless given. */
  readonly optimization?: "-O1" | "-O2" | "-O3";
  /**
   * Generated sources: the path below `wasm/assembly/`, as in an import of another source, with
   * `.ts`, and the function that returns the text. Compiled from memory, never written to disk.
   */
  readonly generated?: Readonly<Record<string, () => string>>;
}

const hashing: Omit<WasmModule, "name" | "features"> = {
  entry: "hashing/entry.ts",
  pages: 17,
  // Keeps the order of unrolled rounds: above -O1 each sum moves to its use, and the rounds take a
  // twentieth longer.
  optimization: "-O1",
  generated: { "hashing/compress.ts": compressSource },
};

/** Every module, in the order of the manifest. */
export const MODULES: readonly WasmModule[] = [
  { ...hashing, name: "hashing.simd", features: ["simd"] },
  { ...hashing, name: "hashing.scalar", features: [] },
  ...BLS_MODULES,
];
