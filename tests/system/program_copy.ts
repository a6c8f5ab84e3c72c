/**
 * The part of a clone that the tasks `start` and `countersign` run.
 *
 * @module
 */

import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = ["deno.json", "deno.lock", "main.ts", "src", "lint", "wasm"];

async function copyInto(from: string, to: string): Promise<void> {
  if (!(await Deno.stat(from)).isDirectory) return await Deno.copyFile(from, to);
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) await copyInto(join(from, name), join(to, name));
}

/** Copies it into `folder`. */
export async function copyProgram(folder: string): Promise<void> {
  for (const name of PROGRAM) await copyInto(join(ROOT, name), join(folder, name));
}
