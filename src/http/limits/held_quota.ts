/**
 * Bounds how much of one thing each client, and all clients together, hold at one moment: requests
 * in flight, event streams, bytes of unfinished bodies.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import type { ClientKey } from "./client_key.ts";
import { type ClientHoldings, LocalHoldings, type Release } from "./holdings.ts";
import { RateLimited } from "./rate_limited.ts";

/** The bounds of a {@linkcode HeldQuota}, and its refusals. */
export interface QuotaRules {
  /** Names the budget in the headers of a 429. */
  readonly budget: string;
  readonly perClient: number;
  /** For all clients together; unbounded when absent. */
  readonly total?: number;
  /** Begins the messages, such as "Cannot read body". */
  readonly failure: string;
  /** What is counted, such as "event streams". */
  readonly unit: string;
  readonly retryAfterSeconds: number;
}

export class HeldQuota {
  readonly #rules: QuotaRules;
  readonly #holdings: ClientHoldings;

  constructor(rules: QuotaRules, holdings: ClientHoldings = new LocalHoldings()) {
    this.#rules = rules;
    this.#holdings = holdings;
  }

  /** The sum over all clients. */
  get total(): number {
    return this.#holdings.total;
  }

  /** The number of clients that hold something. */
  get clients(): number {
    return this.#holdings.clients;
  }

  /**
   * Counts `amount` more for `client` until the returned function is called. `overloaded` when all
   * clients together hold too much or are too many, `rate_limited` when this one holds too much.
   * Without `client`, only the total applies.
   */
  hold(client: ClientKey | undefined, amount = 1): Release {
    const { perClient, total = Infinity } = this.#rules;
    const held = this.#holdings.hold(client, amount, perClient, total);
    if (typeof held === "function") return held;
    const { budget, failure, unit, retryAfterSeconds } = this.#rules;
    const retry = `retry in ${retryAfterSeconds} s`;
    if (held === "client") {
      const own = this.#holdings.of(client!);
      throw new RateLimited(
        `${failure}: this client has ${own} of ${perClient} ${unit}; ${retry}`,
        { budget, quota: perClient, remaining: Math.max(perClient - own, 0), retryAfterSeconds },
      );
    }
    throw new CountersignError(
      "overloaded",
      held === "total"
        ? `${failure}: all clients together have ${this.total} of ${total} ${unit}; ${retry}`
        : `${failure}: too many clients have ${unit}; ${retry}`,
    );
  }
}
