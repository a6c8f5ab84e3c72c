/**
 * One budget of every client: what each may do of one kind, by time.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import { RateLimited } from "./rate_limited.ts";
import { type ClientKey, type Rate, REMEMBERED_CLIENTS, TokenBuckets } from "./token_buckets.ts";

/** See the module. */
export class RateBudget {
  readonly #name: string;
  readonly #rate: Rate;
  readonly #clock: Clock;
  readonly #buckets: TokenBuckets;
  #lastMs: number;
  #elapsedMs = 0;

  constructor(name: string, rate: Rate, clock: Clock, clients = REMEMBERED_CLIENTS) {
    this.#name = name;
    this.#rate = rate;
    this.#clock = clock;
    this.#lastMs = clock.nowMs();
    this.#buckets = new TokenBuckets(rate, clients);
  }

  /** Takes `cost` of the client's budget, or refuses with `rate_limited` and takes nothing. */
  charge(client: ClientKey, cost: number): void {
    if (!this.tryCharge(client, cost)) throw this.#refusal(client, cost);
  }

  /** Takes `cost` of the client's budget and answers true, or takes nothing and answers false. */
  tryCharge(client: ClientKey, cost: number): boolean {
    return this.#buckets.take(client, cost, this.#now());
  }

  /** Takes `cost` of the client's budget for what was done already; it owes what is not there. */
  owe(client: ClientKey, cost: number): void {
    this.#buckets.owe(client, cost, this.#now());
  }

  /** Refuses with `rate_limited` a client of whom nothing could be charged. */
  requireSome(client: ClientKey): void {
    if (this.#buckets.tokens(client, this.#now()) < 1) throw this.#refusal(client, 1);
  }

  /** Elapsed milliseconds. A clock that is set back stands still in that moment, and then goes on. */
  #now(): number {
    const ms = this.#clock.nowMs();
    this.#elapsedMs += Math.max(ms - this.#lastMs, 0);
    this.#lastMs = ms;
    return this.#elapsedMs;
  }

  #refusal(client: ClientKey, cost: number): RateLimited {
    const { perSecond, burst } = this.#rate;
    const tokens = this.#buckets.tokens(client, this.#now());
    const remaining = Math.max(Math.floor(tokens), 0);
    const secondsTo = (wanted: number) => Math.max(Math.ceil((wanted - tokens) / perSecond), 1);
    return new RateLimited(
      `Cannot answer: ${this.#name} of at most ${perSecond} a second required, found more`,
      {
        budget: this.#name,
        quota: burst,
        windowSeconds: Math.ceil(burst / perSecond),
        remaining,
        nextSeconds: secondsTo(remaining + 1),
        retryAfterSeconds: secondsTo(Math.min(cost, burst)),
      },
    );
  }
}
