/**
 * An issuer of tokens, independent of its transport and of where its keys are stored.
 *
 * @module
 */

import { type Bytes, hexOf } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import { CountersignError } from "../../base/errors.ts";
import type { IssuerDirectory } from "../../proof/format/issuer_directory.ts";
import { parseTokenRequest } from "../../proof/format/token_issuance.ts";
import { RecentlyUsed } from "../../base/recently_used.ts";
import type { IssuerKey } from "./issuer_key.ts";
import { lasting, signingKey } from "./key_schedule.ts";

/**
 * Answers that are kept, a kibibyte each. A proof of work stays valid for some minutes: repeating it
 * with its request returns the same answer without another signature.
 */
const KEPT_ANSWERS = 4_096;

/** Charges the client for a token, or refuses; returns a function that refunds it. */
export type TokenCharge = () => () => void;

const FREE: TokenCharge = () => () => {};

/** Signs blinded token requests with its keys. */
export class Issuer {
  /** `issuer_name` of the challenges for its tokens. */
  readonly name: string;
  readonly #requestUri: string;
  readonly #clock: Clock;
  /** By request in hex. */
  readonly #answers = new RecentlyUsed<string, Bytes>(KEPT_ANSWERS);
  #keys: readonly IssuerKey[] = [];

  /** `requestUri` is the URI for token requests in the directory. */
  constructor(
    { name, requestUri, clock }: {
      readonly name: string;
      readonly requestUri: string;
      readonly clock: Clock;
    },
  ) {
    this.name = name;
    this.#requestUri = requestUri;
    this.#clock = clock;
  }

  /** Replaces the keys. No two may have the same truncated ID. */
  useKeys(keys: readonly IssuerKey[]): void {
    this.#keys = keys;
  }

  /** True while it has a key that signs. */
  get isReady(): boolean {
    return this.#signingKey() !== undefined;
  }

  /** All keys that have not ended, with their begin (RFC 9578 section 4). */
  directory(): IssuerDirectory {
    const keys = lasting(this.#keys, unixSeconds(this.#clock));
    return {
      requestUri: this.#requestUri,
      tokenKeys: keys.map(({ tokenKey, notBefore }) => ({ tokenKey, notBefore })),
    };
  }

  /**
   * The TokenResponse to a TokenRequest. `token_request_refused` for a malformed request, another key
   * than the one that signs now, and a blinded message out of range (RFC 9578 section 6.2). Calls
   * `charge` after these checks and before signing, and refunds the charge if signing fails.
   */
  issue(request: Uint8Array, charge: TokenCharge = FREE): Bytes {
    const { truncatedTokenKeyId, blindedMessage } = parseTokenRequest(request);
    const key = this.#signingKey();
    if (key?.truncatedId !== truncatedTokenKeyId) {
      throw new CountersignError(
        "token_request_refused",
        `Cannot issue token: key ${truncatedTokenKeyId} does not sign now. Read the directory again ` +
          "and use the latest key that has begun",
      );
    }
    key.signer.checkBlinded(blindedMessage);
    const refund = charge();
    try {
      const requested = hexOf(request);
      const answer = this.#answers.get(requested) ?? key.signer.sign(blindedMessage);
      this.#answers.set(requested, answer);
      return answer;
    } catch (error) {
      refund();
      throw error;
    }
  }

  #signingKey(): IssuerKey | undefined {
    return signingKey(this.#keys, unixSeconds(this.#clock));
  }
}
