/**
 * The reference of the HTTP interface, at `reference/`: Swagger UI over the OpenAPI document that
 * `countersign openapi` prints.
 *
 * @module
 */

import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import viewerFolder from "swagger-ui-dist/absolute-path.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const PAGE = fileURLToPath(new URL("reference/", import.meta.url));
const VIEWER_FILES = ["swagger-ui-bundle.js", "swagger-ui.css"];

/** Writes the page and its documents into the site in `outDir`. */
export async function writeReference(outDir: string): Promise<void> {
  const target = join(outDir, "reference");
  await mkdir(target, { recursive: true });
  for (const name of await readdir(PAGE)) await copyFile(join(PAGE, name), join(target, name));
  for (const name of VIEWER_FILES) {
    await copyFile(join(viewerFolder(), name), join(target, name));
  }
  await writeFile(join(target, "openapi.json"), await printed("openapi"));
  await writeFile(join(target, "asyncapi.json"), await printed("openapi", "--events"));
}

/** What the program prints. */
async function printed(...args: readonly string[]): Promise<Uint8Array> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", "main.ts", ...args],
    cwd: ROOT,
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return stdout;
}
