/**
 * Submits hashes, with tokens where the gateway wants some. A token is bound to one hash: until the
 * gateway has answered with the job, whatever happens in between, that hash is asked for with that
 * token, since a gateway spends none for a hash that it knows. What was bound to no job in the end is
 * given back.
 *
 * @module
 */

import { CountersignError, type ErrorCode } from "../errors.ts";
import { GatewayRefusal } from "../format/gateway_refusal.ts";
import type { JobSnapshotMembers } from "../format/job_snapshot.ts";
import { isBusy } from "../transport/gateway_connection.ts";
import type { CommandContext } from "./command_context.ts";
import type { SuppliedToken, TokenSupply } from "./token_supply.ts";

/** How many hashes are looked up at once. */
const CONCURRENCY = 16;

/**
 * Refusals of tokens after which no other is tried: some that ended are replaced, and a gateway that
 * takes none does not get all. Those that were spent are not counted: nobody has a use for them, and
 * there are many where the answer to many hashes was lost.
 */
const MAX_REFUSED = 8;

/** What a gateway says of a token that is of no use any more. */
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
  /** `null` of a gateway that takes no tokens; `undefined` before it was asked. */
  #supply: TokenSupply | null | undefined;
  /** Whether tokens are tried where too many hashes are refused. */
  #triesAtLimit = true;
  #refused = 0;

  constructor(context: CommandContext) {
    this.#context = context;
  }

  /**
   * {@linkcode GatewayClient.submit}. `tokens_missing` where the gateway requires more tokens than
   * there are.
   */
  async submit(
    hashes: readonly string[],
    waitSeconds: number,
  ): Promise<readonly JobSnapshotMembers[]> {
    for (;;) {
      try {
        const jobs = await this.#ask(hashes, waitSeconds);
        for (const hash of hashes) this.#bound.delete(hash);
        return jobs;
      } catch (error) {
        if (!(error instanceof GatewayRefusal)) throw error;
        if (REFUSALS.has(error.reason) && hashes.length > 1) {
          // Which of many it is, an answer for each alone tells.
          const jobs: JobSnapshotMembers[] = [];
          for (const hash of hashes) jobs.push(...await this.submit([hash], 0));
          return jobs;
        }
        if (!await this.#remedy(hashes, error)) throw error;
      }
    }
  }

  /** Gives back what is bound to no job. A token that was spent all the same is refused later. */
  async [Symbol.asyncDispose](): Promise<void> {
    const tokens = [...this.#bound.values()];
    this.#bound.clear();
    if (tokens.length > 0) await this.#supply?.giveBack(tokens);
  }

  #ask(hashes: readonly string[], waitSeconds: number): Promise<readonly JobSnapshotMembers[]> {
    const tokens = hashes.map((hash) => this.#bound.get(hash)?.token ?? null);
    return this.#context.gateway.submit(hashes, waitSeconds, {
      ...(tokens.some((token) => token !== null) && { tokens }),
      mayPass: (error) => isBusy(error) && !(this.#triesAtLimit && isAtLimit(error)),
    });
  }

  /** Does what may be done about a refusal; false where nothing was. */
  async #remedy(hashes: readonly string[], refusal: GatewayRefusal): Promise<boolean> {
    if (REFUSALS.has(refusal.reason)) {
      const [hash] = hashes;
      if (!this.#bound.delete(hash!)) return false;
      if (refusal.reason !== "token_spent") this.#refused++;
      // Without one, the gateway says whether it wants another.
      return this.#refused <= MAX_REFUSED;
    }
    if (refusal.reason === "token_required") {
      if (await this.#bind(hashes)) return true;
      throw await this.#missing(hashes);
    }
    if (!isAtLimit(refusal) || !this.#triesAtLimit) return false;
    // Asked again, with tokens or with patience.
    this.#triesAtLimit = await this.#bind(hashes);
    return true;
  }

  /** Binds a token to each new hash that has none; false where there are too few, or none is new. */
  async #bind(hashes: readonly string[]): Promise<boolean> {
    const supply = await this.#openSupply();
    if (supply === null) return false;
    const lacking = await this.#unknown(hashes.filter((hash) => !this.#bound.has(hash)));
    const tokens = await supply.take(lacking.length);
    if (tokens.length === lacking.length) {
      lacking.forEach((hash, i) => this.#bound.set(hash, tokens[i]!));
      return lacking.length > 0;
    }
    await supply.giveBack(tokens);
    return false;
  }

  /** Tokens for the network of the gateway, by what it says of itself. */
  async #openSupply(): Promise<TokenSupply | null> {
    if (this.#supply !== undefined) return this.#supply;
    const { mode, issuers: [issuer] } = (await this.#context.gateway.admission()).value;
    const takesTokens = mode !== "open" && issuer !== undefined;
    this.#supply = takesTokens ? this.#context.tokens(issuer.challenge.originInfo) : null;
    return this.#supply;
  }

  /** Those of `hashes` that the gateway has no job of. Of one alone, its refusal has said so. */
  async #unknown(hashes: readonly string[]): Promise<readonly string[]> {
    if (hashes.length <= 1) return hashes;
    const isKnown = new Array<boolean>(hashes.length);
    const waiting = hashes.entries();
    // Workers share the iterator: each takes the next hash that nobody took.
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      for (const [i, hash] of waiting) isKnown[i] = await this.#context.gateway.isKnown(hash);
    }));
    return hashes.filter((_, i) => !isKnown[i]);
  }

  async #missing(hashes: readonly string[]): Promise<CountersignError> {
    const count = await this.#supply?.count() ?? 0;
    return new CountersignError(
      "tokens_missing",
      `Cannot submit: a token for each new hash required, found ${count} for ${hashes.length} ` +
        `(fetch some: countersign token --count ${hashes.length})`,
    );
  }
}

/** True for a refusal because of too many new hashes. */
function isAtLimit(error: unknown): boolean {
  return error instanceof GatewayRefusal && error.reason === "rate_limited";
}
