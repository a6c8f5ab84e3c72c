/**
 * Runs a command in Deno, for a program that runs on Node or Bun: some commands need Deno's store,
 * servers and permissions.
 *
 * @module
 */

import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CountersignError } from "../base/errors.ts";
import { PROGRAM } from "../base/program_files.ts";
import type { CliIo } from "../server/io.ts";

/** The version that the program is tested with. */
export const DENO_VERSION = "2.9.6";

/**
 * V8's young generation starts at 16 MiB instead of 1. Collections copy what is alive, which is most of a
 * smaller one while hundreds of requests wait.
 */
export const V8_FLAGS = "--v8-flags=--min-semi-space-size=16";

/** The arguments of Deno before the program. */
export const DENO_ARGUMENTS = [
  "run",
  V8_FLAGS,
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--no-prompt",
  "--quiet",
  "--unstable-kv",
  "--unstable-net",
  "--unstable-worker-options",
  "--allow-net",
  "--allow-read",
  "--allow-write",
  "--allow-sys=statfs",
  "--allow-env=COUNTERSIGN_API_KEY,COUNTERSIGN_API_KEY_FILE,COUNTERSIGN_CWD,COUNTERSIGN_GATEWAY," +
  "COUNTERSIGN_HOME,COUNTERSIGN_TOKEN_*,HOME,NO_COLOR,TERM,USERPROFILE,XDG_CONFIG_HOME",
  "--ignore-env",
];

/** Runs the program with `args`, and returns its exit code. `file_failed` without Deno. */
export async function runInDeno(args: readonly string[], io: CliIo): Promise<number> {
  const executable = await installedDeno() ?? await packagedDeno() ?? await downloadedDeno(io);
  const child = spawn(executable, [...DENO_ARGUMENTS, fileURLToPath(PROGRAM), ...args], {
    // The channel closes when this process ends in any way; then the child stops (`stopOnSignals`).
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  const forward = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ["SIGINT", "SIGTERM", "SIGUSR1"] as const) process.on(signal, forward);
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** Deno of the right version on the path. */
async function installedDeno(): Promise<string | undefined> {
  const version = await outputOf("deno", ["--version"]).catch(() => "");
  return version.startsWith(`deno ${DENO_VERSION} `) ? "deno" : undefined;
}

/** The npm package `deno` of the right version, if it is installed where this program is. */
async function packagedDeno(): Promise<string | undefined> {
  try {
    const { resolve } = createRequire(PROGRAM);
    const { version } = JSON.parse(await readFile(resolve("deno/package.json"), "utf8"));
    if (version !== DENO_VERSION) return undefined;
    return await executableOf(process.execPath, [resolve("deno/bin.cjs")]);
  } catch {
    return undefined;
  }
}

/** Deno from npm's cache or registry. */
async function downloadedDeno(io: CliIo): Promise<string> {
  io.err(`countersign: this command runs in Deno: starting npx -y deno@${DENO_VERSION}`);
  try {
    return await executableOf("npx", ["-y", `deno@${DENO_VERSION}`]);
  } catch (cause) {
    throw new CountersignError(
      "file_failed",
      `Cannot start Deno ${DENO_VERSION}: install it (npm install -g deno@${DENO_VERSION})`,
      { cause },
    );
  }
}

/** The path of the executable that `command` starts. */
async function executableOf(command: string, args: readonly string[]): Promise<string> {
  const script = "console.log(Deno.execPath())";
  return (await outputOf(command, [...args, "eval", "--no-config", script])).trim();
}

async function outputOf(command: string, args: readonly string[]): Promise<string> {
  const isWindows = process.platform === "win32";
  // Windows starts npx, a script, through a shell only.
  const { stdout } = await promisify(execFile)(command, args, { shell: isWindows });
  return stdout;
}
