/**
 * Error answers of a gateway: problem details (RFC 9457) with a code (protocol.md "Errors").
 *
 * @module
 */

import { integerOf, textOf } from "../../base/bytes.ts";
import { CountersignError, ERROR_CODES, type ErrorCode } from "../../base/errors.ts";
import { object, TEXT } from "./schema.ts";

const CODE = "gateway_refused";
const PROBLEM = object(
  { code: TEXT, detail: TEXT.optional(), request_id: TEXT.optional() },
  "allowed",
);
const DETAIL_MAX_LENGTH = 300;
const REQUEST_ID = /^[0-9a-f]{16}$/;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NOT_FOLLOWED = "a redirect, which is not followed";

interface Answer {
  readonly status: number;
  readonly reason?: ErrorCode | undefined;
  readonly detail?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly requestId?: string | undefined;
  /** The URL of the request. */
  readonly asked?: string | undefined;
  /** The verb of the message; "get" and `what` by default. */
  readonly action?: string | undefined;
}

/** `gateway_refused`, with the gateway's answer. Its text is not trusted. */
export class GatewayRefusal extends CountersignError {
  /** HTTP status. */
  readonly status: number;
  /** The problem's code, if it is in {@linkcode ERROR_CODES}. */
  readonly reason: ErrorCode | undefined;
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined;
  /** Identifies the request in the gateway's log: 16 hex digits. */
  readonly requestId: string | undefined;

  constructor(what: string, answer: Answer) {
    const { status, reason, detail, retryAfter, requestId, asked, action } = answer;
    super(
      CODE,
      `Cannot ${action ?? `get ${what}`}: ` +
        `${asked === undefined ? "the gateway" : asked} answered ${status}` +
        (reason === undefined ? "" : ` ${reason}`) + (detail === undefined ? "" : ` (${detail})`),
    );
    this.status = status;
    this.reason = reason;
    this.retryAfter = retryAfter;
    this.requestId = requestId;
  }
}

/** Reads the error answer to a request for `what`. */
export function readRefusal(
  what: string,
  response: Pick<Response, "status" | "headers">,
  body: Uint8Array,
  request: { readonly asked?: string; readonly action?: string | undefined } = {},
): GatewayRefusal {
  const { status } = response;
  return new GatewayRefusal(what, {
    status,
    ...(REDIRECTS.has(status) ? { detail: NOT_FOLLOWED } : readProblem(body)),
    // A date (RFC 9110 section 10.2.3) is ignored: it would need the gateway's clock.
    retryAfter: integerOf(response.headers.get("Retry-After") ?? ""),
    ...request,
  });
}

function readProblem(body: Uint8Array): Pick<Answer, "reason" | "detail" | "requestId"> {
  try {
    const problem = PROBLEM.parseText(textOf(body), { where: "problem", code: CODE });
    const { code, detail, request_id: id = "" } = problem;
    return {
      reason: ERROR_CODES.find((known) => known === code),
      detail: detail?.slice(0, DETAIL_MAX_LENGTH),
      requestId: REQUEST_ID.test(id) ? id : undefined,
    };
  } catch (error) {
    // Another body, such as a proxy's page: only the status is known.
    if (error instanceof CountersignError) return {};
    throw error;
  }
}
