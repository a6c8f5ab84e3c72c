/**
 * The one table of WebAssembly modules: what each is compiled from, and with which features.
 *
 * @module
 */

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
  /**
   * Sources that a program writes: path below `wasm/assembly/`, as an import in another source
   * names it, with `.ts`; and what gives the text. Compiled from memory, never written to disk.
   */
  readonly generated?: Readonly<Record<string, () => string>>;
}

const hashing = {
  entry: "hashing/entry.ts",
  pages: 17,
  generated: { "hashing/compress.ts": compressSource },
};

/** Every module, in the order of the manifest. */
export const MODULES: readonly WasmModule[] = [
  { ...hashing, name: "hashing.simd", features: ["simd"] },
  { ...hashing, name: "hashing.scalar", features: [] },
];
