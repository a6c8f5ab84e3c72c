/**
 * A line for each answered request, of nothing but what is the server's own: no address, no query and
 * no hash that stands in a path.
 *
 * @module
 */

import type { Report } from "../report.ts";
import type { RequestContext, RequestObserver } from "./request_context.ts";

const NO_ROUTE = "none";
const MICROSECONDS_PER_MS = 1_000;

/** Methods that are told; others are a client's words. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/** Reports each answer as `debug`. */
export class AccessLog implements RequestObserver {
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  answered(context: RequestContext, status: number, milliseconds: number): void {
    const { route = NO_ROUTE, code, request } = context;
    const method = METHODS.has(request.method) ? request.method : "other";
    this.#report(`${method} ${route} ${status}`, {
      level: "debug",
      ...{ method, route, status },
      ...(code !== undefined && { code }),
      milliseconds: Math.round(milliseconds * MICROSECONDS_PER_MS) / MICROSECONDS_PER_MS,
      request_id: context.id,
    });
  }
}
