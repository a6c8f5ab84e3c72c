/**
 * The log of a service on standard error.
 *
 * @module
 */

import { systemClock } from "../base/clock.ts";
import { AccessLog } from "../http/access_log.ts";
import { combineObservers, type RequestObserver } from "../http/request_context.ts";
import type { ReportLevel } from "../base/report.ts";
import { isTracing, routeSpans } from "./log/route_spans.ts";
import { Log } from "./log/log.ts";
import type { LogFormat } from "./log/log_choice.ts";
import type { CliIo } from "./io.ts";

/** The log options of the command line. */
export interface LogChoice {
  /** Default: `pretty` on a terminal, `text` elsewhere. */
  readonly logFormat?: LogFormat | undefined;
  /** Default: `info`. */
  readonly logLevel?: ReportLevel | undefined;
}

export function openLog({ logFormat, logLevel = "info" }: LogChoice, io: CliIo): Log {
  return new Log({
    format: logFormat ?? (io.isTerminal ? "pretty" : "text"),
    level: logLevel,
    colour: io.isTerminal && io.env("NO_COLOR") === undefined,
    clock: systemClock,
    write: (line) => io.err(line),
  });
}

/** Passes requests to `metrics`, to a verbose log and to traces; `undefined` without any of them. */
export function requestObserver(log: Log, metrics?: RequestObserver): RequestObserver | undefined {
  return combineObservers(
    metrics,
    log.isVerbose ? new AccessLog(log.report("http")) : undefined,
    isTracing() ? routeSpans : undefined,
  );
}
