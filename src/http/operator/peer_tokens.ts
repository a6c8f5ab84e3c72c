/**
 * The bearer tokens of peers.
 *
 * @module
 */

import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import { equalSecrets } from "../../proof/crypto/secrets.ts";
import { bearerToken } from "../bearer_token.ts";

/** The tokens by which a peer is authenticated. */
export interface AcceptedTokens {
  /** The peer's network id. */
  readonly peer: string;
  readonly token: string;
  /** The token before a rotation. */
  readonly previous?: {
    readonly token: string;
    /** Unix seconds from which it is refused. */
    readonly until: number;
  };
}

/** The accepted tokens of all peers. Each token belongs to one peer. */
export class PeerTokens {
  readonly #accepted: readonly AcceptedTokens[];
  readonly #clock: Clock;

  /** `invalid_configuration` if a token appears twice. */
  constructor(accepted: readonly AcceptedTokens[], clock: Clock) {
    const tokens = accepted.flatMap(({ token, previous }) =>
      previous === undefined ? [token] : [token, previous.token]
    );
    if (new Set(tokens).size !== tokens.length) {
      throw new CountersignError(
        "invalid_configuration",
        "Cannot accept peers: two accepted tokens are the same; give each peer its own",
      );
    }
    this.#accepted = accepted;
    this.#clock = clock;
  }

  /**
   * The peer that the token of a request identifies. `token_required` without a token, `token_refused`
   * with an unknown token or a previous one that has expired.
   */
  peerOf(headers: Headers): string {
    const given = bearerToken(headers);
    const now = unixSeconds(this.#clock);
    let found: string | undefined;
    // Compares all tokens, so that the time taken does not depend on which one matches.
    for (const { peer, token, previous } of this.#accepted) {
      if (equalSecrets(given, token)) found = peer;
      if (previous !== undefined && equalSecrets(given, previous.token) && now < previous.until) {
        found = peer;
      }
    }
    if (found !== undefined) return found;
    throw new CountersignError("token_refused", "The bearer token is not one of a peer");
  }
}
