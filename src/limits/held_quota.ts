/**
 * Bounds how much of one thing each client, and all clients together, hold at one moment: requests
 * in flight, event streams, bytes of unfinished bodies.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { RateLimited } from "./rate_budget.ts";
import type { ClientKey } from "./token_buckets.ts";

/** The key for all clients if clients are not counted separately. */
const ANY_CLIENT = "any";

/** Names a client in maps, and where clients take turns. */
export function clientName({ high, low }: ClientKey): string {
  return `${high}:${low}`;
}

/** Amounts by name. Only names that hold something use memory. */
export class Holdings {
  readonly #held = new Map<string, number>();
  #total = 0;

  /** The sum of all amounts. */
  get total(): number {
    return this.#total;
  }

  /** The number of names that hold something. */
  get names(): number {
    return this.#held.size;
  }

  of(name: string): number {
    return this.#held.get(name) ?? 0;
  }

  /** Adds `amount` until the returned function is called; further calls do nothing. */
  add(name: string, amount: number): () => void {
    this.#held.set(name, this.of(name) + amount);
    this.#total += amount;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#total -= amount;
      const left = this.of(name) - amount;
      if (left > 0) this.#held.set(name, left);
      else this.#held.delete(name);
    };
  }
}

/** What a {@linkcode HeldQuota} bounds, and how it refuses. */
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

/** See the module. */
export class HeldQuota {
  readonly #rules: QuotaRules;
  readonly #holdings = new Holdings();

  constructor(rules: QuotaRules) {
    this.#rules = rules;
  }

  /** What all clients hold together. */
  get total(): number {
    return this.#holdings.total;
  }

  /** The number of clients that hold something. */
  get clients(): number {
    return this.#holdings.names;
  }

  /**
   * Counts `amount` more for `client` until the returned function is called. `overloaded` when all
   * clients together hold too much, `rate_limited` when this one does. Without `client`, only the
   * total applies.
   */
  hold(client: ClientKey | undefined, amount = 1): () => void {
    const { budget, perClient, total, failure, unit, retryAfterSeconds } = this.#rules;
    const retry = `retry in ${retryAfterSeconds} s`;
    if (total !== undefined && this.total + amount > total) {
      throw new CountersignError(
        "overloaded",
        `${failure}: all clients together have ${this.total} of ${total} ${unit}; ${retry}`,
      );
    }
    if (client === undefined) return this.#holdings.add(ANY_CLIENT, amount);
    const name = clientName(client);
    const held = this.#holdings.of(name);
    if (held + amount > perClient) {
      throw new RateLimited(
        `${failure}: this client has ${held} of ${perClient} ${unit}; ${retry}`,
        { budget, quota: perClient, remaining: Math.max(perClient - held, 0), retryAfterSeconds },
      );
    }
    return this.#holdings.add(name, amount);
  }
}
