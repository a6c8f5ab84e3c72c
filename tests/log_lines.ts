/**
 * The log of a component for tests: by level and code, since sentences may change.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { ErrorCode } from "../src/base/errors.ts";
import type { Report, ReportDetails } from "../src/base/report.ts";

/** One line. */
export interface LogLine extends ReportDetails {
  readonly message: string;
}

/** All lines so far. */
export class LogLines {
  readonly lines: LogLine[] = [];
  readonly report: Report = (message, details = {}) => {
    this.lines.push({ message, ...details });
  };

  /** The lines that a program wrote with `--log-format json`. */
  static parse(text: string): LogLines {
    const log = new LogLines();
    for (const line of text.split("\n").filter((line) => line.startsWith("{"))) {
      const { message, level, ...details } = JSON.parse(line);
      log.report(message, {
        ...details,
        level: level === "WARN" ? "warning" : level.toLowerCase(),
      });
    }
    return log;
  }

  /** Lines that report the beginning of `code` or of other details. */
  begun(code: ErrorCode): LogLine[] {
    return this.lines.filter((line) => line.code === code && line.level !== "info");
  }

  /** Lines that report its end. */
  ended(code: ErrorCode): LogLine[] {
    return this.lines.filter((line) => line.code === code && line.level === "info");
  }

  /** Fails unless the log has `times` beginnings and `ends` ends of `code`. */
  assertSaid(code: ErrorCode, times: number, ends = times): void {
    const found = [this.begun(code).length, this.ended(code).length];
    assert.deepEqual(found, [times, ends], `${code}: ${JSON.stringify(this.lines, null, 1)}`);
  }
}
