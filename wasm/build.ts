/**
 * Compiles every module of the table into `wasm/build/` with a manifest (`deno task wasm`), or
 * compiles in memory and compares with the committed files byte for byte (`deno task wasm:check`).
 * Arguments select modules by name.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import process from "node:process";
import asc from "assemblyscript/asc";
import config from "./deno.json" with { type: "json" };
import { type Compiled, compileModule } from "./compile.ts";
import { MODULES, type WasmModule } from "./modules.ts";

const BUILD = new URL("build/", import.meta.url);
const MANIFEST = new URL("manifest.json", BUILD);

/** One module in `manifest.json`. Digests are SHA-256 in hex. */
interface ManifestEntry {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly entry: string;
  readonly flags: readonly string[];
  readonly sources: string;
}

/** `manifest.json`: how the committed modules were made. */
interface Manifest {
  readonly compiler: string;
  readonly optimizer: string;
  readonly modules: readonly ManifestEntry[];
}

function entryOf(module: WasmModule, { bytes, flags, sources }: Compiled): ManifestEntry {
  return {
    name: module.name,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
    entry: module.entry,
    flags,
    sources,
  };
}

function manifestOf(modules: readonly ManifestEntry[]): Manifest {
  return {
    compiler: `assemblyscript ${asc.version}`,
    optimizer: config.imports.binaryen.slice("npm:".length).replace("@", " "),
    modules,
  };
}

function fileOf(name: string): URL {
  return new URL(`${name}.wasm`, BUILD);
}

async function committedManifest(): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(MANIFEST, "utf8"));
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return manifestOf([]);
    throw error;
  }
}

async function build(modules: readonly WasmModule[]): Promise<void> {
  await mkdir(BUILD, { recursive: true });
  const entries = new Map((await committedManifest()).modules.map((entry) => [entry.name, entry]));
  for (const module of modules) {
    const compiled = await compileModule(module);
    const entry = entryOf(module, compiled);
    entries.set(module.name, entry);
    await writeFile(fileOf(module.name), compiled.bytes);
    process.stdout.write(`${module.name}.wasm  ${entry.bytes} bytes  ${entry.sha256}\n`);
  }
  // In the order of the table; a module that left the table leaves the manifest.
  const listed = MODULES.flatMap(({ name }) => entries.get(name) ?? []);
  await writeFile(MANIFEST, JSON.stringify(manifestOf(listed), null, 2) + "\n");
}

/** The differences between the committed files and the compiled sources. */
export async function findDifferences(modules: readonly WasmModule[]): Promise<string[]> {
  const committed = await committedManifest();
  const differences: string[] = [];
  const { compiler, optimizer } = manifestOf([]);
  if (committed.compiler !== compiler || committed.optimizer !== optimizer) {
    differences.push(`manifest.json: made by ${committed.compiler}, ${committed.optimizer}`);
  }
  const known = committed.modules.map(({ name }) => name).join(" ");
  const listed = MODULES.map(({ name }) => name).join(" ");
  if (modules === MODULES && known !== listed) {
    differences.push(`manifest.json: lists "${known}", required "${listed}"`);
  }
  for (const module of modules) {
    const compiled = await compileModule(module);
    const required = JSON.stringify(entryOf(module, compiled));
    const found = JSON.stringify(committed.modules.find(({ name }) => name === module.name));
    if (found !== required) {
      differences.push(`${module.name}: ${required} compiled, ${found} found`);
    }
    const file = await readFile(fileOf(module.name)).catch(() => undefined);
    if (file === undefined || !file.equals(compiled.bytes)) {
      differences.push(`${module.name}.wasm: other bytes than its sources compile to`);
    }
  }
  return differences;
}

async function check(modules: readonly WasmModule[]): Promise<void> {
  const differences = await findDifferences(modules);
  for (const difference of differences) process.stderr.write(`${difference}\n`);
  if (differences.length > 0) {
    process.stderr.write("Cannot accept wasm/build: run `deno task wasm`, commit what it makes\n");
    process.exitCode = 1;
  }
}

function modulesNamed(names: readonly string[]): readonly WasmModule[] {
  const unknown = names.filter((name) => !MODULES.some((module) => module.name === name));
  if (unknown.length > 0) throw new Error(`No module in wasm/modules.ts: ${unknown.join(", ")}`);
  return names.length === 0 ? MODULES : MODULES.filter(({ name }) => names.includes(name));
}

if (import.meta.main) {
  const [command, ...names] = process.argv.slice(2);
  if (command !== "build" && command !== "check") throw new Error("build or check required");
  await (command === "build" ? build : check)(modulesNamed(names));
}
