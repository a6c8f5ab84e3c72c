/**
 * API keys of an issuer and their daily budgets of tokens. The issuer stores only hashes of keys.
 *
 * @module
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { type Bytes, fromHex } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";

/** One API key of the configuration. */
export interface ApiKey {
  /** Name of the holder, for the operator. */
  readonly name: string;
  /** SHA-256 of the key, lowercase hex. */
  readonly sha256: string;
  /** Tokens per day; absent if unlimited. */
  readonly perDay?: number | undefined;
}

const DAY_MS = 86_400_000;

/** A token bucket that holds `perDay` tokens and refills evenly over a day. */
class Budget {
  readonly digest: Bytes;
  readonly perDay: number;
  #left: number;
  #atMs: number;

  constructor(key: ApiKey, nowMs: number) {
    this.digest = fromHex(key.sha256);
    this.perDay = key.perDay ?? Infinity;
    this.#left = this.perDay;
    this.#atMs = nowMs;
  }

  take(nowMs: number): number {
    if (this.perDay === Infinity) return 0;
    // A clock set back refills nothing.
    const gained = Math.max(0, nowMs - this.#atMs) * this.perDay / DAY_MS;
    this.#left = Math.min(this.perDay, this.#left + gained);
    this.#atMs = nowMs;
    if (this.#left < 1) return Math.ceil((1 - this.#left) * DAY_MS / this.perDay / 1000);
    this.#left -= 1;
    return 0;
  }

  refund(): void {
    this.#left = Math.min(this.perDay, this.#left + 1);
  }
}

export interface ApiKeyBudget {
  /** Tokens per day; Infinity if unlimited. */
  readonly perDay: number;
  /** Takes one token and returns 0, or returns the seconds until one is available. */
  take(nowMs: number): number;
  /** Returns a token that was taken but not issued. */
  refund(): void;
}

/** All keys of one issuer. Every budget is full after a start of the process. */
export class ApiKeys {
  readonly #budgets: readonly Budget[];

  constructor(keys: readonly ApiKey[], nowMs: number) {
    this.#budgets = keys.map((key) => new Budget(key, nowMs));
  }

  /** True if the issuer has API keys. */
  get hasKeys(): boolean {
    return this.#budgets.length > 0;
  }

  /**
   * The budget of the key `text`; `token_refused` if the key is unknown. Compares every hash in
   * constant time, so that timing reveals nothing about the keys.
   */
  budgetOf(text: string): ApiKeyBudget {
    const digest = fromHex(apiKeyDigest(text));
    let found: Budget | undefined;
    for (const budget of this.#budgets) {
      if (timingSafeEqual(budget.digest, digest)) found = budget;
    }
    if (found !== undefined) return found;
    throw new CountersignError(
      "token_refused",
      "Cannot issue token: unknown API key",
    );
  }
}

/** The stored form of the API key `text`: its SHA-256 in lowercase hex. */
export function apiKeyDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
