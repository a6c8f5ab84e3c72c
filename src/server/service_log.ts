/**
 * The log of a service on standard error.
 *
 * @module
 */

import { systemClock } from "../clock.ts";
import type { ReportLevel } from "../report.ts";
import { Log } from "../telemetry/log.ts";
import type { LogFormat } from "../telemetry/log_choice.ts";
import type { CliIo } from "./io.ts";

/** What the command line says of it. */
export interface LogChoice {
  /** `pretty` on a terminal and `text` elsewhere when absent. */
  readonly logFormat?: LogFormat | undefined;
  /** `info` when absent. */
  readonly logLevel?: ReportLevel | undefined;
}

/** Opens the log of one run. */
export function openLog({ logFormat, logLevel = "info" }: LogChoice, io: CliIo): Log {
  return new Log({
    format: logFormat ?? (io.isTerminal ? "pretty" : "text"),
    level: logLevel,
    colour: io.isTerminal && io.env("NO_COLOR") === undefined,
    clock: systemClock,
    write: (line) => io.err(line),
  });
}
