/**
 * Submits the page's hashes to a gateway that may require tokens. The page gets tokens from the issuer that
 * the gateway names, in exchange for proofs of work. It fetches only as many as the next request needs.
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

/** Most hashes in a request that needs tokens: a token takes about a second to get. */
const MAX_WITH_TOKENS = 4;

interface TokenServices {
  readonly api: Pick<GatewayClient, "url" | "admission" | "isKnown" | "submit">;
  readonly crypto: Pick<CryptoLoader, "crypto">;
  readonly hashing: Pick<HashPool, "findWork">;
  readonly clock: Clock;
}

/** The state is true while the page computes proofs of work for tokens. */
export class PageTokens extends Store<boolean> {
  readonly #services: TokenServices;
  readonly #spender: TokenSpender;
  /** Whether the gateway requires tokens; `undefined` if it has to be asked (again). */
  #areRequired: boolean | undefined;
  /** Tokens that are fetched and not spent. */
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
        // No retries here: the caller of `submit()` repeats it.
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
      // The gateway may have begun to require tokens after it was asked.
      if (hasCode(error, "tokens_missing")) this.#areRequired = undefined;
      throw error;
    }
  }

  async #askMode(): Promise<boolean> {
    try {
      return (await this.#services.api.admission()).value.mode === "token_required";
    } catch (error) {
      if (isTemporary(error)) throw error;
      // If the gateway does require tokens, its refusal of a hash will say so.
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

  /** Takes tokens only if they are required. At a gateway that limits clients without tokens, the page waits instead. */
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
        const wasOpen = this.#fetching !== undefined;
        this.#fetching ??= await this.#openIssuer();
        if (this.#fetching === undefined) return;
        try {
          this.#unspent = [...this.#unspent, await this.#fetching.fetch()];
        } catch (error) {
          if (isIssuerAway(error)) throw error;
          this.#fetching = undefined;
          // The keys of an earlier call may be outdated: ask the issuer for its keys once more.
          if (!wasOpen) throw error;
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
