/**
 * A rate limit of every client of a listener.
 *
 * @module
 */

import type { ClientAddresses } from "./client_address.ts";
import type { RateBudget } from "./limits/rate_budget.ts";
import type { Rate } from "./limits/token_buckets.ts";
import type { RequestContext } from "./request_context.ts";

/** A rate budget of the clients of requests. Refusals are `rate_limited`. */
export class RequestBudget {
  readonly #budget: RateBudget;
  readonly #addresses: ClientAddresses;
  readonly #keyed: string | undefined;

  /** `keyed`: the name of the budget. An API key may have another rate for this name. */
  constructor(budget: RateBudget, addresses: ClientAddresses, keyed?: string) {
    this.#budget = budget;
    this.#addresses = addresses;
    this.#keyed = keyed;
  }

  /** Takes `cost` from the client's budget, or refuses and takes nothing. */
  charge(context: RequestContext, cost: number): void {
    try {
      this.#budget.charge(this.#addresses.clientOf(context), cost, this.#rateOf(context));
    } catch (error) {
      this.#addresses.refused(context);
      throw error;
    }
  }

  /** Refuses a client whose budget is empty. */
  requireSome(context: RequestContext): void {
    try {
      this.#budget.requireSome(this.#addresses.clientOf(context), this.#rateOf(context));
    } catch (error) {
      this.#addresses.refused(context);
      throw error;
    }
  }

  /** Returns `cost` that was taken from the client's budget. */
  giveBack(context: RequestContext, cost: number): void {
    this.#budget.giveBack(this.#addresses.clientOf(context), cost, this.#rateOf(context));
  }

  /** Takes `cost` from the client's budget, which may go below zero. */
  owe(context: RequestContext, cost: number): void {
    this.#budget.owe(this.#addresses.clientOf(context), cost, this.#rateOf(context));
  }

  /** The rate of the request's API key; `undefined` if it is that of all clients. */
  #rateOf({ apiKey }: RequestContext): Rate | undefined {
    return this.#keyed === undefined ? undefined : apiKey?.rates[this.#keyed];
  }
}
