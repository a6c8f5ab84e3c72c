/**
 * Submits the page's hashes to a gateway that may require tokens. The page gets tokens of the issuer
 * that the gateway names by proofs of work, and has them only for the hashes that it is sending.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { GatewayClient } from "../../client/gateway_client.ts";
import { isTemporary } from "../../client/gateway_connection.ts";
import { isIssuerAway, IssuerClient } from "../../client/issuer_client.ts";
import { chooseKey, namedIssuer, TokenFetch } from "../../client/token_fetch.ts";
import { type SuppliedToken, TokenSpender, type TokenStore } from "../../client/token_spender.ts";
import { hasCode } from "../../base/errors.ts";
import type { JobSnapshotMembers } from "../../proof/format/job_snapshot.ts";
import type { CryptoLoader } from "../assets.ts";
import type { HashPool } from "../hashing/hash_pool.ts";
import { Store } from "../store.ts";

/** Hashes that are sent at once where each needs a token, which takes a second or so. */
const MAX_WITH_TOKENS = 4;

interface TokenServices {
  readonly api: Pick<GatewayClient, "url" | "admission" | "isKnown" | "submit">;
  readonly crypto: Pick<CryptoLoader, "crypto">;
  readonly hashing: Pick<HashPool, "findWork">;
  readonly clock: Clock;
}

/** The state is true while the page works for tokens. */
export class PageTokens extends Store<boolean> {
  readonly #services: TokenServices;
  readonly #spender: TokenSpender;
  #areRequired: boolean | undefined;
  /** Fetched and not sent. */
  #unspent: readonly SuppliedToken[] = [];
  #fetching: TokenFetch | undefined;

  constructor(services: TokenServices) {
    super(false);
    this.#services = services;
    const { api } = services;
    this.#spender = new TokenSpender({
      gateway: {
        url: api.url,
        admission: () => api.admission(),
        isKnown: (hash) => api.isKnown(hash),
        // The caller repeats.
        submit: (hashes, waitSeconds, options) =>
          api.submit(hashes, waitSeconds, { ...options, isTransient: () => false }),
      },
      openTokens: () => Promise.resolve(this.#store),
      advice: () => "the gateway names no issuer",
    });
  }

  /** How many new hashes to send at once. */
  async maxNew(): Promise<number> {
    this.#areRequired ??= await this.#askMode();
    return this.#areRequired ? MAX_WITH_TOKENS : Infinity;
  }

  /** Like {@linkcode TokenSpender.submit}. `issuer_unreachable`, `issuer_refused`. */
  async submit(
    hashes: readonly string[],
    waitSeconds: number,
  ): Promise<readonly JobSnapshotMembers[]> {
    try {
      return await this.#spender.submit(hashes, waitSeconds);
    } catch (error) {
      // The gateway may require tokens since it was asked.
      if (hasCode(error, "tokens_missing")) this.#areRequired = undefined;
      throw error;
    }
  }

  async #askMode(): Promise<boolean> {
    try {
      return (await this.#services.api.admission()).value.mode === "token_required";
    } catch (error) {
      if (isTemporary(error)) throw error;
      // The gateway says so when it refuses a hash.
      return false;
    }
  }

  readonly #store: TokenStore = {
    count: () => Promise.resolve(this.#unspent.length),
    take: (count) => this.#take(count),
    takeShown: () => Promise.resolve([]),
    giveBack: (returned) => {
      this.#unspent = [...returned, ...this.#unspent];
      return Promise.resolve();
    },
  };

  /** At a gateway that only limits its clients without tokens, the page waits instead. */
  async #take(count: number): Promise<readonly SuppliedToken[]> {
    if (!this.#areRequired || count > MAX_WITH_TOKENS) return [];
    const now = unixSeconds(this.#services.clock);
    this.#unspent = this.#unspent.filter(({ notAfter = Infinity }) => now < notAfter);
    if (this.#unspent.length < count) await this.#fetchUpTo(count);
    const taken = this.#unspent.slice(0, count);
    this.#unspent = this.#unspent.slice(count);
    return taken;
  }

  async #fetchUpTo(count: number): Promise<void> {
    this.setState(true);
    try {
      while (this.#unspent.length < count) {
        const isOpen = this.#fetching !== undefined;
        this.#fetching ??= await this.#openIssuer();
        if (this.#fetching === undefined) return;
        try {
          this.#unspent = [...this.#unspent, await this.#fetching.fetch()];
        } catch (error) {
          if (isIssuerAway(error)) throw error;
          this.#fetching = undefined;
          // The issuer may have other keys since it was asked for them.
          if (!isOpen) throw error;
        }
      }
    } finally {
      this.setState(false);
    }
  }

  async #openIssuer(): Promise<TokenFetch | undefined> {
    const { api, crypto, hashing, clock } = this.#services;
    const named = namedIssuer((await api.admission()).value.issuers, api.url);
    if (named === undefined) return undefined;
    const client = new IssuerClient({ url: named.url });
    const key = chooseKey(await client.directory(), named.offers, unixSeconds(clock));
    const { kernels } = await crypto.crypto();
    return new TokenFetch({
      client,
      key,
      kernels,
      clock,
      findWork: (subject, demand) => hashing.findWork(subject, demand),
    });
  }
}
