/**
 * The npm package, built and packed for a test.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool, type ToolResult } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** No registry, and no proxy that leads to one. */
export const OFFLINE: Readonly<Record<string, string>> = {
  npm_config_registry: "http://127.0.0.1:1/",
  NPM_CONFIG_REGISTRY: "http://127.0.0.1:1/",
  HTTPS_PROXY: "http://127.0.0.1:1/",
};

/** Finds this Deno first. */
export const WITH_DENO = { PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}` };

/** The output of a command that exits with 0. */
export async function succeed(running: Promise<ToolResult>): Promise<string> {
  const { code, stdout, stderr } = await running;
  assert.equal(code, 0, stdout + stderr);
  return stdout;
}

/** What `npm pack` says of the tarball that it wrote. */
export interface Packed {
  /** In the folder. */
  readonly filename: string;
  readonly size: number;
  readonly shasum: string;
  readonly integrity: string;
}

/** Builds the package in `folder`/built, and packs it into `folder`. */
export async function buildAndPack(folder: string): Promise<Packed> {
  const built = join(folder, "built");
  const script = join(ROOT, "tools/build_npm.ts");
  const build = ["run", "--config", join(ROOT, "tools/deno.json"), "-A", script, built];
  await succeed(runTool(Deno.execPath(), build, { cwd: ROOT }));
  const pack = runTool("npm", ["pack", "--json", built], { cwd: folder, env: OFFLINE });
  return JSON.parse(await succeed(pack))[0];
}
