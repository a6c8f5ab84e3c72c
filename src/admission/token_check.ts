/**
 * Checks tokens that clients bring (RFC 9577 section 2.2, RFC 9578): structure, challenge, key, time,
 * and last the authenticator, which alone costs something. Whether a token was spent before is for
 * the store, which finds out in the commit that spends it.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import { parseTokenText, spendOf, type Token, tokenInputOf } from "../format/privacy_pass.ts";
import type { TokenIssuers, TokenKey } from "./token_issuers.ts";

/** Milliseconds that authenticators are verified for without a turn for others. */
const SLICE_MS = 4;

/** A token that is in order but for its authenticator, which was not looked at. */
export interface PresentedToken {
  readonly token: Token;
  readonly key: TokenKey;
  /** Where it stands in the request: what a refusal calls it. */
  readonly place: string;
}

/** Checks tokens by the issuers of one network. */
export class TokenCheck {
  readonly issuers: TokenIssuers;
  readonly #clock: Clock;

  constructor(issuers: TokenIssuers, clock: Clock) {
    this.issuers = issuers;
    this.#clock = clock;
  }

  /**
   * The token in base64url without its authenticator; `token_invalid`, `token_expired`,
   * `issuer_unreachable`.
   */
  present(text: string, place: string): PresentedToken {
    const token = readToken(text, place);
    const admitted = this.issuers.find(token.challengeDigest, token.tokenKeyId);
    const unread = this.issuers.unreadIssuerOf(token.challengeDigest);
    if (unread !== undefined) throw issuersUnreachable([unread]);
    if (admitted === undefined) {
      throw invalid(place, "a challenge of this network and a key of its issuer", "others");
    }
    const { key } = admitted;
    const now = unixSeconds(this.#clock);
    if (key.notBefore !== undefined && now < key.notBefore) {
      throw invalid(place, "a key whose time has come", "one of a later time");
    }
    if (key.notAfter !== undefined && now >= key.notAfter) {
      throw refusal("token_expired", place, "a key whose time has not passed", "one that ended");
    }
    return { token, key, place };
  }

  /** `issuer_unreachable` while no token can be good, because no issuer's keys are known yet. */
  requireIssuer(): void {
    const missing = this.issuers.missingIssuers();
    if (missing.length > 0) throw issuersUnreachable(missing);
  }

  /** What is spent for a token, 32 bytes, once its authenticator verified: `token_invalid`. */
  spend({ token, key, place }: PresentedToken): Bytes {
    if (!key.verify(tokenInputOf(token), token.authenticator)) {
      throw invalid(place, "an authenticator by the issuer's key", "another");
    }
    return spendOf(token);
  }

  /**
   * {@linkcode TokenCheck.spend} of each, packed in their order; `token_spent` for one that stands
   * twice. Others have their turns meanwhile.
   */
  async spendAll(presented: readonly PresentedToken[]): Promise<Bytes> {
    requireDistinct(presented);
    const spends = new Uint8Array(presented.length * HASH_LENGTH);
    let sliceStart = this.#clock.nowMs();
    for (const [i, one] of presented.entries()) {
      spends.set(this.spend(one), i * HASH_LENGTH);
      if (this.#clock.nowMs() - sliceStart < SLICE_MS) continue;
      // A timer, and nothing that is due at once: of what comes from sockets, that takes no notice.
      await this.#clock.sleep(0);
      sliceStart = this.#clock.nowMs();
    }
    return spends;
  }
}

/** Before any is verified: one token, however often it stands there, costs no more than once. */
function requireDistinct(presented: readonly PresentedToken[]): void {
  const seen = new Set<string>();
  for (const { token, place } of presented) {
    const input = tokenInputOf(token).toHex();
    if (seen.has(input)) {
      throw refusal("token_spent", place, "a token that stands there once", "one a second time");
    }
    seen.add(input);
  }
}

/** Tokens of `names` cannot be checked: the gateway has read no directory of theirs since its start. */
function issuersUnreachable(names: readonly string[]): CountersignError {
  return new CountersignError(
    "issuer_unreachable",
    `Cannot check tokens of ${names.join(", ")}: this gateway has not reached the issuer yet. ` +
      "Keep the token and retry",
  );
}

function readToken(text: string, place: string): Token {
  try {
    return parseTokenText(text);
  } catch (cause) {
    throw invalid(place, "a token in base64url", "another text", { cause });
  }
}

function invalid(
  place: string,
  required: string,
  found: string,
  options?: ErrorOptions,
): CountersignError {
  return refusal("token_invalid", place, required, found, options);
}

function refusal(
  code: ErrorCode,
  place: string,
  required: string,
  found: string,
  options?: ErrorOptions,
): CountersignError {
  return new CountersignError(
    code,
    `Cannot accept ${place}: ${required} required, found ${found}`,
    options,
  );
}
