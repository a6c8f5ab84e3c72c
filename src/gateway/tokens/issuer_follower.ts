/**
 * Follows the keys in one issuer's directory (RFC 9578 section 4), without a restart.
 *
 * The gateway accepts exactly the keys of the directory, each from its not-before. When a key leaves
 * the directory, its tokens are refused at once: an origin may verify with any key of the list, so an
 * issuer removes a key early only to revoke it. A failed request or a bad directory changes nothing.
 * The last good directory is stored for the next start.
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import { Backoff } from "../../base/backoff.ts";
import type { Clock } from "../../base/clock.ts";
import { readBlindRsaKey } from "../../proof/crypto/blind_rsa.ts";
import { errorBuilder } from "../../base/errors.ts";
import { type IssuerDirectory, MAX_DIRECTORY_KEYS } from "../../proof/format/issuer_directory.ts";
import { Condition, errorDetails, errorText, type Report } from "../../base/report.ts";
import { blindRsaTokenKey, type TokenIssuers, type TokenKey } from "./token_issuers.ts";

/** All keys that the format allows, since an issuer may rotate often. */
export const MAX_FOLLOWED_KEYS = MAX_DIRECTORY_KEYS;

/** The longest pause after a good answer, in milliseconds. */
export const FOLLOW_PERIOD_MS = 3_600_000;

/** Pauses after failures, in milliseconds. */
const RETRY = { firstMs: 5_000, longestMs: 900_000 } as const;

/** Where a directory comes from and is stored. */
export interface DirectorySource {
  /** Fetches it from the issuer; `issuer_unreachable`, `issuer_refused`. */
  ask(signal: AbortSignal): Promise<IssuerDirectory>;
  /** The stored one, if any. */
  kept(): Promise<IssuerDirectory | undefined>;
  /** Replaces the stored one; durable when it resolves. */
  keep(directory: IssuerDirectory): Promise<void>;
}

/** The parts of an {@linkcode IssuerFollower}. */
export interface FollowerContext {
  /** Name of the issuer, one of `issuers`. */
  readonly name: string;
  readonly source: DirectorySource;
  readonly issuers: TokenIssuers;
  readonly clock: Clock;
  /** Numbers in [0, 1) that spread the requests of many gateways. */
  readonly random: () => number;
  /** Called with each directory whose keys are in use from now on. */
  readonly accepted: (directory: IssuerDirectory) => void;
  /** Reports changes of the keys, and failures. */
  readonly report: Report;
}

const refused = errorBuilder("issuer_refused", "Cannot follow issuer directory");

/** The accepted keys of one issuer. */
export class IssuerFollower {
  readonly #context: FollowerContext;
  readonly #backoff: Backoff;
  /** IDs of the keys in use. */
  #ids = "";
  readonly #failing: Condition;

  constructor(context: FollowerContext) {
    this.#context = context;
    this.#backoff = new Backoff(RETRY, context.random);
    this.#failing = new Condition(context);
  }

  /** Uses the stored directory, if there is a valid one. */
  async restore(): Promise<void> {
    const { name, source, report } = this.#context;
    try {
      const directory = await source.kept();
      if (directory !== undefined) this.#use(directory);
    } catch (error) {
      report(
        `Cannot use the stored keys of issuer ${name}: ${
          errorText(error)
        }. The gateway fetches them`,
        {
          ...errorDetails(error),
          service: name,
        },
      );
    }
  }

  /** Follows until `signal` aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#context;
    while (!signal.aborted) {
      let pauseMs = FOLLOW_PERIOD_MS * (1 - random() / 8);
      try {
        await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#failed(error);
        pauseMs = this.#backoff.afterFailure();
      }
      await clock.sleep(pauseMs, signal);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { name, source } = this.#context;
    const directory = await source.ask(signal);
    this.#use(directory);
    await source.keep(directory);
    this.#backoff.reset();
    this.#failing.ended(`Issuer ${name} answers again`);
  }

  #use(directory: IssuerDirectory): void {
    const { name, issuers, accepted, report } = this.#context;
    const keys = followedKeys(directory);
    issuers.useKeys(name, keys);
    accepted(directory);
    const ids = keys.map(({ id }) => hexOf(id)).join(", ");
    if (ids !== this.#ids) {
      report(`Tokens of ${name} are accepted under the keys ${ids}`, {
        level: "info",
        service: name,
      });
    }
    this.#ids = ids;
  }

  #failed(error: unknown): void {
    const { name } = this.#context;
    this.#failing.holds(
      `Cannot follow the keys of issuer ${name}: ${errorText(error)}. Its last keys stay in use. ` +
        "Make sure that it runs and that this machine reaches it",
      { ...errorDetails(error), service: name },
    );
  }
}

/**
 * The keys of `directory`, each from its not-before; at least one, and at most
 * {@linkcode MAX_FOLLOWED_KEYS}. `issuer_refused`, `invalid_key`.
 */
export function followedKeys({ tokenKeys }: IssuerDirectory): readonly TokenKey[] {
  const count = tokenKeys.length;
  if (count < 1 || count > MAX_FOLLOWED_KEYS) {
    throw refused(`it has ${count} keys of type 2, not 1 to ${MAX_FOLLOWED_KEYS}`);
  }
  if (new Set(tokenKeys.map(({ tokenKey }) => hexOf(tokenKey))).size < count) {
    throw refused("it has a key twice");
  }
  return tokenKeys.map(({ tokenKey, notBefore }) =>
    blindRsaTokenKey(
      readBlindRsaKey(tokenKey),
      notBefore === undefined ? {} : { notBefore },
    )
  );
}
