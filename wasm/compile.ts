/**
 * Compiles one module of the table. The same sources give the same bytes on every machine and in
 * every folder: sources are named by their path below `wasm/assembly/`, and no other name enters.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import asc from "assemblyscript/asc";
import type { WasmModule } from "./modules.ts";

const ASSEMBLY = new URL("assembly/", import.meta.url);

/**
 * No runtime, no managed objects and no imports; `abort` is a trap. Assertions are only for
 * debugging.
 */
const COMMON_FLAGS = ["--runtime", "stub", "--use", "abort=", "--noAssert"];

/** A compiled module with its flags and sources. */
export interface Compiled {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly flags: readonly string[];
  /** SHA-256 over the names and texts of all sources that the compiler read, in hex. */
  readonly sources: string;
}

function flagsOf(module: WasmModule): string[] {
  const { pages, optimization = "-O3" } = module;
  const memory = pages === undefined
    ? []
    : ["--initialMemory", `${pages}`, "--maximumMemory", `${pages}`];
  const features = module.features.flatMap((feature) => ["--enable", feature]);
  return [...COMMON_FLAGS, optimization, ...memory, ...features];
}

/** Reads sources by their path below `wasm/assembly/`, and records them. */
class SourceReader {
  readonly #generated: Readonly<Record<string, () => string>>;
  readonly #texts = new Map<string, string>();

  constructor(module: WasmModule) {
    this.#generated = module.generated ?? {};
  }

  /** The text, or `null` if there is none: the compiler tries several names for one import. */
  read(path: string): string | null {
    const text = this.#generated[path]?.() ?? readSource(path);
    if (text !== null) this.#texts.set(path, text);
    return text;
  }

  /** Sorted by name, so that the compiler's order of reading does not affect the digest. */
  digest(): string {
    const hash = createHash("sha256");
    for (const [path, text] of [...this.#texts].sort(([a], [b]) => a < b ? -1 : 1)) {
      hash.update(`${path}\n${text.length}\n${text}`);
    }
    return hash.digest("hex");
  }
}

function readSource(path: string): string | null {
  if (!path.endsWith(".ts")) return null;
  try {
    return readFileSync(new URL(path, ASSEMBLY), "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Compiles `module`; throws with the compiler's message on an error, and if the module has imports.
 */
export async function compileModule(module: WasmModule): Promise<Compiled> {
  const flags = flagsOf(module);
  const sources = new SourceReader(module);
  let said = "";
  let output: Uint8Array | undefined;
  const { error } = await asc.main([module.entry, ...flags, "--outFile", "module.wasm"], {
    stdout: { write: (text) => void (said += text) },
    stderr: { write: (text) => void (said += text) },
    readFile: (path) => sources.read(path),
    writeFile(_name, contents) {
      if (contents instanceof Uint8Array) output = contents;
    },
    listFiles: () => [],
  });
  if (error !== null || output === undefined || said !== "") {
    throw new Error(`Cannot compile ${module.name}: ${error?.message ?? ""}\n${said}`);
  }
  const bytes = new Uint8Array(output);
  checkImports(module.name, bytes);
  return { bytes, flags, sources: sources.digest() };
}

function checkImports(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  if (imports.length > 0) {
    const found = imports.map(({ module, name }) => `${module}.${name}`).join(", ");
    throw new Error(`Cannot accept ${name}: a module without imports required, ${found} found`);
  }
}
