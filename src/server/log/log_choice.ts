/**
 * Formats and levels of a log. Separate from `log.ts`, so that parsing the command line does not load
 * LogTape.
 *
 * @module
 */

import type { ReportLevel } from "../../base/report.ts";

/**
 * `text`: the message. `pretty`: time, level, component and message. `json`: one object per line.
 */
export const LOG_FORMATS = ["text", "pretty", "json"] as const;
export type LogFormat = typeof LOG_FORMATS[number];

export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const satisfies ReportLevel[];
