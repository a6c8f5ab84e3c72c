/**
 * What a log tells of an error.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import type { Report, ReportDetails } from "../report.ts";

/** Errors that are told of one chain. */
const MAX_CAUSES = 8;
/** Characters that are told of what is not ours. */
const MAX_LENGTH = 300;

/** Tells `error` and what led to it. */
export function reportError(report: Report, error: unknown, details: ReportDetails = {}): void {
  const causes = causesOf(error);
  report(messageOf(error), {
    level: "error",
    ...(error instanceof CountersignError && { code: error.code }),
    ...details,
    ...(causes.length > 0 && { causes }),
  });
}

/** The message of `error`, as people are told it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error).slice(0, MAX_LENGTH);
}

/** What led to `error`, the nearest first; a circle of causes ends like a long chain. */
function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let cause = error instanceof Error ? error.cause : undefined;
  while (cause !== undefined && causes.length < MAX_CAUSES) {
    causes.push(causeText(cause));
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function causeText(cause: unknown): string {
  if (cause instanceof CountersignError) return `${cause.code}: ${cause.message}`;
  if (!(cause instanceof Error)) return typeof cause;
  // It quotes what it could not parse, which may be a configuration with its secrets.
  if (cause instanceof SyntaxError) return cause.name;
  return `${cause.name}: ${cause.message}`.slice(0, MAX_LENGTH);
}
