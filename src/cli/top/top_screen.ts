/**
 * The output of `top`: the alternate screen of a terminal, or consecutive blocks of lines.
 *
 * @module
 */

import type { CliProcess } from "../command_context.ts";

/** ECMA-48, and the private modes 25 and 1049 of xterm. */
const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";
const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";

/** Defaults. */
const COLUMNS = 120;
const ROWS = 24;

/** Shows blocks of lines. Disposing restores the terminal. */
export interface Screen extends Disposable {
  readonly columns: number;
  show(lines: readonly string[]): void;
}

export function openScreen(process: CliProcess): Screen {
  return process.columns === undefined ? new Blocks(process) : new AlternateScreen(process);
}

class AlternateScreen implements Screen {
  readonly #process: CliProcess;

  constructor(process: CliProcess) {
    this.#process = process;
    process.io.out(ENTER);
  }

  get columns(): number {
    return this.#process.columns ?? COLUMNS;
  }

  show(lines: readonly string[]): void {
    // A newline after the last row would scroll.
    const shown = lines.slice(0, (this.#process.rows ?? ROWS) - 1);
    this.#process.io.out(HOME + shown.map((line) => line + CLEAR_LINE).join("\n") + CLEAR_BELOW);
  }

  [Symbol.dispose](): void {
    this.#process.io.out(LEAVE);
  }
}

class Blocks implements Screen {
  readonly columns = COLUMNS;
  readonly #process: CliProcess;

  constructor(process: CliProcess) {
    this.#process = process;
  }

  show(lines: readonly string[]): void {
    this.#process.io.out(`${lines.join("\n")}\n`);
  }

  [Symbol.dispose](): void {}
}
