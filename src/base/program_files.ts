/**
 * The program's own files that are read, or run as workers, while it runs. In the sources they lie
 * around this module. A package has this module bundled in its top folder, and JavaScript in place of
 * TypeScript; the folders below it are the same.
 *
 * @module
 */

const isSource = import.meta.url.endsWith(".ts");
const ROOT = new URL(isSource ? "../../" : "./", import.meta.url);

const EXTENSION = isSource ? "ts" : "js";

export const PROGRAM = new URL(`main.${EXTENSION}`, ROOT);

/** The folder of the built page. */
export const PAGE_FOLDER = new URL("src/explorer/build/", ROOT);

/** The folder of WebAssembly modules, which the page loads. */
export const WASM_FOLDER = new URL("wasm/build/", ROOT);

/** The folder of the vectors of `conformance verifier`. */
export const C2SP_VECTORS = new URL("docs/vectors/c2sp/", ROOT);

export const ROLE_WORKER = new URL(`src/server/role_worker.${EXTENSION}`, ROOT);

/** Folders and files from which workers are loaded. */
export const PROGRAM_SOURCES: readonly URL[] = isSource
  ? ["src", "wasm", "deno.json"].map((path) => new URL(path, ROOT))
  : [ROOT];
