/**
 * By which token a peer network is known (RFC 6750).
 *
 * @module
 */

import { type Clock, unixSeconds } from "../clock.ts";
import { equalSecrets } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";
import { bearerToken } from "./bearer_token.ts";

/** What a peer shows us: its token, and the one before that as long as it holds. */
export interface AcceptedTokens {
  /** The peer's network id. */
  readonly peer: string;
  readonly token: string;
  readonly previous?: {
    readonly token: string;
    /** Unix seconds from which on it is refused. */
    readonly until: number;
  };
}

/** The accepted tokens of all peers, each of one peer alone. */
export class PeerTokens {
  readonly #accepted: readonly AcceptedTokens[];
  readonly #clock: Clock;

  /** `invalid_configuration` when a token is accepted twice: it would not say whose it is. */
  constructor(accepted: readonly AcceptedTokens[], clock: Clock) {
    const tokens = accepted.flatMap(({ token, previous }) =>
      previous === undefined ? [token] : [token, previous.token]
    );
    if (new Set(tokens).size !== tokens.length) {
      throw new CountersignError(
        "invalid_configuration",
        "Cannot accept peers: tokens that are accepted once required, found one twice",
      );
    }
    this.#accepted = accepted;
    this.#clock = clock;
  }

  /**
   * The peer whose token a request shows. `token_required` when it shows none, `token_refused` when it
   * is nobody's, or is one of before whose time is over.
   */
  peerOf(headers: Headers): string {
    const given = bearerToken(headers);
    const now = unixSeconds(this.#clock);
    let found: string | undefined;
    // No comparison is left out, so that the time taken does not tell whose token comes close.
    for (const { peer, token, previous } of this.#accepted) {
      if (equalSecrets(given, token)) found = peer;
      if (previous !== undefined && equalSecrets(given, previous.token) && now < previous.until) {
        found = peer;
      }
    }
    if (found !== undefined) return found;
    throw new CountersignError(
      "token_refused",
      "Cannot answer: the bearer token of a peer required, another found",
    );
  }
}
