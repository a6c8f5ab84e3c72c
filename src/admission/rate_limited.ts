/**
 * The refusal of a client that has used up what it may.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";

/** Where a client stands with one budget. */
export interface BudgetState {
  /** Names the budget. */
  readonly budget: string;
  /** What it holds when nothing was used of it. */
  readonly quota: number;
  /** Seconds in which an empty one fills; absent where it does not fill with time. */
  readonly windowSeconds?: number;
  /** What is left of it. */
  readonly remaining: number;
  /** Seconds until there is one more; absent where it does not fill with time. */
  readonly nextSeconds?: number;
  /** Seconds after which what was refused can succeed. */
  readonly retryAfterSeconds: number;
}

/** `rate_limited`, with what the client is told of its budget. */
export class RateLimited extends CountersignError {
  readonly state: BudgetState;

  constructor(message: string, state: BudgetState) {
    super("rate_limited", message);
    this.state = state;
  }
}
