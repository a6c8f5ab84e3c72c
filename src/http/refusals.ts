/**
 * Answers what is refused on a listener of clients.
 *
 * @module
 */

import { hasCode } from "../errors.ts";
import { addCommonHeaders } from "./common_headers.ts";
import { CommonDelay } from "./common_delay.ts";
import { REFUSAL_DELAY_MS } from "./limits.ts";
import { isFault, problemResponse } from "./problem.ts";
import type { RateLimits } from "./rate_limits.ts";
import type { Visit } from "./visit.ts";

/** See the module. */
export class Refusals {
  readonly #limits: RateLimits | undefined;
  readonly #report: (error: unknown, requestId: string) => void;
  readonly #delay = new CommonDelay(REFUSAL_DELAY_MS);

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
    visit: Visit,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    if (isFault(error)) this.#report(error, visit.id);
    this.#limits?.refused(visit, error);
    // Whoever is answered at once asks again at once, and costs those who were taken.
    if (hasCode(error, "overloaded") || hasCode(error, "rate_limited")) await this.#delay.wait();
    return addCommonHeaders(problemResponse(error, visit, { headers }));
  }
}
