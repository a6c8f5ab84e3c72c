/**
 * Builds the page into `build/` with a manifest (`deno task explorer`), or builds it in memory and
 * compares the bytes with the committed files (`deno task explorer:check`).
 *
 * @module
 */

import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Tasks run in the project's root. */
const ROOT = pathToFileURL(`${process.cwd()}/`);
const SOURCE = new URL("src/explorer/", ROOT);
const BUILD = new URL("build/", SOURCE);
const MANIFEST = "manifest.json";

/** The scripts that a browser loads. Each is bundled with all its imports but WebAssembly. */
const SCRIPTS = {
  "main.js": "main.tsx",
  "copy.js": "copy/main.tsx",
  "hash_worker.js": "hashing/hash_worker.ts",
  "long_hashes.js": "hashing/long_hashes.ts",
  "timestamps.js": "verify/timestamp_script.ts",
} as const;

/** Style sheets in the order of the cascade. */
const STYLES = [
  "tokens",
  "base",
  "layout",
  "components",
  "stamp",
  "verify",
  "certificate",
  "explore",
  "log",
];

const COPIED = ["index.html", "icon.svg", "start_check.js"];

/** The built files by name; the manifest is last. */
type Built = ReadonlyMap<string, Uint8Array>;

async function run(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: fileURLToPath(ROOT),
    env: { NO_COLOR: "1" },
  }).output();
  if (code === 0) return new TextDecoder().decode(stdout);
  throw new Error(`deno ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

async function bundle(entry: string, output: string): Promise<void> {
  await run([
    "bundle",
    "--quiet",
    "--platform",
    "browser",
    "--minify",
    "--external",
    "*.wasm",
    "--output",
    output,
    `src/explorer/${entry}`,
  ]);
}

async function build(): Promise<Built> {
  const folder = await mkdtemp(`${tmpdir()}/explorer-`);
  try {
    const files = new Map<string, Uint8Array>();
    for (const [name, entry] of Object.entries(SCRIPTS)) {
      await bundle(entry, `${folder}/${name}`);
      files.set(name, await readFile(`${folder}/${name}`));
    }
    const styles = STYLES.map((name) => readFile(new URL(`style/${name}.css`, SOURCE), "utf8"));
    const style = (await Promise.all(styles)).join("\n");
    files.set("main.css", new TextEncoder().encode(`${style}\n${lightColours(style)}`));
    for (const name of COPIED) files.set(name, await readFile(new URL(name, SOURCE)));
    files.set(MANIFEST, new TextEncoder().encode(manifestText(files)));
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Browsers before 2024 have no `light-dark()`: they get the light colours. */
function lightColours(style: string): string {
  const colours = [...style.matchAll(/(--[\w-]+): light-dark\((#\w+), #\w+\);/g)]
    .map(([, name, light]) => `    ${name}: ${light};\n`).join("");
  return `@supports not (color: light-dark(#000, #fff)) {
  :root:root {
    color-scheme: light;
${colours}  }
}
`;
}

function manifestText(files: Built): string {
  const entries = [...files].map(([name, bytes]) => ({
    name,
    sha256: createHash("sha256").update(bytes).digest("hex"),
    bytes: bytes.length,
  }));
  const bundler = `deno ${Deno.version.deno}`;
  return `${JSON.stringify({ bundler, files: entries }, undefined, 2)}\n`;
}

/** Replaces the whole folder, which removes files that are not built any more. */
async function writeBuild(files: Built): Promise<void> {
  const made = await mkdtemp(`${tmpdir()}/explorer-`);
  for (const [name, bytes] of files) await writeFile(`${made}/${name}`, bytes);
  await rm(BUILD, { recursive: true, force: true });
  await mkdir(BUILD);
  await cp(made, BUILD, { recursive: true });
  await rm(made, { recursive: true });
  for (const [name, bytes] of files) process.stdout.write(`${name}  ${bytes.length} bytes\n`);
}

async function differences(files: Built): Promise<string[]> {
  const committed = await readdir(BUILD).catch(() => []);
  const found = committed.filter((name) => !files.has(name)).map((name) => `${name}: not built`);
  for (const [name, bytes] of files) {
    const kept = await readFile(new URL(name, BUILD)).catch(() => undefined);
    if (kept === undefined || !kept.equals(bytes)) {
      found.push(`${name}: differs from the build of its sources`);
    }
  }
  return found;
}

if (import.meta.main) {
  const [command] = process.argv.slice(2);
  if (command !== "build" && command !== "check") throw new Error("Usage: build.ts build|check");
  const built = await build();
  if (command === "build") await writeBuild(built);
  else {
    const found = await differences(built);
    for (const difference of found) process.stderr.write(`${difference}\n`);
    if (found.length > 0) {
      process.stderr.write(
        "src/explorer/build is out of date: run `deno task explorer` and commit the result\n",
      );
      process.exitCode = 1;
    }
  }
}
