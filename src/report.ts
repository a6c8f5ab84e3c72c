/**
 * What the parts of a service tell their operator: a sentence for people, and beside it what a
 * program reads of it. Neither holds a token, a key, a header of a request or content of a file.
 *
 * @module
 */

import type { ErrorCode } from "./errors.ts";

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
