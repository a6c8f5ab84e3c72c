/**
 * The npm package, built and packed once for all tests of it.
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

/** The folder of a package that `.ci/run` built from these sources for all test files. */
const BUILT = Deno.env.get("COUNTERSIGN_TEST_NPM_PACKAGE");

/** What `npm pack` says of the tarball that it wrote. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly shasum: string;
  readonly integrity: string;
}

/** The package as a tarball, without a registry. */
export class NpmPackage {
  #folder = "";
  #packed: Packed | undefined;

  /** Builds the package, unless it is built, and packs it. */
  async build(): Promise<void> {
    this.#folder = await Deno.makeTempDir();
    if (BUILT === undefined) {
      const script = join(ROOT, "tools/build_npm.ts");
      const build = ["run", "--config", join(ROOT, "tools/deno.json"), "-A", script, this.built];
      await succeed(runTool(Deno.execPath(), build, { cwd: ROOT }));
    }
    const packing = { cwd: this.#folder, env: OFFLINE };
    const pack = runTool("npm", ["pack", "--json", this.built], packing);
    this.#packed = JSON.parse(await succeed(pack))[0];
  }

  async remove(): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }

  /** The folder that was packed. */
  get built(): string {
    return BUILT ?? join(this.#folder, "built");
  }

  get packed(): Packed {
    assert.ok(this.#packed);
    return this.#packed;
  }

  get tarball(): string {
    return join(this.#folder, this.packed.filename);
  }

  /** Installs the package in `folder` without a registry. */
  async install(folder: string): Promise<void> {
    const args = ["install", "--offline", "--no-audit", "--no-fund", this.tarball];
    await succeed(runTool("npm", args, { cwd: folder, env: OFFLINE }));
  }
}
