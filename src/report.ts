/**
 * What the parts of a service tell their operator: a sentence for people, and beside it what a
 * program reads of it. Neither holds a token, a key, a header of a request or content of a file.
 *
 * @module
 */

import type { Clock } from "./clock.ts";
import { CountersignError, type ErrorCode } from "./errors.ts";

/** `debug`: what happens all the time. `error`: a fault of ours. */
export type ReportLevel = "debug" | "info" | "warning" | "error";

/** Whom and what a report is about. Members are those of a line of JSON. */
export interface ReportDetails {
  /** `warning` when absent. */
  readonly level?: ReportLevel;
  readonly code?: ErrorCode;
  /** Id of a witness of ours. */
  readonly witness?: string;
  /** Id of a peer network. */
  readonly peer?: string;
  /** Name of an anchor service, or of an issuer of tokens. */
  readonly service?: string;
  readonly tree_size?: number;
  /** Of the problem that the client was answered with. */
  readonly request_id?: string;
  readonly method?: string;
  /** Template, such as `/v1/bundle/{hash}`. */
  readonly route?: string;
  /** HTTP status. */
  readonly status?: number;
  readonly milliseconds?: number;
  /** What led to it, the nearest first. */
  readonly causes?: readonly string[];
}

/** Tells `message`, a sentence without its full stop. Neither throws nor waits. */
export type Report = (message: string, details?: ReportDetails) => void;

/** Most errors of one chain in a line. */
const MAX_CAUSES = 8;
/** Most characters in a line of an error that is not ours. */
const MAX_LENGTH = 300;

/** The message of `error` for people. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error).slice(0, MAX_LENGTH);
}

/** The code of `error` and what led to it. */
export function errorDetails(error: unknown): Pick<ReportDetails, "code" | "causes"> {
  const causes = causesOf(error);
  return {
    ...(error instanceof CountersignError && { code: error.code }),
    ...(causes.length > 0 && { causes }),
  };
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

/** Minimum time between two logged beginnings of a condition, so that none floods the log. */
const LINE_MS = 60_000;

/**
 * A condition of which an operator should know, such as a witness that fails: one line when it begins
 * and one, of the same details, when it ends.
 */
export class Condition {
  readonly #clock: Clock;
  readonly #report: Report;
  #sinceMs: number | undefined;
  /** The logged beginning; absent while the log has none. */
  #logged: { readonly cause: string; readonly details: ReportDetails } | undefined;
  #loggedMs = -Infinity;
  /** Beginnings since the last one in the log. */
  #unlogged = 0;

  constructor({ clock, report }: { readonly clock: Clock; readonly report: Report }) {
    this.#clock = clock;
    this.#report = report;
  }

  /**
   * The condition holds: `message` says what is wrong, why, and what to do. To be called again while
   * it holds, since a beginning within a minute of the last one waits for its line. Another `cause`,
   * the code of `details` when absent, is a beginning as well.
   */
  holds(message: string, details: ReportDetails = {}, cause: string = details.code ?? ""): void {
    const nowMs = this.#clock.nowMs();
    if (this.#sinceMs === undefined) this.#unlogged++;
    this.#sinceMs ??= nowMs;
    if (this.#logged?.cause === cause) return;
    // A distance in either direction: the clock may be set.
    if (Math.abs(nowMs - this.#loggedMs) < LINE_MS) return;
    const times = this.#unlogged > 1 ? ` (${this.#unlogged} times since the last report)` : "";
    this.#report(`${message}${times}`, details);
    this.#logged = { cause, details };
    this.#loggedMs = nowMs;
    this.#unlogged = 0;
  }

  /** The condition has ended, if it held. `message` gets the time for which it did. */
  ended(message: string): void {
    if (this.#sinceMs === undefined) return;
    const seconds = Math.max(0, Math.round((this.#clock.nowMs() - this.#sinceMs) / 1000));
    const logged = this.#logged;
    this.#sinceMs = undefined;
    this.#logged = undefined;
    if (logged === undefined) return;
    this.#report(`${message}, after ${seconds} s`, { ...logged.details, level: "info" });
  }
}
