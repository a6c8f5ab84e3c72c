/**
 * Progress of a long command: a bar on a terminal, otherwise a line every 10 seconds.
 *
 * @module
 */

import { printable } from "../proof/format/printable_text.ts";
import process from "node:process";
import type { CommandContext } from "./command_context.ts";

const LINE_EVERY_MS = 10_000;
/** Leaves room for the numbers on a line of 80 characters. */
const BAR_LENGTH = 30;

/** cli-progress has no types. */
interface Bar {
  update(value: number, payload?: Payload): void;
  setTotal(total: number): void;
}
interface Bars {
  create(total: number, start: number, payload: Payload): Bar;
  remove(bar: Bar): boolean;
  log(text: string): void;
  update(): void;
  stop(): void;
}
/** What the format of a bar names. */
type Payload = Readonly<Record<string, string>>;

/** Bars on standard error, which must be a terminal. */
export async function openBars(format: string): Promise<Bars> {
  // Most runs do not need it.
  const { default: progress } = await import("cli-progress");
  return new progress.MultiBar({
    format,
    barsize: BAR_LENGTH,
    stream: process.stderr,
    clearOnComplete: true,
    // An interrupted run must not leave the terminal changed.
    hideCursor: false,
    linewrap: true,
  }, progress.Presets.shades_classic);
}

export class Progress {
  readonly #context: CommandContext;
  readonly #bars: Bars | undefined;
  readonly #bar: Bar | undefined;
  /** The counted things: "attestations checked". */
  readonly #done: string;
  #lastLineMs: number;

  private constructor(context: CommandContext, done: string, bars: Bars | undefined) {
    this.#context = context;
    this.#done = done;
    this.#bars = bars;
    this.#bar = bars?.create(1, 0, { note: "" });
    this.#lastLineMs = context.process.clock.nowMs();
  }

  static async start(context: CommandContext, done: string): Promise<Progress> {
    if (!context.process.showsProgress) return new Progress(context, done, undefined);
    const format = "{bar} {percentage}%  {value} of {total}{note}";
    return new Progress(context, done, await openBars(format));
  }

  /** `note` follows the numbers. */
  update(done: number, total: number, note = ""): void {
    if (this.#bar !== undefined) {
      this.#bar.setTotal(Math.max(1, total, done));
      this.#bar.update(done, { note });
      return;
    }
    const nowMs = this.#context.process.clock.nowMs();
    if (nowMs - this.#lastLineMs < LINE_EVERY_MS) return;
    this.#lastLineMs = nowMs;
    this.note(`${done} of ${total} ${this.#done}${note}`);
  }

  /** Prints a line above the bar. */
  note(text: string): void {
    if (this.#bars === undefined) this.#context.output.note(text);
    else {
      this.#bars.log(`countersign: ${printable(text)}\n`);
      this.#bars.update();
    }
  }

  stop(): void {
    this.#bars?.stop();
  }
}
