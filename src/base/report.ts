/**
 * Reports to the operator: a sentence for people and details for programs. Reports never contain
 * tokens, keys, request headers or file contents.
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import { CountersignError, type ErrorCode } from "./errors.ts";

/** `debug`: routine events. `error`: a fault of the service. */
export type ReportLevel = "debug" | "info" | "warning" | "error";

/** The details of a report: members of a JSON log line. */
export interface ReportDetails {
  /** `warning` if absent. */
  readonly level?: ReportLevel;
  readonly code?: ErrorCode;
  /** Id of a witness. */
  readonly witness?: string;
  /** Id of a peer network. */
  readonly peer?: string;
  /** Name of an anchor service, or of an issuer of tokens. */
  readonly service?: string;
  readonly tree_size?: number;
  /** The request id in the problem that the client received. */
  readonly request_id?: string;
  readonly method?: string;
  /** Template, such as `/v1/bundle/{hash}`. */
  readonly route?: string;
  /** HTTP status. */
  readonly status?: number;
  readonly milliseconds?: number;
  /** The chain of causes, nearest first. */
  readonly causes?: readonly string[];
}

/** Reports `message`, a sentence without a full stop. Neither throws nor waits. */
export type Report = (message: string, details?: ReportDetails) => void;

const MAX_CAUSES = 8;
/** Maximum length of the message of an error that is not a {@linkcode CountersignError}. */
const MAX_LENGTH = 300;

/** The message of `error`. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error).slice(0, MAX_LENGTH);
}

export function errorDetails(error: unknown): Pick<ReportDetails, "code" | "causes"> {
  const causes = causesOf(error);
  return {
    ...(error instanceof CountersignError && { code: error.code }),
    ...(causes.length > 0 && { causes }),
  };
}

/** Reports `error` with its code and causes. */
export function reportError(report: Report, error: unknown, details: ReportDetails = {}): void {
  report(errorText(error), { level: "error", ...errorDetails(error), ...details });
}

/** The causes of `error`, nearest first; bounded, since causes may be circular. */
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
  // Its message quotes the text, which may be a configuration with secrets.
  if (cause instanceof SyntaxError) return cause.name;
  return `${cause.name}: ${cause.message}`.slice(0, MAX_LENGTH);
}

/** Minimum time between two logged beginnings of a condition. */
const LINE_MS = 60_000;

/**
 * A condition that the operator should know, such as a failing witness: logs one line when it begins
 * and one with the same details when it ends.
 */
export class Condition {
  readonly #clock: Clock;
  readonly #report: Report;
  #sinceMs: number | undefined;
  /** The logged beginning; `undefined` while the log has no open beginning. */
  #logged: { readonly cause: string; readonly details: ReportDetails } | undefined;
  #loggedMs = -Infinity;
  /** Beginnings since the last logged one. */
  #unlogged = 0;

  constructor({ clock, report }: { readonly clock: Clock; readonly report: Report }) {
    this.#clock = clock;
    this.#report = report;
  }

  /**
   * The condition holds: `message` says what is wrong, why, and what to do. Call it again while the
   * condition holds: a beginning within a minute of the last one is logged later. A change of `cause`,
   * by default the code of `details`, is a new beginning.
   */
  holds(message: string, details: ReportDetails = {}, cause: string = details.code ?? ""): void {
    const nowMs = this.#clock.elapsedMs();
    if (this.#sinceMs === undefined) this.#unlogged++;
    this.#sinceMs ??= nowMs;
    if (this.#logged?.cause === cause) return;
    if (nowMs - this.#loggedMs < LINE_MS) return;
    const times = this.#unlogged > 1 ? ` (${this.#unlogged} times since the last report)` : "";
    this.#report(`${message}${times}`, details);
    this.#logged = { cause, details };
    this.#loggedMs = nowMs;
    this.#unlogged = 0;
  }

  /** The condition has ended, if it held. Its duration is added to `message`. */
  ended(message: string): void {
    if (this.#sinceMs === undefined) return;
    const seconds = Math.round((this.#clock.elapsedMs() - this.#sinceMs) / 1000);
    const logged = this.#logged;
    this.#sinceMs = undefined;
    this.#logged = undefined;
    if (logged === undefined) return;
    this.#report(`${message}, after ${seconds} s`, { ...logged.details, level: "info" });
  }
}
