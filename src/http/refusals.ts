/**
 * Answers refused requests on a clients' listener.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { addCommonHeaders } from "./common_headers.ts";
import { isFault, problemResponse } from "./problem.ts";
import { isOfInFlight, type RateLimits } from "./rate_limits.ts";
import { RefusalDelay } from "./refusal_delay.ts";
import type { RequestContext } from "./request_context.ts";

/** See the module. */
export class Refusals {
  readonly #limits: RateLimits | undefined;
  readonly #report: (error: unknown, requestId: string) => void;
  readonly #delay = new RefusalDelay();

  /** `report` receives every fault of ours ({@linkcode isFault}) with the id of its request. */
  constructor(
    limits: RateLimits | undefined,
    report: (error: unknown, requestId: string) => void,
  ) {
    this.#limits = limits;
    this.#report = report;
  }

  /** The problem for `error`, with `headers` added. */
  async answer(
    error: unknown,
    context: RequestContext,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    if (isFault(error)) this.#report(error, context.id);
    this.#limits?.refused(context, error);
    if (isOfInFlight(error)) {
      // Holding it would be one more request in flight.
      headers = { ...headers, Connection: "close" };
    } else if (hasCode(error, "overloaded") || hasCode(error, "rate_limited")) {
      await this.hold(context);
    }
    return addCommonHeaders(problemResponse(error, context, { headers }));
  }

  /** Delays an answer: a client that gets it at once retries at once. */
  hold(context: RequestContext): Promise<void> {
    return this.#delay.wait(context.client);
  }
}
