/**
 * Whether the new hashes of one request are taken, and what is spent for them: the mode of the
 * gateway, the tokens that the request brings, and the budget of its client, put together.
 *
 * @module
 */

import { clientName } from "../admission/client_holdings.ts";
import type { PresentedToken, TokenCheck } from "../admission/token_check.ts";
import type { AdmissionMode } from "../admission/token_issuers.ts";
import type { Bytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import type { Admission, Repeats } from "../gateway/ports.ts";
import type { RequestContext } from "./request_context.ts";
import { REPEATS_PER_READ } from "./work_cost.ts";

/** How many attestations each client may have without tokens. */
export interface RateBudget {
  /** Takes `cost` attestations from the budget of the client of `context`; `rate_limited`. */
  charge(context: RequestContext, cost: number): void;
}

/** On what conditions a gateway takes new hashes. */
export interface AdmissionRules {
  readonly mode: AdmissionMode;
  /** Absent exactly where the mode is `open`. */
  readonly tokens?: TokenCheck;
  /** Absent where nothing is limited. */
  readonly budget?: RateBudget;
}

/** The tokens of a request, as they stand in it, whatever they say. */
export interface BroughtTokens {
  /** By the place of the hash; null where there is none, or for all. */
  readonly texts: readonly (string | null)[] | null;
  /** The member that holds the token of a place. */
  readonly memberOf: (place: number) => string;
}

const NOTHING = new Uint8Array();

/** What `token_required` is answered with (RFC 9577 section 2.1). */
export function challengeHeaders(rules: AdmissionRules | undefined): Record<string, string> {
  return { "WWW-Authenticate": rules?.tokens?.issuers.challenges() ?? "PrivateToken" };
}

/** The token of a single submission, which stands in `place`. */
export function oneToken(text: string | null, place = "issuer_token"): BroughtTokens {
  return { texts: [text], memberOf: () => place };
}

/** The tokens of a bulk submission. */
export function manyTokens(texts: BroughtTokens["texts"]): BroughtTokens {
  return { texts, memberOf: (place) => `issuer_tokens[${place}]` };
}

/**
 * The admission of one request. For hashes that were accepted before no token is looked at, and a bulk
 * request alone is charged for looking them up.
 */
export class RequestAdmission implements Admission {
  readonly #rules: AdmissionRules;
  readonly #context: RequestContext;
  readonly #brought: BroughtTokens;

  constructor(rules: AdmissionRules, context: RequestContext, brought: BroughtTokens) {
    this.#rules = rules;
    this.#context = context;
    this.#brought = brought;
  }

  get client(): string {
    return this.#context.client === undefined ? "" : clientName(this.#context.client);
  }

  chargeRepeats({ stored, recent }: Repeats): void {
    this.#context.charge(stored + Math.ceil(recent / REPEATS_PER_READ));
  }

  admit(places: readonly number[]): Bytes | Promise<Bytes> {
    const { mode, tokens: check, budget } = this.#rules;
    if (check === undefined) {
      budget?.charge(this.#context, places.length);
      return NOTHING;
    }
    const presented = this.#present(places, check);
    const lacking = places.length - presented.length;
    if (lacking > 0 && mode === "token_required") {
      check.requireIssuer();
      throw this.#tokenRequired(places);
    }
    // Tokens lift the limit where there is one for each new hash; otherwise none of them is spent.
    if (lacking > 0) budget?.charge(this.#context, places.length);
    if (presented.length === 0) return NOTHING;
    // Whoever has tokens verified that are not taken could have it done without end.
    this.#context.readsIfRefused = presented.length;
    const spends = presented.length === 1 ? check.spend(presented[0]!) : check.spendAll(presented);
    if (lacking === 0) return spends;
    return spends instanceof Promise ? spends.then(() => NOTHING) : NOTHING;
  }

  /** Tokens that were brought for `places`, in order. */
  #present(places: readonly number[], check: TokenCheck): PresentedToken[] {
    const { memberOf } = this.#brought;
    return places.flatMap((place) => {
      const text = this.#textOf(place);
      return text === null ? [] : check.present(text, memberOf(place));
    });
  }

  #textOf(place: number): string | null {
    return this.#brought.texts?.[place] ?? null;
  }

  #tokenRequired(places: readonly number[]): CountersignError {
    const place = places.find((place) => this.#textOf(place) === null)!;
    return new CountersignError(
      "token_required",
      "Cannot accept new hash: a token of an issuer of this network (GET /v1/admission) required " +
        `in ${this.#brought.memberOf(place)}, found none`,
    );
  }
}
