/**
 * The log of one service. Uses LogTape's formatters and filters but not its registry of loggers,
 * which is global to the process: several services may run in one process.
 *
 * @module
 */

import {
  getAnsiColorFormatter,
  getJsonLinesFormatter,
  getLevelFilter,
  getTextFormatter,
  type LogRecord,
  type SanitizationOptions,
  sanitizeControlSequences,
  type Sink,
  type TextFormatter,
  withFilter,
} from "@logtape/logtape";
import type { Clock } from "../../base/clock.ts";
import { printableJson } from "../../proof/format/printable_text.ts";
import type { Report, ReportDetails, ReportLevel } from "../../base/report.ts";
import type { LogFormat } from "./log_choice.ts";

export interface LogOptions {
  readonly format: LogFormat;
  /** The lowest level that is written. */
  readonly level: ReportLevel;
  /** Colours the format `pretty`. */
  readonly colour: boolean;
  readonly clock: Clock;
  /** Writes one line; `line` has no newline. */
  readonly write: (line: string) => void;
}

/** The part of a service that reports. */
export type LogComponent =
  | "anchoring"
  | "gateway"
  | "http"
  | "issuer"
  | "monitor"
  | "publishing"
  | "signer"
  | "witness";

const NAME = "countersign";

/** Keeps a record on one line and escapes control sequences in untrusted text. */
const SANITIZE: SanitizationOptions = { newlines: "escape", sgr: "escape" };

/** The log of one service. */
export class Log {
  /** True if `debug` is written; skip costly details otherwise. */
  readonly isVerbose: boolean;
  readonly #clock: Clock;
  readonly #sink: Sink;

  constructor({ format, level, colour, clock, write }: LogOptions) {
    const formatter = formatterOf(format, colour);
    this.isVerbose = level === "debug";
    this.#clock = clock;
    this.#sink = withFilter(
      // LogTape adds a newline and does not escape direction marks.
      (record) => write(printableJson(formatter(record).trimEnd())),
      getLevelFilter(level),
    );
  }

  /** The report function of `component`. */
  report(component: LogComponent): Report {
    const category = [NAME, component];
    return (message, { level = "warning", ...details } = {}) => {
      this.#sink(this.#record(category, level, message, details));
    };
  }

  #record(
    category: readonly string[],
    level: ReportLevel,
    message: string,
    details: ReportDetails,
  ): LogRecord {
    return {
      category,
      level,
      message: [message],
      rawMessage: message,
      timestamp: this.#clock.nowMs(),
      properties: { ...details },
    };
  }
}

function formatterOf(format: LogFormat, colour: boolean): TextFormatter {
  if (format === "json") return getJsonLinesFormatter({ properties: "flatten" });
  if (format === "text") {
    return getTextFormatter({
      timestamp: "none",
      sanitize: SANITIZE,
      format: ({ message, record }) => `${NAME}: ${message}${requestText(record)}`,
    });
  }
  const options = { timestamp: "rfc3339", category: ".", sanitize: SANITIZE } as const;
  const pretty = colour ? getAnsiColorFormatter(options) : getTextFormatter(options);
  return (record) => `${pretty(record).trimEnd()}${detailsText(record)}`;
}

/** The request id, which the client's error message contains too. */
function requestText({ properties: { request_id: id } }: LogRecord): string {
  return id === undefined ? "" : ` (request ${id})`;
}

function detailsText({ properties }: LogRecord): string {
  const members = Object.entries(properties).map(([name, value]) =>
    ` ${name}=${sanitizeControlSequences(JSON.stringify(value), SANITIZE)}`
  );
  return members.join("");
}
