/**
 * Builds the npm package in dist/npm/, or in the folder that the argument names: the command line and the library for Node, Bun and Deno, in
 * JavaScript with all dependencies in it, and the type declarations.
 *
 * The folders are those of the sources (`src/base/program_files.ts`). Modules that several entries share
 * are chunks in lib/.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PACKAGE = resolve(Deno.args[0] ?? join(ROOT, "dist/npm"));
const BUILT = join(PACKAGE, "lib");

/** The program. */
const PROGRAM = ["main.ts", "src/server/role_worker.ts"];

/** The modules of the library, by the name that the package exports them under. */
const LIBRARY: Readonly<Record<string, string>> = {
  ".": "mod.ts",
  "./verify": "src/proof/verify/mod.ts",
  "./verify/timestamp": "src/proof/timestamp/mod.ts",
  "./client": "src/client/mod.ts",
  "./formats": "src/proof/format/mod.ts",
};

/** What the program reads while it runs. */
const READ = ["src/explorer/build", "wasm/build", "docs/vectors/c2sp"];
const TEXTS = ["README.md", "CHANGELOG.md", "LICENSE"];

/** The oldest Node that runs the package. */
const NODE = ">=20";

interface Manifest {
  readonly version: string;
  readonly license: string;
}

await Deno.remove(PACKAGE, { recursive: true }).catch(() => {});
await bundle("deno", PROGRAM);
await bundle("browser", Object.values(LIBRARY));
for await (const path of filesBelow(BUILT)) {
  if (!path.endsWith(".js")) continue;
  await lower(path);
  await nameSources(path);
}
for (const path of Object.values(LIBRARY)) await dropBareImports(path);
declareTypes();
for (const path of READ) await copy(path, BUILT);
for (const path of TEXTS) await copy(path, PACKAGE);
await makeExecutable(join(BUILT, "main.js"));
await writeManifest();
Deno.stdout.writeSync(
  new TextEncoder().encode(
    `Wrote ${relative(Deno.cwd(), PACKAGE)}/. To pack it: npm pack ./dist/npm\n`,
  ),
);

/** A bundle for browsers imports nothing of Node, so that every bundler takes it, and runs in Node as well. */
async function bundle(platform: "deno" | "browser", entries: readonly string[]): Promise<void> {
  const { code } = await new Deno.Command(Deno.execPath(), {
    args: [
      "bundle",
      "--quiet",
      "--code-splitting",
      "--platform",
      platform,
      "--outdir",
      BUILT,
      ...entries,
    ],
    cwd: ROOT,
  }).output();
  if (code !== 0) throw new Error("deno bundle failed");
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesBelow(path);
    else yield path;
  }
}

/** Rewrites `using`, which Node 20 and 22 lack. */
async function lower(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  if (!/\busing \w+ =/.test(text)) return;
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  });
  await Deno.writeTextFile(path, outputText);
}

/** The bundler names each module by its path: names those of packages by package instead of by the cache of this machine. */
async function nameSources(path: string): Promise<void> {
  const text = await Deno.readTextFile(path);
  const named = text.replaceAll(/[^\s"'`]*\/npm\/registry\.npmjs\.org\//g, "npm:");
  if (named !== text) await Deno.writeTextFile(path, named);
}

/**
 * Imports of a chunk for its effects alone, of which it has none: bundlers warn of them, since the manifest says
 * so.
 */
async function dropBareImports(entry: string): Promise<void> {
  const path = join(BUILT, entry.replace(/\.ts$/, ".js"));
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(path, text.replaceAll(/^import "[^"]*\/chunk-[^"]*";\n/gm, ""));
}

/**
 * Writes the declarations of the library's modules, and of those that they import. `task check` checks
 * the types.
 */
function declareTypes(): void {
  const options: ts.CompilerOptions = {
    declaration: true,
    emitDeclarationOnly: true,
    allowImportingTsExtensions: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.esnext.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    types: [],
    rootDir: ROOT,
    outDir: BUILT,
  };
  const entries = Object.values(LIBRARY).map((path) => join(ROOT, path));
  // No exported type is of a dependency.
  const dependencies = join(ROOT, "tools/dependencies.d.ts");
  const program = ts.createProgram([...entries, dependencies], options);
  const { diagnostics } = program.emit(
    undefined,
    (path, text) => {
      Deno.mkdirSync(dirname(path), { recursive: true });
      Deno.writeTextFileSync(
        path,
        text.replaceAll(/(from "|import\(")(\.[^"]*)\.ts"/g, '$1$2.js"'),
      );
    },
  );
  if (diagnostics.length === 0) return;
  throw new Error(ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => ROOT,
    getNewLine: () => "\n",
  }));
}

async function copy(path: string, target: string): Promise<void> {
  const [from, to] = [join(ROOT, path), join(target, path)];
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to, { recursive: true });
  for await (const { name } of Deno.readDir(from)) await copy(join(path, name), target);
}

async function makeExecutable(path: string): Promise<void> {
  await Deno.writeTextFile(path, `#!/usr/bin/env node\n${await Deno.readTextFile(path)}`);
  await Deno.chmod(path, 0o755);
}

async function writeManifest(): Promise<void> {
  const { version, license }: Manifest = JSON.parse(
    await Deno.readTextFile(join(ROOT, "deno.json")),
  );
  const built = (path: string, extension: string) => `./lib/${path.replace(/\.ts$/, extension)}`;
  const manifest = {
    name: "countersign",
    version,
    description:
      "Prove that a file existed at a time: independent witnesses sign its hash, and anyone verifies offline",
    keywords: ["attestation", "timestamp", "transparency-log", "merkle", "witness", "verifier"],
    license,
    type: "module",
    sideEffects: ["./lib/main.js", "./lib/src/server/role_worker.js"],
    engines: { node: NODE },
    bin: { countersign: "lib/main.js" },
    exports: {
      ...Object.fromEntries(
        Object.entries(LIBRARY).map(([name, path]) => [name, {
          types: built(path, ".d.ts"),
          default: built(path, ".js"),
        }]),
      ),
      "./package.json": "./package.json",
    },
  };
  await Deno.writeTextFile(
    join(PACKAGE, "package.json"),
    `${JSON.stringify(manifest, undefined, 2)}\n`,
  );
}
