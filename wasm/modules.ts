/**
 * The one table of WebAssembly modules: what each is compiled from, and with which features.
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
   * Sources that a program writes: path below `wasm/assembly/`, as an import in another source
   * names it, with `.ts`; and what gives the text. Compiled from memory, never written to disk.
   */
  readonly generated?: Readonly<Record<string, () => string>>;
}

const hashing: Omit<WasmModule, "name" | "features"> = {
  entry: "hashing/entry.ts",
  pages: 17,
  // Unrolled rounds stay in the order in which they are written: above -O1 each sum moves to where
  // it is used, and the rounds took a twentieth longer.
  optimization: "-O1",
  generated: { "hashing/compress.ts": compressSource },
};

/** Every module, in the order of the manifest. */
export const MODULES: readonly WasmModule[] = [
  { ...hashing, name: "hashing.simd", features: ["simd"] },
  { ...hashing, name: "hashing.scalar", features: [] },
  ...BLS_MODULES,
];
