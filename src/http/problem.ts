/**
 * Errors on the wire: problem details (RFC 9457) with a `code` of the closed vocabulary (protocol.md
 * "Errors"). Only this module maps codes to statuses.
 *
 * @module
 */

import { HTTPException } from "hono/http-exception";
import { RateLimited } from "./limits/rate_limited.ts";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import { StoreOutage } from "../base/store_outage.ts";

/** The status of each code. Codes of the command line are 500 and become `internal`. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  malformed_hash: 400,
  malformed_json: 400,
  malformed_parameter: 400,
  malformed_request: 400,
  malformed_text: 400,
  malformed_bundle: 400,
  token_required: 401,
  api_key_required: 401,
  api_key_refused: 401,
  token_refused: 403,
  token_invalid: 403,
  token_expired: 403,
  token_spent: 403,
  work_refused: 403,
  network_refused: 403,
  log_signature_refused: 403,
  route_not_found: 404,
  hash_unknown: 404,
  not_confirmed: 404,
  not_batched: 404,
  tree_size_not_published: 404,
  batch_not_found: 404,
  tile_not_found: 404,
  no_tree_head: 404,
  origin_unknown: 404,
  method_not_allowed: 405,
  sequence_conflict: 409,
  round_conflict: 409,
  tree_size_conflict: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  misdirected_request: 421,
  time_refused: 422,
  consistency_refused: 422,
  epoch_mismatch: 409,
  beacon_refused: 422,
  tree_head_refused: 422,
  tree_heads_contradict: 422,
  token_request_refused: 422,
  rate_limited: 429,
  witnesses_unavailable: 503,
  overloaded: 503,
  shutting_down: 503,
  log_ended: 409,
  standby: 503,
  issuer_unreachable: 503,
  store_rolled_back: 503,
  storage_failed: 503,
  signer_unavailable: 503,
  internal: 500,
  malformed_configuration: 500,
  invalid_configuration: 500,
  invalid_key: 500,
  usage: 500,
  file_failed: 500,
  interrupted: 500,
  data_in_use: 500,
  address_in_use: 500,
  network_changed: 500,
  store_copied: 500,
  pin_differs: 500,
  format_unsupported: 500,
  witness_state_missing: 500,
  configuration_missing: 500,
  gateway_unreachable: 500,
  gateway_refused: 500,
  witness_unreachable: 500,
  witness_refused: 500,
  witness_storage_failed: 500,
  peer_unreachable: 500,
  peer_refused: 500,
  anchor_unreachable: 500,
  anchor_refused: 500,
  timestamp_refused: 500,
  beacon_unavailable: 500,
  issuer_refused: 500,
  tokens_missing: 500,
  webhook_unreachable: 500,
  threshold_not_met: 500,
  proof_refused: 500,
  fence_lost: 500,
  store_corrupt: 500,
};

/** The codes of hono's own errors, by status. */
const CODE_OF_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: "malformed_request",
  404: "route_not_found",
  405: "method_not_allowed",
  413: "body_too_large",
  415: "unsupported_media_type",
};

/** Seconds after which a retry may succeed. */
const RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  overloaded: 1,
  standby: 2,
  shutting_down: 5,
};
const RETRY_AFTER_DEFAULT = 30;

/** The media type of {@linkcode problemResponse}. */
export const PROBLEM_MEDIA_TYPE = "application/problem+json";

/** The body of a problem. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  /** Identifies the request in the server's log: 16 hex digits. */
  readonly request_id: string;
}

export interface RefusedRequest {
  readonly id: string;
  /** Set to the code of the problem. */
  code?: ErrorCode | undefined;
}

/** Additions of one route to a problem. */
export interface ProblemAdditions {
  /** Extension members (RFC 9457 section 3.2). */
  readonly members?: Readonly<Record<string, number | string | readonly number[]>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The response to `error`. An error that is not a {@linkcode CountersignError}, or that no client can
 * cause, becomes `internal` without its message, which may hold a path.
 */
export function problemResponse(
  error: unknown,
  refused: RefusedRequest,
  additions: ProblemAdditions = {},
): Response {
  const code = publicCode(error);
  refused.code = code;
  const status = STATUS[code];
  const title = titleOf(code);
  const problem: Problem = {
    type: `urn:countersign:problem:${code}`,
    title,
    status,
    detail: isPublic(error, code) ? error.message : title,
    code,
    request_id: refused.id,
  };
  return new Response(`${JSON.stringify({ ...problem, ...additions.members })}\n`, {
    status,
    headers: {
      "Content-Type": PROBLEM_MEDIA_TYPE,
      "Cache-Control": "no-store",
      // RFC 9110 section 11.6.1 requires a challenge with every 401.
      ...(status === 401 && { "WWW-Authenticate": "Bearer" }),
      // RFC 9110 section 15.5.16: the codings that a body may have.
      ...(status === 415 && { "Accept-Encoding": "identity" }),
      ...((status === 429 || status === 503) &&
        { "Retry-After": String(RETRY_AFTER[code] ?? RETRY_AFTER_DEFAULT) }),
      ...(error instanceof RateLimited && rateHeaders(error)),
      ...additions.headers,
    },
  });
}

/** Receives every fault ({@linkcode isFault}) with the id of its request. */
export type FaultReport = (error: unknown, requestId: string) => void;

/** True for faults of the service that its operator must see: `internal` and `storage_failed`. */
export function isFault(error: unknown): boolean {
  // An outage of the store is logged once, when it begins.
  if (error instanceof StoreOutage) return false;
  const code = publicCode(error);
  return code === "internal" || code === "storage_failed";
}

function publicCode(error: unknown): ErrorCode {
  if (error instanceof CountersignError) {
    return STATUS[error.code] === 500 ? "internal" : error.code;
  }
  if (error instanceof HTTPException) return CODE_OF_STATUS[error.status] ?? "internal";
  return "internal";
}

function isPublic(error: unknown, code: ErrorCode): error is CountersignError {
  return error instanceof CountersignError && code !== "internal" && code !== "storage_failed";
}

/** "Malformed hash" for `malformed_hash`. */
export function titleOf(code: ErrorCode): string {
  const words = code.replaceAll("_", " ");
  return words[0]!.toUpperCase() + words.slice(1);
}

/**
 * Headers of a 429: `Retry-After` (RFC 9110 section 10.2.3), `RateLimit-Policy` and `RateLimit`
 * (draft-ietf-httpapi-ratelimit-headers-10 sections 3 and 4):
 *
 *     Retry-After: 3
 *     RateLimit-Policy: "new_attestations";q=10000;w=100
 *     RateLimit: "new_attestations";r=0;t=1
 */
function rateHeaders({ state }: RateLimited): Readonly<Record<string, string>> {
  const { budget, quota, windowSeconds, remaining, nextSeconds, retryAfterSeconds } = state;
  const parameter = (name: string, value: number | undefined) =>
    value === undefined ? "" : `;${name}=${value}`;
  // A budget's name needs no escapes as a structured field's string (RFC 9651 section 3.3.3).
  return {
    "Retry-After": String(retryAfterSeconds),
    "RateLimit-Policy": `"${budget}";q=${quota}${parameter("w", windowSeconds)}`,
    "RateLimit": `"${budget}";r=${remaining}${parameter("t", nextSeconds)}`,
  };
}
