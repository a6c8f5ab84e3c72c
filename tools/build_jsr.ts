/**
 * Builds the JSR package in dist/jsr/ from the npm package in dist/npm/, or in the folder of the second
 * argument from that of the first. JSR infers no types, so each module names its declarations, and
 * declarations import one another by their files' names, which npm's users cannot.
 *
 * @module
 */

import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const [from = join(ROOT, "dist/npm"), to = join(ROOT, "dist/jsr")] = Deno.args;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

interface NpmManifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

async function readJson<T>(path: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(path));
}

async function copy(source: string, target: string): Promise<void> {
  await Deno.mkdir(target, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(source)) {
    const [path, copied] = [join(source, name), join(target, name)];
    if (isDirectory) await copy(path, copied);
    else if (!name.endsWith(".d.ts")) await Deno.copyFile(path, copied);
    else {
      const text = await Deno.readTextFile(path);
      const named = text.replaceAll(/(from "|import\(")(\.[^"]*)\.js"/g, '$1$2.d.ts"');
      await Deno.writeTextFile(copied, named);
    }
  }
}

await Deno.remove(to, { recursive: true }).catch(() => {});
await copy(from, to);
await Deno.remove(join(to, "package.json"));
const npm = await readJson<NpmManifest>(join(from, "package.json"));
const { name, version, license } = await readJson<Manifest>(join(ROOT, "deno.json"));
const exported = Object.entries(npm.exports).flatMap(([module, entry]) =>
  typeof entry === "string" ? [] : [[module, entry.default] as const]
);
for (const [, path] of exported) {
  const types = `/* @ts-self-types="./${basename(path, ".js")}.d.ts" */\n`;
  const file = join(to, path);
  await Deno.writeTextFile(file, types + await Deno.readTextFile(file));
}
const manifest = { name, version, license, exports: Object.fromEntries(exported) };
await Deno.writeTextFile(join(to, "jsr.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
