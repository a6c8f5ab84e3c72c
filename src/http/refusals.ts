/**
 * Answers refused requests on a listener for clients of a gateway.
 *
 * @module
 */

import { addCommonHeaders } from "./answer.ts";
import { type FaultReport, isFault, problemResponse } from "./problem.ts";
import { exceedsInFlight, type RateLimits } from "./rate_limits.ts";
import { isBackPressure, RefusalDelay } from "./refusal_delay.ts";
import type { RequestContext } from "./request_context.ts";

/** The refusals of one listener. */
export class Refusals {
  readonly #limits: RateLimits | undefined;
  readonly #report: FaultReport;
  readonly #delay: RefusalDelay;

  constructor(limits: RateLimits | undefined, report: FaultReport) {
    this.#limits = limits;
    this.#report = report;
    this.#delay = new RefusalDelay({ waiting: limits?.waitingRefusals });
  }

  /** The problem for `error`, with `headers` added. */
  async answer(
    error: unknown,
    context: RequestContext,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    if (isFault(error)) this.#report(error, context.id);
    this.#limits?.refused(context, error);
    if (exceedsInFlight(error)) {
      // A delayed answer would be one more request in flight.
      headers = { ...headers, Connection: "close" };
    } else if (isBackPressure(error)) {
      await this.delay(context);
    }
    return addCommonHeaders(problemResponse(error, context, { headers }));
  }

  /** Delays an answer as long as a refusal. */
  delay(context: RequestContext): Promise<void> {
    return this.#delay.wait(context.client);
  }
}
