/**
 * `top`: a live view of a running gateway.
 *
 * @module
 */

import { CountersignError } from "../../errors.ts";
import { printable } from "../../format/printable_text.ts";
import type { CliProcess } from "../cli_process.ts";
import type { CommandContext } from "../command_context.ts";
import { defineCommand, type ValuesOf } from "../define_command.ts";
import { count, defaulted, FILE, flag, optional, SERVICE_URL } from "../options.ts";
import { stopOnSignals } from "../../server/stop_signal.ts";
import type { TopFigures } from "./top_figures.ts";
import { topLines } from "./top_lines.ts";
import { openSource, type TopSource } from "./top_source.ts";

/** ECMA-48, and the private modes 25 and 1049 of xterm. */
const ENTER_SCREEN = "\x1b[?1049h\x1b[?25l";
const LEAVE_SCREEN = "\x1b[?25h\x1b[?1049l";
const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";

/** Without a terminal. */
const DEFAULT_COLUMNS = 120;
const DEFAULT_ROWS = 24;

const topOptions = {
  operator: optional(
    "--operator",
    SERVICE_URL,
    "Operator listener (default: the gateway's public status).",
  ),
  tokenFile: optional("--token-file", FILE, "The operator's token."),
  intervalSeconds: defaulted(
    "--interval",
    count("SECONDS", 1, 3_600),
    2,
    "Seconds between two views (default: 2).",
  ),
  once: flag("--once", "Show one view and exit."),
};

/** {@linkcode showTop} until SIGINT or SIGTERM. */
export const top = defineCommand("top", {
  options: topOptions,
  async run(values, context) {
    using stop = stopOnSignals();
    return await showTop(values, context, stop.signal);
  },
});

/** Shows a view for each interval until `signal` aborts. Throws only if the first request fails. */
export async function showTop(
  options: ValuesOf<typeof topOptions>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { output, process } = context;
  const source = await openSource(options, context);
  const intervalMs = options.intervalSeconds * 1_000;
  try {
    const first = await source.look(signal);
    // The public status has no rates, which need two scrapes.
    const isWhole = first.source === "gateway";
    if (!isWhole) await process.clock.sleep(intervalMs, signal);
    signal.throwIfAborted();
    const figures = isWhole ? first : await source.look(signal);
    if (options.once) {
      output.result(figures, topLines(figures, source.where, Infinity));
      return 0;
    }
    if (output.format === "json") await follow(source, figures);
    else await draw(source, figures);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return 0;

  async function follow(source: TopSource, first: TopFigures): Promise<void> {
    for (let figures = first;;) {
      output.item(JSON.stringify(figures), "");
      await process.clock.sleep(intervalMs, signal);
      if (signal.aborted) return;
      figures = await source.look(signal);
    }
  }

  async function draw(source: TopSource, first: TopFigures): Promise<void> {
    using screen = openScreen(process);
    screen.show(topLines(first, source.where, screen.columns()));
    for (;;) {
      await process.clock.sleep(intervalMs, signal);
      if (signal.aborted) return;
      screen.show(await lines(source, screen.columns()));
    }
  }

  /** Shows the error while the gateway is unreachable. */
  async function lines(source: TopSource, columns: number): Promise<string[]> {
    try {
      return topLines(await source.look(signal), source.where, columns);
    } catch (error) {
      if (!(error instanceof CountersignError)) throw error;
      const line = printable(`countersign ${source.where}   ${error.message}`);
      return [[...line].slice(0, columns).join("")];
    }
  }
}

/** The alternate screen of a terminal, or consecutive blocks of lines. Disposing restores it. */
function openScreen(process: CliProcess) {
  const { io } = process;
  const isTerminal = process.columns !== undefined;
  if (isTerminal) io.out(ENTER_SCREEN);
  return {
    columns: () => process.columns ?? DEFAULT_COLUMNS,
    show(lines: readonly string[]) {
      if (!isTerminal) return io.out(`${lines.join("\n")}\n`);
      // A newline after the last row would scroll.
      const shown = lines.slice(0, (process.rows ?? DEFAULT_ROWS) - 1);
      io.out(HOME + shown.map((line) => line + CLEAR_LINE).join("\n") + CLEAR_BELOW);
    },
    [Symbol.dispose]() {
      if (isTerminal) io.out(LEAVE_SCREEN);
    },
  };
}
