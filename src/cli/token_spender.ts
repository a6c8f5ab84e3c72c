/**
 * Submits hashes, with tokens if the gateway requires them. A token is bound to one hash and is sent
 * with it until the gateway answers with the job; a gateway spends no token for a known hash. A gateway
 * gets at most one token for each hash, and {@linkcode MAX_REFUSED} more in place of refused ones.
 *
 * A token without an answer returns to the supply together with its hash. It is used for another hash
 * only if the gateway does not know that hash, so a lost answer costs no other token.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../errors.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import type { JobSnapshotMembers } from "../format/job_snapshot.ts";
import { isBusy } from "../client/gateway_connection.ts";
import type { CommandContext } from "./command_context.ts";
import type { TokenSupply } from "./token_supply.ts";
import { ownerlessSupplies, type SuppliedToken } from "./token_supply_file.ts";
import { requireKnownNetwork } from "./trusted_network.ts";

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

/** Submits to one gateway during one command. */
export class TokenSpender implements AsyncDisposable {
  readonly #context: CommandContext;
  /** Bound tokens by hash. */
  readonly #bound = new Map<string, SuppliedToken>();
  /** Tokens of earlier runs by the hash that they were sent with. */
  readonly #shown = new Map<string, SuppliedToken>();
  /** Hashes that the gateway has answered with a job. */
  readonly #accepted = new Set<string>();
  /** `null` if the gateway accepts no tokens; `undefined` before the first request. */
  #supply: TokenSupply | null | undefined;
  #networkId = "";
  /** Whether to try tokens after `rate_limited`. */
  #triesAtLimit = true;
  #refused = 0;

  constructor(context: CommandContext) {
    this.#context = context;
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

  /** Returns tokens without a job to the supply, with the hash that they were sent with. */
  async [Symbol.asyncDispose](): Promise<void> {
    const bound = [...this.#bound].map(([hash, token]) => ({ ...token, shownFor: hash }));
    const tokens = [...bound, ...this.#shown.values()];
    this.#bound.clear();
    this.#shown.clear();
    if (tokens.length > 0) await this.#supply?.giveBack(tokens);
  }

  #ask(hashes: readonly string[], waitSeconds: number): Promise<readonly JobSnapshotMembers[]> {
    const tokens = hashes.map((hash) => this.#bound.get(hash)?.token ?? null);
    return this.#context.gateway.submit(hashes, waitSeconds, {
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
    const supply = await this.#openSupply();
    if (supply === null) return false;
    const lacking = await this.#unknown(hashes.filter((hash) => !this.#isPaid(hash)));
    const fresh = lacking.filter((hash) => !this.#shown.has(hash));
    let tokens = await supply.take(fresh.length);
    if (tokens.length < fresh.length && this.#shown.size > 0) {
      await supply.giveBack(tokens);
      await this.#settleShown(supply, new Set(lacking));
      tokens = await supply.take(fresh.length);
    }
    if (tokens.length < fresh.length) {
      await supply.giveBack(tokens);
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
   * Returns tokens of earlier runs to the supply if the gateway does not know their hash, and drops
   * them if it does, except those in `kept`. The gateway has seen all of them before.
   */
  async #settleShown(supply: TokenSupply, kept: ReadonlySet<string>): Promise<void> {
    const hashes = [...this.#shown.keys()].filter((hash) => !kept.has(hash));
    const unknown = new Set(await this.#askUnknown(hashes));
    const unspent: SuppliedToken[] = [];
    for (const hash of hashes) {
      const { shownFor: _, ...token } = this.#shown.get(hash)!;
      if (unknown.has(hash)) unspent.push(token);
      this.#shown.delete(hash);
    }
    await supply.giveBack(unspent);
  }

  /**
   * The tokens for this gateway and the network that it states; `pin_differs` if the gateway is
   * remembered for another network.
   */
  async #openSupply(): Promise<TokenSupply | null> {
    if (this.#supply !== undefined) return this.#supply;
    const context = this.#context;
    const { mode, issuers: [issuer] } = (await context.gateway.admission()).value;
    if (mode === "open" || issuer === undefined) return this.#supply = null;
    const id = issuer.challenge.originInfo;
    await requireKnownNetwork(context, id);
    const supply = context.tokens(id);
    for (const token of await supply.takeShown()) this.#shown.set(token.shownFor!, token);
    this.#networkId = id;
    return this.#supply = supply;
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
      for (const [i, hash] of waiting) isKnown[i] = await this.#context.gateway.isKnown(hash);
    }));
    return hashes.filter((_, i) => !isKnown[i]);
  }

  async #missing(hashes: readonly string[]): Promise<CountersignError> {
    const { gateway: { url }, home } = this.#context;
    const count = await this.#supply?.count() ?? 0;
    const id = this.#networkId;
    const remedy = (await ownerlessSupplies(home)).includes(id)
      ? ownerlessText(id)
      : `fetch some: countersign token --count ${hashes.length}`;
    return new CountersignError(
      "tokens_missing",
      `Cannot submit ${hashes.length} hashes: ${url.href} requires a token for each new hash, and ` +
        `${count} are stored (${remedy})`,
    );
  }
}

/** Advice about a supply of version 1 for network `id`. */
export function ownerlessText(id: string): string {
  return `stored tokens for ${id} of an earlier version have no gateway and are not used; ` +
    `to use them at a gateway of ${id} that you trust: countersign network --pin --gateway URL`;
}

/** True for a refusal because of too many new hashes. */
function isAtLimit(error: unknown): boolean {
  return error instanceof GatewayRefusal && error.reason === "rate_limited";
}
