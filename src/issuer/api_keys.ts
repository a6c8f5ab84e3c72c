/**
 * Who obtains tokens by an API key, and how many. An issuer stores hashes of keys, never keys.
 *
 * @module
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";

/** One API key as a configuration has it. */
export interface ApiKey {
  /** Names its holder to the operator. */
  readonly name: string;
  /** SHA-256 of the key's text, lowercase hex. */
  readonly sha256: string;
  /** Tokens in a day; absent for any number. */
  readonly perDay?: number;
}

const DAY_MS = 86_400_000;

/** What is left of a day's tokens of one key: they come back evenly, up to those of a day. */
class Budget {
  readonly digest: Bytes;
  readonly perDay: number;
  #left: number;
  #atMs: number;

  constructor(key: ApiKey, nowMs: number) {
    this.digest = Uint8Array.fromHex(key.sha256);
    this.perDay = key.perDay ?? Infinity;
    this.#left = this.perDay;
    this.#atMs = nowMs;
  }

  take(nowMs: number): number {
    if (this.perDay === Infinity) return 0;
    // A clock that was set back gives nothing.
    const gained = Math.max(0, nowMs - this.#atMs) * this.perDay / DAY_MS;
    this.#left = Math.min(this.perDay, this.#left + gained);
    this.#atMs = nowMs;
    if (this.#left < 1) return Math.ceil((1 - this.#left) * DAY_MS / this.perDay / 1000);
    this.#left -= 1;
    return 0;
  }

  giveBack(): void {
    this.#left = Math.min(this.perDay, this.#left + 1);
  }
}

/** The budget of one key. */
export interface ApiKeyBudget {
  /** Tokens in a day, Infinity for any number. */
  readonly perDay: number;
  /** Takes one token and answers 0, or the seconds until there is one. */
  take(nowMs: number): number;
  /** Puts back a token that was taken and not issued. */
  giveBack(): void;
}

/** All keys of one issuer. Budgets are as old as the process. */
export class ApiKeys {
  readonly #budgets: readonly Budget[];

  constructor(keys: readonly ApiKey[], nowMs: number) {
    this.#budgets = keys.map((key) => new Budget(key, nowMs));
  }

  /** True when there is a key to show. */
  get isAny(): boolean {
    return this.#budgets.length > 0;
  }

  /**
   * The budget of the key `text`; `token_refused` when it is none. Every hash is compared, in constant
   * time, so that the answer's time tells nothing of them.
   */
  budgetOf(text: string): ApiKeyBudget {
    const digest = Uint8Array.fromHex(apiKeyDigest(text));
    let found: Budget | undefined;
    for (const budget of this.#budgets) {
      if (timingSafeEqual(budget.digest, digest)) found = budget;
    }
    if (found !== undefined) return found;
    throw new CountersignError(
      "token_refused",
      "Cannot issue token: an API key of this issuer required, another found",
    );
  }
}

/** What is stored of the API key `text`: its SHA-256 in lowercase hex. */
export function apiKeyDigest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
