/**
 * The log of one service, made with LogTape's formatters and filters. Its registry of loggers is left
 * alone: that is one for a process, in which any number of services may run.
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
import type { Clock } from "../clock.ts";
import { printableJson } from "../format/printable_text.ts";
import type { Report, ReportDetails, ReportLevel } from "../report.ts";
import type { LogFormat } from "./log_choice.ts";

/** How a log is kept. */
export interface LogOptions {
  readonly format: LogFormat;
  /** What is less is not written. */
  readonly level: ReportLevel;
  /** Whether `pretty` is coloured. */
  readonly colour: boolean;
  readonly clock: Clock;
  /** Writes one line, given without its newline. */
  readonly write: (line: string) => void;
}

/** The part of a service that tells something. */
export type LogComponent = "anchoring" | "gateway" | "http" | "issuer" | "witness";

const NAME = "countersign";

/** One record is one line, and words of strangers colour nothing. */
const SANITIZE: SanitizationOptions = { newlines: "escape", sgr: "escape" };

/** See the module. */
export class Log {
  /** Whether `debug` is written: what costs something is not even gathered otherwise. */
  readonly isVerbose: boolean;
  readonly #clock: Clock;
  readonly #sink: Sink;

  constructor({ format, level, colour, clock, write }: LogOptions) {
    const formatter = formatterOf(format, colour);
    this.isVerbose = level === "debug";
    this.#clock = clock;
    this.#sink = withFilter(
      // LogTape ends lines itself, and leaves characters of direction as they are.
      (record) => write(printableJson(formatter(record).trimEnd())),
      getLevelFilter(level),
    );
  }

  /** How `component` tells something. */
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

/** What a person needs to find the words of a client again. */
function requestText({ properties: { request_id: id } }: LogRecord): string {
  return id === undefined ? "" : ` (request ${id})`;
}

function detailsText({ properties }: LogRecord): string {
  const members = Object.entries(properties).map(([name, value]) =>
    ` ${name}=${sanitizeControlSequences(JSON.stringify(value), SANITIZE)}`
  );
  return members.join("");
}
