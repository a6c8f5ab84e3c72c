/**
 * Debian's golang-1.19-go, without a network. What it compiled is kept between runs, like `runtimes.ts`.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { runTool, type ToolResult } from "./tools.ts";

const GO = "/usr/lib/go-1.19/bin/go";
const CACHE = fileURLToPath(new URL("../../dist/go", import.meta.url));
const VERIFIER = fileURLToPath(new URL("../../verifiers/go", import.meta.url));

/** Runs Go in `verifiers/go`. */
export function runGo(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolResult> {
  const settings = {
    GOCACHE: CACHE,
    GOPATH: CACHE,
    GOENV: "off",
    GOPROXY: "off",
    GOTELEMETRY: "off",
  };
  return runTool(GO, args, { cwd: VERIFIER, env: { ...settings, ...env } });
}
