/**
 * Logs each answered request with the server's own words only: no address, no query and no path with
 * a hash.
 *
 * @module
 */

import type { Report } from "../base/report.ts";
import type { RequestContext, RequestObserver } from "./request_context.ts";

const NO_ROUTE = "none";
const MICROSECONDS_PER_MS = 1_000;

/** Methods that are logged; clients choose any others. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/** Reports each answer at level `debug`. */
export class AccessLog implements RequestObserver {
  readonly #report: Report;

  constructor(report: Report) {
    this.#report = report;
  }

  answered(context: RequestContext, status: number, milliseconds: number): void {
    const { route = NO_ROUTE, code, request, apiKey } = context;
    const method = METHODS.has(request.method) ? request.method : "other";
    this.#report(`${method} ${route} ${status}`, {
      level: "debug",
      method,
      route,
      status,
      ...(code !== undefined && { code }),
      ...(apiKey !== undefined && { api_key: apiKey.name }),
      milliseconds: Math.round(milliseconds * MICROSECONDS_PER_MS) / MICROSECONDS_PER_MS,
      request_id: context.id,
    });
  }
}
