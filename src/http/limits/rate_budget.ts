/**
 * A rate limit of every client for one kind of work.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import type { ClientKey } from "./client_key.ts";
import type { ElapsedTime } from "./elapsed_time.ts";
import { type Rate, TokenBuckets } from "./token_buckets.ts";

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

/** One rate limit. A client with its own rate has it in every call. */
export class RateBudget {
  readonly #name: string;
  readonly #rate: Rate;
  readonly #time: ElapsedTime;
  readonly #buckets: TokenBuckets;

  constructor(name: string, rate: Rate, time: ElapsedTime, buckets = new TokenBuckets(rate)) {
    this.#name = name;
    this.#rate = rate;
    this.#time = time;
    this.#buckets = buckets;
  }

  /** Takes `cost` from the client's budget, or refuses with `rate_limited` and takes nothing. */
  charge(client: ClientKey, cost: number, rate = this.#rate): void {
    if (!this.tryCharge(client, cost, rate)) throw this.#refusal(client, cost, rate);
  }

  /** Takes `cost` from the client's budget and returns true, or takes nothing and returns false. */
  tryCharge(client: ClientKey, cost: number, rate = this.#rate): boolean {
    return this.#buckets.take(client, cost, this.#time.nowMs(), rate);
  }

  /** Takes `cost` for finished work from the client's budget, which may go below zero. */
  owe(client: ClientKey, cost: number, rate = this.#rate): void {
    this.#buckets.owe(client, cost, this.#time.nowMs(), rate);
  }

  /** Returns `cost` that was taken from the client's budget for work that was not needed. */
  giveBack(client: ClientKey, cost: number, rate = this.#rate): void {
    this.#buckets.giveBack(client, cost, rate);
  }

  /** Refuses with `rate_limited` a client whose budget is below one. */
  requireSome(client: ClientKey, rate = this.#rate): void {
    const tokens = this.#buckets.tokens(client, this.#time.nowMs(), rate);
    if (tokens < 1) throw this.#refusal(client, 1, rate);
  }

  #refusal(client: ClientKey, cost: number, rate: Rate): RateLimited {
    const { perSecond, burst } = rate;
    const tokens = this.#buckets.tokens(client, this.#time.nowMs(), rate);
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
