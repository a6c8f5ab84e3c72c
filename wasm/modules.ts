/**
 * The one table of WebAssembly modules: what each is compiled from, and with which features.
 *
 * @module
 */

/** A module of `wasm/build/`. */
export interface WasmModule {
  /** `<name>.wasm` in `wasm/build/`. */
  readonly name: string;
  /** Path of the entry below `wasm/assembly/`. */
  readonly entry: string;
  /** WebAssembly features that an engine needs to load it, as asc spells them. */
  readonly features: readonly string[];
  /**
   * Sources that a program writes: path below `wasm/assembly/`, as an import in another source
   * names it, with `.ts`; and what gives the text. Compiled from memory, never written to disk.
   */
  readonly generated?: Readonly<Record<string, () => string>>;
}

/** Every module, in the order of the manifest. */
export const MODULES: readonly WasmModule[] = [];
