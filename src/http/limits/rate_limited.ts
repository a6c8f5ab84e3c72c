/**
 * The refusal of a client that has used up a budget.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";

/** The state of one budget of one client. */
export interface BudgetState {
  /** Names the budget. */
  readonly budget: string;
  /** Units in a full budget. */
  readonly quota: number;
  /** Seconds in which an empty one refills; absent if it does not refill with time. */
  readonly windowSeconds?: number;
  /** Units that are left. */
  readonly remaining: number;
  /** Seconds until there is one more; absent if it does not refill with time. */
  readonly nextSeconds?: number;
  /** Seconds after which the refused request can succeed. */
  readonly retryAfterSeconds: number;
}

/** `rate_limited`, with the state of the client's budget. */
export class RateLimited extends CountersignError {
  readonly state: BudgetState;

  constructor(message: string, state: BudgetState) {
    super("rate_limited", message);
    this.state = state;
  }
}
