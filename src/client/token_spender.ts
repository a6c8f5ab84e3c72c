/**
 * Submits hashes, with tokens if the gateway requires them. A token is bound to one hash and is sent
 * with it until the gateway answers with the job; a gateway spends no token for a known hash. A gateway
 * gets at most one token for each hash, and {@linkcode MAX_REFUSED} more in place of refused ones.
 *
 * A token without an answer returns to the store together with its hash. It is used for another hash
 * only if the gateway does not know that hash, so a lost answer costs no other token.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../base/errors.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import type { JobSnapshotMembers } from "../proof/format/job_snapshot.ts";
import type { GatewayClient } from "./gateway_client.ts";
import { isBusy } from "./gateway_connection.ts";

/** How many hashes are looked up at once. */
const CONCURRENCY = 16;

/** Refused tokens that one run replaces, so that a lying gateway gets no more. */
export const MAX_REFUSED = 8;

/** Codes for a token that is no longer usable. */
const REFUSALS: ReadonlySet<ErrorCode | undefined> = new Set<ErrorCode>([
  "token_invalid",
  "token_expired",
  "token_spent",
]);

/** A token. Anyone who has it can spend it. */
export interface SuppliedToken {
  /** The `issuer_token` of a submission. Never printed or logged. */
  readonly token: string;
  /** Unix seconds at which it expires; absent if its key does not expire. */
  readonly notAfter?: number;
  /** The hash that it was sent with, if the answer was lost. */
  readonly shownFor?: string;
}

/** Stored unspent tokens for one gateway of one network, oldest first. */
export interface TokenStore {
  /** Number of tokens that have not expired, including those that may be spent. */
  count(): Promise<number>;
  /** Removes and returns the oldest `count` tokens that the gateway has not seen, or all of them. */
  take(count: number): Promise<readonly SuppliedToken[]>;
  /** Removes and returns the tokens that the gateway has seen and may have spent. */
  takeShown(): Promise<readonly SuppliedToken[]>;
  /** Returns tokens to the front of the store. */
  giveBack(returned: readonly SuppliedToken[]): Promise<void>;
}

export interface TokenSpenderOptions {
  readonly gateway: Pick<GatewayClient, "url" | "submit" | "admission" | "isKnown">;
  /** Opens the tokens for the gateway as one of `networkId`, or rejects if it is not trusted as such. */
  readonly openTokens: (networkId: string) => Promise<TokenStore>;
  /** Says how to get `count` tokens, for an error message. */
  readonly advice: (count: number) => string;
}

/** Submits to one gateway. Dispose it to return unused tokens. */
export class TokenSpender implements AsyncDisposable {
  readonly #options: TokenSpenderOptions;
  /** Bound tokens by hash. */
  readonly #bound = new Map<string, SuppliedToken>();
  /** Tokens of earlier runs by the hash that they were sent with. */
  readonly #shown = new Map<string, SuppliedToken>();
  /** Hashes that the gateway has answered with a job. */
  readonly #accepted = new Set<string>();
  /** `null` if the gateway accepts no tokens; `undefined` before the first request. */
  #tokens: TokenStore | null | undefined;
  /** Whether to try tokens after `rate_limited`. */
  #triesAtLimit = true;
  #refused = 0;

  constructor(options: TokenSpenderOptions) {
    this.#options = options;
  }

  /**
   * Like {@linkcode GatewayClient.submit}. `tokens_missing` if the gateway requires more tokens than
   * are stored.
   */
  async submit(
    hashes: readonly string[],
    waitSeconds: number,
  ): Promise<readonly JobSnapshotMembers[]> {
    for (;;) {
      try {
        const jobs = await this.#ask(hashes, waitSeconds);
        for (const hash of hashes) {
          this.#bound.delete(hash);
          this.#accepted.add(hash);
        }
        return jobs;
      } catch (error) {
        if (!(error instanceof GatewayRefusal)) throw error;
        if (REFUSALS.has(error.reason) && hashes.length > 1) {
          // Only single submissions show which of many tokens was refused.
          const jobs: JobSnapshotMembers[] = [];
          for (const hash of hashes) jobs.push(...await this.submit([hash], 0));
          return jobs;
        }
        if (!await this.#remedy(hashes, error)) throw error;
      }
    }
  }

  /** Returns tokens without a job to the store, with the hash that they were sent with. */
  async [Symbol.asyncDispose](): Promise<void> {
    const bound = [...this.#bound].map(([hash, token]) => ({ ...token, shownFor: hash }));
    const tokens = [...bound, ...this.#shown.values()];
    this.#bound.clear();
    this.#shown.clear();
    if (tokens.length > 0) await this.#tokens?.giveBack(tokens);
  }

  #ask(hashes: readonly string[], waitSeconds: number): Promise<readonly JobSnapshotMembers[]> {
    const tokens = hashes.map((hash) => this.#bound.get(hash)?.token ?? null);
    return this.#options.gateway.submit(hashes, waitSeconds, {
      ...(tokens.some((token) => token !== null) && { tokens }),
      isTransient: (error) => isBusy(error) && !(this.#triesAtLimit && isAtLimit(error)),
    });
  }

  /** Binds or replaces tokens after a refusal; false if the refusal is final. */
  async #remedy(hashes: readonly string[], refusal: GatewayRefusal): Promise<boolean> {
    if (REFUSALS.has(refusal.reason)) {
      const [hash] = hashes;
      if (!this.#bound.delete(hash!)) return false;
      this.#refused++;
      // Retry without a token: the gateway then says whether it requires one.
      return this.#refused <= MAX_REFUSED;
    }
    if (refusal.reason === "token_required") {
      if (hashes.every((hash) => this.#isPaid(hash))) return false;
      if (await this.#bind(hashes)) return true;
      throw await this.#missing(hashes);
    }
    if (!isAtLimit(refusal) || !this.#triesAtLimit) return false;
    // Retry with tokens, or wait.
    this.#triesAtLimit = await this.#bind(hashes);
    return true;
  }

  /** Prevents a gateway from demanding more tokens for an accepted hash. */
  #isPaid(hash: string): boolean {
    return this.#bound.has(hash) || this.#accepted.has(hash);
  }

  /** Binds a token to each new hash without one; false if there are too few, or no hash is new. */
  async #bind(hashes: readonly string[]): Promise<boolean> {
    const store = await this.#openTokens();
    if (store === null) return false;
    const lacking = await this.#unknown(hashes.filter((hash) => !this.#isPaid(hash)));
    const fresh = lacking.filter((hash) => !this.#shown.has(hash));
    let tokens = await store.take(fresh.length);
    if (tokens.length < fresh.length && this.#shown.size > 0) {
      await store.giveBack(tokens);
      await this.#settleShown(store, new Set(lacking));
      tokens = await store.take(fresh.length);
    }
    if (tokens.length < fresh.length) {
      await store.giveBack(tokens);
      return false;
    }
    for (const hash of lacking) {
      const shown = this.#shown.get(hash);
      if (shown !== undefined) this.#bound.set(hash, shown);
      this.#shown.delete(hash);
    }
    fresh.forEach((hash, i) => this.#bound.set(hash, tokens[i]!));
    return lacking.length > 0;
  }

  /**
   * Returns tokens of earlier runs to the store if the gateway does not know their hash, and drops
   * them if it does, except those in `kept`. The gateway has seen all of them before.
   */
  async #settleShown(store: TokenStore, kept: ReadonlySet<string>): Promise<void> {
    const hashes = [...this.#shown.keys()].filter((hash) => !kept.has(hash));
    const unknown = new Set(await this.#askUnknown(hashes));
    const unspent: SuppliedToken[] = [];
    for (const hash of hashes) {
      const { shownFor: _, ...token } = this.#shown.get(hash)!;
      if (unknown.has(hash)) unspent.push(token);
      this.#shown.delete(hash);
    }
    await store.giveBack(unspent);
  }

  /** The tokens for this gateway and the network that it states. */
  async #openTokens(): Promise<TokenStore | null> {
    if (this.#tokens !== undefined) return this.#tokens;
    const { gateway, openTokens } = this.#options;
    const { mode, issuers: [issuer] } = (await gateway.admission()).value;
    if (mode === "open" || issuer === undefined) return this.#tokens = null;
    const store = await openTokens(issuer.challenge.originInfo);
    for (const token of await store.takeShown()) this.#shown.set(token.shownFor!, token);
    return this.#tokens = store;
  }

  /** The hashes without a job. A single hash is unknown, since it was refused. */
  async #unknown(hashes: readonly string[]): Promise<readonly string[]> {
    return hashes.length <= 1 ? hashes : await this.#askUnknown(hashes);
  }

  async #askUnknown(hashes: readonly string[]): Promise<readonly string[]> {
    const isKnown = new Array<boolean>(hashes.length);
    const waiting = hashes.entries();
    // The workers share the iterator: each takes the next hash.
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      for (const [i, hash] of waiting) isKnown[i] = await this.#options.gateway.isKnown(hash);
    }));
    return hashes.filter((_, i) => !isKnown[i]);
  }

  async #missing(hashes: readonly string[]): Promise<CountersignError> {
    const { gateway: { url }, advice } = this.#options;
    const stored = await this.#tokens?.count() ?? 0;
    return new CountersignError(
      "tokens_missing",
      `Cannot stamp: ${url.href} requires a token for each new hash, and ${stored} are stored ` +
        `for ${hashes.length} (${advice(hashes.length)})`,
    );
  }
}

/** True for a refusal because of too many new hashes. */
function isAtLimit(error: unknown): boolean {
  return error instanceof GatewayRefusal && error.reason === "rate_limited";
}
