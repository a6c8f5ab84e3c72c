/**
 * Output, environment and paths of the process, injected so that tests can capture output. Only
 * `systemIo` reads the environment.
 *
 * @module
 */

import { isAbsolute, join } from "node:path";

import { utf8 } from "../bytes.ts";

export interface CliIo {
  /** Writes `line` and a newline to standard output: results only. */
  out(line: string): void;
  /** Writes `line` and a newline to standard error: messages and progress. */
  err(line: string): void;
  /** True if standard input and error are a terminal, so that a user can answer questions. */
  readonly isTerminal: boolean;
  /** An environment variable; `undefined` if unset, empty or not permitted. */
  env(name: string): string | undefined;
  /** Resolves a path against the user's current folder. */
  resolvePath(path: string): string;
  /** Asks on the terminal; `undefined` without a terminal or an answer. */
  ask(question: string): string | undefined;
}

/** Read at start: a command may drop the permission before it resolves a path. */
const USERS_FOLDER = environmentOf("COUNTERSIGN_CWD");

/** The current process. Output after EPIPE is dropped. */
export const systemIo: CliIo = {
  out: (line) => write(Deno.stdout, line),
  err: (line) => write(Deno.stderr, line),
  get isTerminal() {
    return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  },
  env: environmentOf,
  resolvePath(path) {
    if (isAbsolute(path)) return join(path);
    // Deno tasks run in the project's folder, and pass the user's folder in COUNTERSIGN_CWD. INIT_CWD
    // would be wrong: processes started below any other task or npm script inherit it.
    return join(USERS_FOLDER ?? Deno.cwd(), path);
  },
  ask(question) {
    return systemIo.isTerminal ? prompt(question) ?? undefined : undefined;
  },
};

function environmentOf(name: string): string | undefined {
  // Deno.env.get would prompt for a missing permission.
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) || undefined : undefined;
}

function write(stream: typeof Deno.stdout, line: string): void {
  let rest: Uint8Array = utf8(`${line}\n`);
  try {
    while (rest.length > 0) rest = rest.subarray(stream.writeSync(rest));
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
