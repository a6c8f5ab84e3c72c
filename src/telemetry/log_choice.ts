/**
 * What an operator chooses of a log. Apart from the log itself, which a command line is parsed without.
 *
 * @module
 */

import type { ReportLevel } from "../report.ts";

/**
 * `text` is the sentence alone, for who reads the output of a command. `pretty` has time, level and
 * component before it. `json` is one object a line.
 */
export const LOG_FORMATS = ["text", "pretty", "json"] as const;
export type LogFormat = typeof LOG_FORMATS[number];

export const LOG_LEVELS = ["debug", "info", "warning", "error"] as const satisfies ReportLevel[];
