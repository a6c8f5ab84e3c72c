/**
 * Other runtimes of JavaScript, from npm, kept between runs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool } from "./tools.ts";

const FOLDER = fileURLToPath(new URL("../../dist/runtimes", import.meta.url));
const ARCH = Deno.build.arch === "aarch64" ? "arm64" : "x64";
const BUN = Deno.build.arch === "aarch64" ? "bun-linux-aarch64" : "bun-linux-x64-baseline";

/** Packages that hold an executable, and its path in them: the oldest supported Node first. */
export const RUNTIMES = [
  [`node-linux-${ARCH}`, "20.20.2", "bin/node"],
  [`node-linux-${ARCH}`, "22.23.3", "bin/node"],
  [`node-linux-${ARCH}`, "24.21.0", "bin/node"],
  [`@oven/${BUN}`, "1.4.5", "bin/bun"],
] as const;

export type Runtime = typeof RUNTIMES[number];

/** The executable of a runtime. Two tests may install the same one at once: the first to end places it. */
export async function executable([name, version, path]: Runtime): Promise<string> {
  const folder = join(FOLDER, `${name.replace("/", "-")}-${version}`);
  const file = join(folder, "node_modules", name, path);
  if (await exists(file)) return file;
  await Deno.mkdir(FOLDER, { recursive: true });
  const fresh = await Deno.makeTempDir({ dir: FOLDER });
  const install = ["install", "--no-audit", "--no-fund", "--prefix", fresh];
  const { code, stderr } = await runTool("npm", [...install, `${name}@${version}`], { cwd: fresh });
  assert.equal(code, 0, stderr);
  try {
    await Deno.rename(fresh, folder);
  } catch (error) {
    if (!await exists(file)) throw error;
    await Deno.remove(fresh, { recursive: true });
  }
  return file;
}

function exists(file: string): Promise<boolean> {
  return Deno.stat(file).then(() => true, () => false);
}
