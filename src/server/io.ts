/**
 * Output, environment and paths of the process, injected so that tests can capture output. Only
 * `systemIo` reads the environment.
 *
 * @module
 */

import { readSync, writeSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import process from "node:process";
import { isatty } from "node:tty";
import { utf8 } from "../base/bytes.ts";
import { systemCode, systemProblem } from "../base/system_error.ts";
import { deno } from "./runtime.ts";

export interface CliIo {
  /** Writes `line` and a newline to standard output: results only. */
  out(line: string): void;
  /** True once standard output is a pipe that its reader has closed: lines are dropped. */
  readonly isOutputClosed: boolean;
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

/** The exit code of a program that SIGPIPE ends, as shells have it. */
export const EXIT_OUTPUT_CLOSED = 141;

const [STDIN, STDOUT, STDERR] = [0, 1, 2];
const LONGEST_ANSWER = 4096;

/** Read at start: a command may drop the permission before it resolves a path. */
const USERS_FOLDER = environmentOf("COUNTERSIGN_CWD");

/**
 * Standard output takes nothing more, such as a full disk. No CountersignError: whoever catches one would
 * report it on the same output.
 */
export class OutputFailed extends Error {}

/**
 * The current process. Lines for a closed pipe are dropped, and messages that standard error does not take.
 * `out` throws {@linkcode OutputFailed}.
 */
let isOutputClosed = false;

export const systemIo: CliIo = {
  out: (line) => write(STDOUT, `${line}\n`),
  get isOutputClosed() {
    return isOutputClosed;
  },
  err: (line) => write(STDERR, `${line}\n`),
  get isTerminal() {
    return isatty(STDIN) && isatty(STDERR);
  },
  env: environmentOf,
  resolvePath(path) {
    if (isAbsolute(path)) return join(path);
    // Deno tasks run in the project's folder, and pass the user's folder in COUNTERSIGN_CWD. INIT_CWD
    // would be wrong: processes started below any other task or npm script inherit it.
    return join(USERS_FOLDER ?? process.cwd(), path);
  },
  ask(question) {
    if (!systemIo.isTerminal) return undefined;
    write(STDERR, `${question} `);
    return readLine();
  },
};

function environmentOf(name: string): string | undefined {
  // Reading a variable without permission throws, or asks the user for it.
  const state = deno?.permissions.querySync({ name: "env", variable: name }).state ?? "granted";
  return state === "granted" ? process.env[name] || undefined : undefined;
}

function write(stream: number, text: string): void {
  let rest: Uint8Array = utf8(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(stream, rest));
    } catch (error) {
      if (systemCode(error) === "EPIPE") {
        isOutputClosed ||= stream === STDOUT;
        return;
      }
      // A full pipe that another program made non-blocking.
      if (systemCode(error) === "EAGAIN") {
        pause();
        continue;
      }
      if (stream === STDERR) return;
      throw new OutputFailed(`Cannot write to standard output: ${systemProblem(error)}`);
    }
  }
}

/** A line of standard input, which is a terminal; `undefined` if it is empty. */
function readLine(): string | undefined {
  const line = new Uint8Array(LONGEST_ANSWER);
  let length = 0;
  while (length < line.length && !line.subarray(0, length).includes(0x0a)) {
    try {
      const count = readSync(STDIN, line, length, line.length - length, null);
      if (count === 0) break;
      length += count;
    } catch (error) {
      // Windows ends a terminal's input with this error.
      if (systemCode(error) === "EOF") break;
      if (systemCode(error) !== "EAGAIN") throw error;
      pause();
    }
  }
  return new TextDecoder().decode(line.subarray(0, length)).trim() || undefined;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
}
