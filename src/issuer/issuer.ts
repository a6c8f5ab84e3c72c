/**
 * An issuer of tokens, without how it is reached and where its keys are.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { CountersignError } from "../errors.ts";
import type { IssuerDirectory } from "../format/issuer_directory.ts";
import { parseTokenRequest } from "../format/token_issuance.ts";
import { RecentlyUsed } from "../recently_used.ts";
import type { IssuerKey } from "./issuer_key.ts";
import { directoryOrder, lasting, signing } from "./key_schedule.ts";

/**
 * Answers that are kept, a kibibyte each. A proof of work is good for one request for some minutes:
 * whoever shows both again has the same answer again, and no other signature is made for it.
 */
const KEPT_ANSWERS = 4_096;

/** Charges the client for a token, or refuses; returns a function that refunds it. */
export type TokenCharge = () => () => void;

const FREE: TokenCharge = () => () => {};

/** See the module. */
export class Issuer {
  /** `issuer_name` of the challenges that its tokens answer. */
  readonly name: string;
  readonly #requestUri: string;
  readonly #clock: Clock;
  /** By the bytes of their requests, in hex. */
  readonly #answers = new RecentlyUsed<string, Bytes>(KEPT_ANSWERS);
  #keys: readonly IssuerKey[] = [];

  /** `requestUri` is where token requests are taken, as the directory has it. */
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

  /** Takes `keys` in place of those so far. No two of one type have the same truncated ID. */
  useKeys(keys: readonly IssuerKey[]): void {
    this.#keys = keys;
  }

  /** True while it has a key that signs. */
  get isReady(): boolean {
    return signing(this.#keys, unixSeconds(this.#clock)).length > 0;
  }

  /** All keys that have not ended, with when they begin (RFC 9578 section 4). */
  directory(): IssuerDirectory {
    const keys = directoryOrder(lasting(this.#keys, unixSeconds(this.#clock)));
    return {
      requestUri: this.#requestUri,
      tokenKeys: keys.map(({ tokenType, tokenKey, notBefore }) => ({
        tokenType,
        tokenKey,
        notBefore,
      })),
    };
  }

  /**
   * The TokenResponse to the bytes of a TokenRequest. `token_request_refused` for what is none, for a
   * key that does not sign now, and for a blinded message that is no element (RFC 9578 sections 5.2
   * and 6.2). `charge` is called once the request is known to be good, before the signature is made;
   * a client whose signature fails gets back what was charged.
   */
  issue(request: Uint8Array, charge: TokenCharge = FREE): Bytes {
    const { tokenType, truncatedTokenKeyId, blindedMessage } = parseTokenRequest(request);
    const key = signing(this.#keys, unixSeconds(this.#clock))
      .find((key) => key.tokenType === tokenType && key.truncatedId === truncatedTokenKeyId);
    if (key === undefined) {
      throw new CountersignError(
        "token_request_refused",
        "Cannot issue token: the key of the directory that has begun last required, found type " +
          `${tokenType} and truncated ID ${truncatedTokenKeyId}`,
      );
    }
    key.check(blindedMessage);
    const giveBack = charge();
    try {
      const requested = request.toHex();
      const answer = this.#answers.get(requested) ?? key.issue(blindedMessage);
      this.#answers.set(requested, answer);
      return answer;
    } catch (error) {
      giveBack();
      throw error;
    }
  }
}
