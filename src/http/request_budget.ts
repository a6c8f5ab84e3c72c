/**
 * A rate limit of every client of a listener for one kind of work.
 *
 * @module
 */

import type { ClientAddresses } from "./client_address.ts";
import type { ElapsedTime } from "./limits/elapsed_time.ts";
import { RateLimited } from "./limits/rate_limited.ts";
import { type Rate, TokenBuckets } from "./limits/token_buckets.ts";
import type { RequestContext } from "./request_context.ts";

export interface RequestBudgetContext {
  readonly addresses: ClientAddresses;
  readonly time: ElapsedTime;
  readonly buckets?: TokenBuckets;
}

/** A rate budget of the clients of requests. An API key may have another rate for its name. */
export class RequestBudget {
  readonly #name: string;
  readonly #rate: Rate;
  readonly #addresses: ClientAddresses;
  readonly #time: ElapsedTime;
  readonly #buckets: TokenBuckets;

  constructor(name: string, rate: Rate, { addresses, time, buckets }: RequestBudgetContext) {
    this.#name = name;
    this.#rate = rate;
    this.#addresses = addresses;
    this.#time = time;
    this.#buckets = buckets ?? new TokenBuckets(rate);
  }

  /** Takes `cost` from the client's budget, or refuses with `rate_limited` and takes nothing. */
  charge(context: RequestContext, cost: number): void {
    if (!this.tryCharge(context, cost)) throw this.#refusal(context, cost);
  }

  /** Takes `cost` from the client's budget and returns true, or takes nothing and returns false. */
  tryCharge(context: RequestContext, cost: number): boolean {
    const client = this.#addresses.clientOf(context);
    return this.#buckets.take(client, cost, this.#time.nowMs(), this.#rateOf(context));
  }

  /** Takes `cost` for finished work from the client's budget, which may go below zero. */
  owe(context: RequestContext, cost: number): void {
    const client = this.#addresses.clientOf(context);
    this.#buckets.owe(client, cost, this.#time.nowMs(), this.#rateOf(context));
  }

  /** Returns `cost` that was taken from the client's budget for work that was not needed. */
  giveBack(context: RequestContext, cost: number): void {
    this.#buckets.giveBack(this.#addresses.clientOf(context), cost, this.#rateOf(context));
  }

  /** Refuses with `rate_limited` a client whose budget is below one. */
  requireSome(context: RequestContext): void {
    if (this.#tokens(context) < 1) throw this.#refusal(context, 1);
  }

  #tokens(context: RequestContext): number {
    const client = this.#addresses.clientOf(context);
    return this.#buckets.tokens(client, this.#time.nowMs(), this.#rateOf(context));
  }

  #rateOf({ apiKey }: RequestContext): Rate {
    return apiKey?.rates[this.#name] ?? this.#rate;
  }

  #refusal(context: RequestContext, cost: number): RateLimited {
    this.#addresses.refused(context);
    const { perSecond, burst } = this.#rateOf(context);
    const tokens = this.#tokens(context);
    const remaining = Math.max(Math.floor(tokens), 0);
    const secondsTo = (wanted: number) => Math.max(Math.ceil((wanted - tokens) / perSecond), 1);
    const retryAfterSeconds = secondsTo(Math.min(cost, burst));
    return new RateLimited(
      `Too many requests: budget ${this.#name} allows ${perSecond} per second and ${burst} at ` +
        `once; retry in ${retryAfterSeconds} s`,
      {
        budget: this.#name,
        quota: burst,
        windowSeconds: Math.ceil(burst / perSecond),
        remaining,
        nextSeconds: secondsTo(remaining + 1),
        retryAfterSeconds,
      },
    );
  }
}
