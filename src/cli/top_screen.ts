/**
 * Where `top` draws: over and over in a terminal's alternate screen, block after block elsewhere.
 *
 * @module
 */

import type { CliProcess } from "./command_context.ts";

/** ECMA-48 and the private modes 25 and 1049 of xterm, which every terminal of today has. */
const ENTER = "\x1b[?1049h\x1b[?25l";
const LEAVE = "\x1b[?25h\x1b[?1049l";
const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";

/** Columns where nothing says how many there are. */
const COLUMNS = 120;
const ROWS = 24;

/** Shows blocks of lines until it is disposed of, which gives the terminal back. */
export interface Screen extends Disposable {
  /** Of the terminal as it is now. */
  readonly columns: number;
  show(lines: readonly string[]): void;
}

/** The screen of `process`. */
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
    // The newline after the last line would scroll a screen that is full.
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
