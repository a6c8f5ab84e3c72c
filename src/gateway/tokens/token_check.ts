/**
 * Checks tokens of requests (RFC 9577 section 2.2, RFC 9578): structure, challenge, key and time, and
 * last the authenticator, the only expensive check. Whether a token was spent before is decided by
 * the commit that spends it.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import {
  parseTokenText,
  spendOf,
  type Token,
  tokenInputOf,
} from "../../proof/format/privacy_pass.ts";
import type { TokenIssuers, TokenKey } from "./token_issuers.ts";

/** Milliseconds of verification without a turn for other requests. */
const SLICE_MS = 4;

/** A token whose authenticator is not verified yet. */
export interface PresentedToken {
  readonly token: Token;
  readonly key: TokenKey;
  /** The member or header that held it, for messages. */
  readonly member: string;
}

/** Checks tokens of the issuers of one network. */
export class TokenCheck {
  readonly issuers: TokenIssuers;
  readonly #clock: Clock;

  constructor(issuers: TokenIssuers, clock: Clock) {
    this.issuers = issuers;
    this.#clock = clock;
  }

  /**
   * Reads a token and checks all but its authenticator; `token_invalid`, `token_expired`,
   * `issuer_unreachable`.
   */
  present(text: string, member: string): PresentedToken {
    const token = readToken(text, member);
    const admitted = this.issuers.find(token.challengeDigest, token.tokenKeyId);
    const unread = this.issuers.unreadIssuerOf(token.challengeDigest);
    if (unread !== undefined) throw issuersUnreachable([unread]);
    if (admitted === undefined) {
      throw invalid(member, "not for this network, or under an unknown key");
    }
    const { key } = admitted;
    const now = unixSeconds(this.#clock);
    if (key.notBefore !== undefined && now < key.notBefore) {
      throw invalid(member, "its key is not valid yet");
    }
    if (key.notAfter !== undefined && now >= key.notAfter) {
      throw new CountersignError(
        "token_expired",
        `Cannot accept ${member}: the token has expired; fetch new ones`,
      );
    }
    return { token, key, member };
  }

  /** `issuer_unreachable` if no token can be verified, because no issuer's keys are known yet. */
  requireIssuer(): void {
    const missing = this.issuers.missingIssuers();
    if (missing.length > 0) throw issuersUnreachable(missing);
  }

  /** Verifies the authenticator and returns the 32 bytes to spend; `token_invalid`. */
  spend({ token, key, member }: PresentedToken): Bytes {
    if (!key.verify(tokenInputOf(token), token.authenticator)) {
      throw invalid(member, "its authenticator does not verify");
    }
    return spendOf(token);
  }

  /**
   * {@linkcode TokenCheck.spend} of each, packed in order; `token_spent` for a duplicate. Yields to
   * other requests between slices.
   */
  async spendAll(presented: readonly PresentedToken[]): Promise<Bytes> {
    requireDistinct(presented);
    const spends = new Uint8Array(presented.length * HASH_LENGTH);
    let sliceStart = this.#clock.nowMs();
    for (const [i, one] of presented.entries()) {
      spends.set(this.spend(one), i * HASH_LENGTH);
      if (this.#clock.nowMs() - sliceStart < SLICE_MS) continue;
      // A timer: microtasks would not let the runtime read sockets.
      await this.#clock.sleep(0);
      sliceStart = this.#clock.nowMs();
    }
    return spends;
  }
}

/** Runs before any verification, so that repeating one token costs nothing. */
function requireDistinct(presented: readonly PresentedToken[]): void {
  const seen = new Set<string>();
  for (const { token, member } of presented) {
    const input = hexOf(tokenInputOf(token));
    if (seen.has(input)) {
      throw new CountersignError(
        "token_spent",
        `Cannot accept ${member}: the request has the same token twice`,
      );
    }
    seen.add(input);
  }
}

/** For tokens of `names`, whose directories were not read since the gateway started. */
function issuersUnreachable(names: readonly string[]): CountersignError {
  return new CountersignError(
    "issuer_unreachable",
    `Cannot check tokens of ${names.join(", ")}: this gateway has not reached the issuer yet. ` +
      "Keep the token and retry",
  );
}

function readToken(text: string, member: string): Token {
  try {
    return parseTokenText(text);
  } catch (cause) {
    throw invalid(member, "not a token in base64url", { cause });
  }
}

function invalid(member: string, reason: string, options?: ErrorOptions): CountersignError {
  return new CountersignError("token_invalid", `Cannot accept ${member}: ${reason}`, options);
}
