/**
 * The verifier, the clients and the page use only what Node 20 and the browsers of November 2023 have
 * (Chrome 119, Firefox 119, Safari 17.1). Types of that year's ECMAScript show the built-ins that are
 * newer; those of the document have no years, so their names are listed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);
const ENTRIES = [
  "src/proof/verify/mod.ts",
  "src/proof/timestamp/mod.ts",
  "src/explorer/main.tsx",
  "src/explorer/copy/main.tsx",
  "src/explorer/hashing/hash_worker.ts",
  "src/explorer/hashing/long_hashes.ts",
  "src/explorer/verify/timestamp_script.ts",
  ...[...Deno.readDirSync(new URL("src/client/", ROOT))].map(({ name }) => `src/client/${name}`),
];

/**
 * ECMAScript of 2023, and of 2024 what these engines have. A method for `using` does no harm where
 * the engine lacks its symbol, and {@linkcode NEWER} finds `using` itself.
 */
const LIB = ["es2023", "es2024.string", "esnext.disposable", "dom"];

/** Newer parts of browsers and newer syntax. Safari cannot iterate over streams; `partsOf()` can. */
const NEWER = [
  /\bAbortSignal\.any\b/,
  /\bURL\.(canParse|parse)\b/,
  /\bfor await \((?!.*\bpartsOf\()[^;{]*(\.stream\(\)|\.body\b|\.pipeThrough\()/,
  /\.(checkVisibility|showPopover|startViewTransition|requestIdleCallback|showSaveFilePicker)\b/,
  /\busing \w+ =/,
];

interface Module {
  readonly specifier: string;
}

async function deno(folder: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** The errors of types in `files` with the libraries of {@linkcode LIB}. */
async function typeErrors(files: readonly string[]): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    const { imports, compilerOptions } = JSON.parse(
      await Deno.readTextFile(new URL("deno.json", ROOT)),
    );
    const lock = { path: fileURLToPath(new URL("deno.lock", ROOT)), frozen: true };
    const config = { imports, lock, compilerOptions: { ...compilerOptions, lib: LIB } };
    await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify(config));
    const args = ["check", "--quiet", "--config", join(folder, "deno.json"), ...files];
    const { code, stderr } = await deno(fileURLToPath(ROOT), ...args);
    const errors = stderr.split("\n").filter((line) => /^TS\d+ /.test(line));
    assert.equal(code === 0, errors.length === 0, stderr);
    return errors;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function isNewer(line: string): boolean {
  return NEWER.some((pattern) => pattern.test(line));
}

Deno.test("newer built-ins are found by their types", async () => {
  const uses = [
    'Uint8Array.fromHex("00")',
    "new Uint8Array().toBase64()",
    "new Set([1]).union(new Set([2]))",
    "Map.groupBy([1], (n) => n)",
    "Promise.withResolvers()",
    "Array.fromAsync([1])",
    'RegExp.escape("a")',
    "[1].values().map((n) => n)",
    "Error.isError(1)",
    "new Float16Array(1)",
  ];
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, uses.map((use) => `console.log(${use});\n`).join(""));
    const errors = await typeErrors([file]);
    assert.ok(errors.filter((line) => !line.startsWith("TS7006")).length >= uses.length);
  } finally {
    await Deno.remove(file);
  }
  for (
    const use of [
      "AbortSignal.any([])",
      "URL.canParse(text)",
      "for await (const part of response.body ?? []) {",
      "for await (const part of file.stream()) {",
      "await using file = open();",
    ]
  ) assert.ok(isNewer(use), use);
  assert.ok(!isNewer("for await (const part of partsOf(file.stream())) {"));
});

Deno.test("the verifier, the clients and the page use no newer built-in", async () => {
  assert.deepEqual(await typeErrors(ENTRIES), []);
  const modules = new Set<string>();
  for (const entry of ENTRIES.slice(0, 3)) {
    const { stdout } = await deno(fileURLToPath(ROOT), "info", "--json", entry);
    for (const { specifier } of JSON.parse(stdout).modules as Module[]) {
      if (specifier.startsWith(ROOT.href)) modules.add(specifier);
    }
  }
  assert.ok(modules.size > 100);
  const found: string[] = [];
  for (const module of modules) {
    const text = await Deno.readTextFile(new URL(module));
    const lines = text.split("\n").filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line));
    found.push(...lines.filter(isNewer).map((line) => `${module}: ${line.trim()}`));
  }
  assert.deepEqual(found, []);
});
