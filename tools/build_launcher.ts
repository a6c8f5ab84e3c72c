/**
 * Builds dist/countersign-VERSION-OS-ARCH, or the file that the first argument names: a shell script
 * with Deno and the program of dist/npm/, or of the folder of the second argument, compressed behind
 * it. It unpacks them once into a folder of the user's cache, and checks them at every start.
 *
 * @module
 */

import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { DENO_ARGUMENTS, DENO_VERSION } from "../src/cli/deno_process.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const { version } = JSON.parse(await Deno.readTextFile(join(ROOT, "deno.json")));
const NAME = `countersign-${version}-${Deno.build.os}-${Deno.build.arch}`;

const target = resolve(Deno.args[0] ?? join(ROOT, "dist", NAME));
const library = join(resolve(Deno.args[1] ?? join(ROOT, "dist/npm")), "lib");

if (Deno.version.deno !== DENO_VERSION) {
  throw new Error(`Run this in Deno ${DENO_VERSION}, which the program is tested with`);
}

if (!await Deno.stat(library).then(({ isDirectory }) => isDirectory, () => false)) {
  Deno.stderr.writeSync(
    new TextEncoder().encode(`There is no ${library}: build the package first: deno task npm\n`),
  );
  Deno.exit(1);
}

const staging = await Deno.makeTempDir();
try {
  await Deno.copyFile(Deno.execPath(), join(staging, "deno"));
  await Deno.chmod(join(staging, "deno"), 0o755);
  await copyProgram(library);
  const sums = await checksums();
  const payload = await packed();
  await Deno.writeTextFile(target, head(sums, await sha256(new TextEncoder().encode(sums))));
  await Deno.writeFile(target, payload, { append: true });
  await Deno.chmod(target, 0o755);
} finally {
  await Deno.remove(staging, { recursive: true });
}

const megabytes = Math.round((await Deno.stat(target)).size / 1e6);
Deno.stdout.writeSync(
  new TextEncoder().encode(`Wrote ${relative(Deno.cwd(), target)} (${megabytes} MB)\n`),
);

/** Copies all files but type declarations. */
async function copyProgram(folder: string): Promise<void> {
  for await (const path of filesBelow(folder)) {
    if (path.endsWith(".d.ts")) continue;
    const copy = join(staging, "lib", relative(library, path));
    await Deno.mkdir(join(copy, ".."), { recursive: true });
    await Deno.copyFile(path, copy);
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory) yield* filesBelow(path);
    else yield path;
  }
}

/** The lines of `sha256sum` for the files to unpack. */
async function checksums(): Promise<string> {
  const paths = (await Array.fromAsync(filesBelow(staging))).toSorted();
  const lines = await Promise.all(
    paths.map(async (path) =>
      `${await sha256(await Deno.readFile(path))}  ${relative(staging, path)}\n`
    ),
  );
  return lines.join("");
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

async function packed(): Promise<Uint8Array> {
  const script = 'tar -cf - -C "$1" deno lib | gzip -6 -n';
  const { success, stdout } = await new Deno.Command("sh", {
    args: ["-c", script, "sh", staging],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error("tar failed");
  return stdout;
}

function head(sums: string, digest: string): string {
  const text = (line: number) =>
    `#!/bin/sh
# countersign ${version} for ${Deno.build.os} ${Deno.build.arch}: a shell script, followed by Deno ${DENO_VERSION} and the program, compressed.
set -eu
umask 077
cache=\${XDG_CACHE_HOME:-\${HOME:?countersign: HOME or XDG_CACHE_HOME has to be set}/.cache}/countersign
files=$cache/${digest}
fail() { echo "countersign: $1" >&2; exit 1; }
check() {
  if command -v sha256sum >/dev/null; then sha256sum -c >/dev/null 2>&1
  else shasum -a 256 -c >/dev/null 2>&1
  fi
}
checked() (
  cd "$1" && check <<'END'
${sums}END
)
if ! [ -d "$files" ]; then
  mkdir -p "$cache"
  unpacked=$(mktemp -d "$cache/unpacking.XXXXXX")
  trap 'rm -rf "$unpacked"' EXIT
  trap 'exit 130' HUP INT TERM
  tail -n +${line} "$0" | gzip -dc | tar -xf - -C "$unpacked" || fail "Cannot unpack into $cache"
  checked "$unpacked" || fail "$0 is damaged: get it again"
  # Where another process was faster, this fails, or moves the folder into that one's.
  mv "$unpacked" "$files" 2>/dev/null || [ -d "$files" ] || fail "Cannot rename $unpacked"
  rm -rf "$unpacked" "$files/\${unpacked##*/}"
  trap - EXIT HUP INT TERM
else
  checked "$files" || fail "The files in $files were changed: remove that folder, and run this again"
fi
# What Deno compiles is in the folder as well, so that nothing is left once it is deleted.
export DENO_DIR="$files/cache"
exec "$files/deno" ${DENO_ARGUMENTS.map(quoted).join(" ")} "$files/lib/main.js" "$@"
`;
  return text(text(0).split("\n").length);
}

function quoted(argument: string): string {
  return /^[\w=.-]+$/.test(argument) ? argument : `'${argument}'`;
}
