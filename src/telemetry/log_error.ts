/**
 * What a log tells of an error.
 *
 * @module
 */

import { errorDetails, errorText, type Report, type ReportDetails } from "../report.ts";

/** Reports `error` and what led to it. */
export function reportError(report: Report, error: unknown, details: ReportDetails = {}): void {
  report(errorText(error), { level: "error", ...errorDetails(error), ...details });
}
