/**
 * What a command may touch of the process that runs it, injected so that commands run in tests
 * with captured output. Only `systemIo` reads the environment.
 *
 * @module
 */

import { isAbsolute, join } from "node:path";

import { utf8 } from "../bytes.ts";

/** Output, environment and paths of one run of a command. */
export interface CliIo {
  /** Writes `line` and a newline to standard output: results only. */
  out(line: string): void;
  /** Writes `line` and a newline to standard error: messages and progress. */
  err(line: string): void;
  /** True when a person can answer questions: standard input and error are a terminal. */
  readonly isTerminal: boolean;
  /** An environment variable; `undefined` when unset, empty or not permitted. */
  env(name: string): string | undefined;
  /** The absolute form of a path that the user typed, relative to where the user stands. */
  resolvePath(path: string): string;
  /** Asks on the terminal; `undefined` when there is none or no answer was given. */
  ask(question: string): string | undefined;
}

/** Read once: a command may give up the environment before it resolves a path. */
const USERS_FOLDER = environmentOf("COUNTERSIGN_CWD");

/** The process itself. A reader that went away (EPIPE) ends output quietly. */
export const systemIo: CliIo = {
  out: (line) => write(Deno.stdout, line),
  err: (line) => write(Deno.stderr, line),
  get isTerminal() {
    return Deno.stdin.isTerminal() && Deno.stderr.isTerminal();
  },
  env: environmentOf,
  resolvePath(path) {
    if (isAbsolute(path)) return join(path);
    // The tasks run in the project's folder, and say so where the user stands. INIT_CWD itself is
    // inherited by whatever runs below any task or npm script, and would mislead the program there.
    return join(USERS_FOLDER ?? Deno.cwd(), path);
  },
  ask(question) {
    return systemIo.isTerminal ? prompt(question) ?? undefined : undefined;
  },
};

function environmentOf(name: string): string | undefined {
  // Asked for first: nobody is to be prompted for a variable that may be absent.
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
