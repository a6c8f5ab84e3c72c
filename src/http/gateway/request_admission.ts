/**
 * Decides whether the new hashes of one request are accepted: combines the mode of the gateway, the
 * tokens of the request and the budget of its client.
 *
 * @module
 */

import { clientName } from "../limits/client_key.ts";
import type { PresentedToken, TokenCheck } from "../../gateway/tokens/token_check.ts";
import type { AdmissionMode } from "../../proof/format/admission_offer.ts";
import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { Admission, Repeats } from "../../gateway/ports.ts";
import type { RequestContext } from "../request_context.ts";
import { REPEATS_PER_READ } from "../work_cost.ts";

/** The conditions on which a gateway accepts new hashes. */
export interface AdmissionRules {
  readonly mode: AdmissionMode;
  /** Absent exactly in mode `open`. */
  readonly tokens?: TokenCheck;
  /** New attestations that each client may have without tokens; unbounded when absent. */
  readonly budget?: {
    /** Takes `cost` attestations from the client's budget; `rate_limited`. */
    charge(context: RequestContext, cost: number): void;
    /** Returns `cost` that was taken. */
    giveBack(context: RequestContext, cost: number): void;
  };
}

/** The tokens of a request, not parsed yet. */
export interface RequestTokens {
  /** By index of the hash; null for no token, or for no tokens at all. */
  readonly texts: readonly (string | null)[] | null;
  /** The member or header that holds the token of a hash. */
  readonly memberOf: (index: number) => string;
}

const NOTHING = new Uint8Array();

/** Headers of a `token_required` answer (RFC 9577 section 2.1). */
export function challengeHeaders(rules: AdmissionRules | undefined): Record<string, string> {
  return { "WWW-Authenticate": rules?.tokens?.issuers.challenges() ?? "PrivateToken" };
}

/** The token of a single submission, from `member`. */
export function oneToken(text: string | null, member = "issuer_token"): RequestTokens {
  return { texts: [text], memberOf: () => member };
}

/** The tokens of a bulk submission. */
export function manyTokens(texts: RequestTokens["texts"]): RequestTokens {
  return { texts, memberOf: (index) => `issuer_tokens[${index}]` };
}

/** The admission of one request. Known hashes need no token; only bulk requests pay to find them. */
export class RequestAdmission implements Admission {
  readonly #rules: AdmissionRules;
  readonly #context: RequestContext;
  readonly #tokens: RequestTokens;
  /** Whether the new hashes were taken from the client's budget. */
  #isCharged = false;

  constructor(rules: AdmissionRules, context: RequestContext, tokens: RequestTokens) {
    this.#rules = rules;
    this.#context = context;
    this.#tokens = tokens;
  }

  get client(): string {
    return this.#context.client === undefined ? "" : clientName(this.#context.client);
  }

  chargeRepeats({ stored, recent }: Repeats): void {
    this.#context.charge(stored + Math.ceil(recent / REPEATS_PER_READ));
  }

  admit(indexes: readonly number[]): Bytes | Promise<Bytes> {
    const { mode, tokens: check } = this.#rules;
    if (check === undefined) {
      this.#charge(indexes.length);
      return NOTHING;
    }
    const presented = this.#present(indexes, check);
    const missing = indexes.length - presented.length;
    if (missing > 0 && mode === "token_required") {
      check.requireIssuer();
      throw this.#tokenRequired(indexes);
    }
    // Tokens replace the budget if there is one for each new hash; otherwise none is spent.
    if (missing > 0) this.#charge(indexes.length);
    if (presented.length === 0) return NOTHING;
    // Verification costs the client even if the tokens are refused.
    this.#context.readsIfRefused = presented.length;
    const spends = presented.length === 1 ? check.spend(presented[0]!) : check.spendAll(presented);
    if (missing === 0) return spends;
    return spends instanceof Promise ? spends.then(() => NOTHING) : NOTHING;
  }

  repeated(count: number): void {
    if (this.#isCharged) this.#rules.budget?.giveBack(this.#context, count);
  }

  #charge(count: number): void {
    this.#rules.budget?.charge(this.#context, count);
    this.#isCharged = true;
  }

  /** The tokens for the hashes at `indexes`, in order. */
  #present(indexes: readonly number[], check: TokenCheck): PresentedToken[] {
    return indexes.flatMap((index) => {
      const text = this.#textOf(index);
      return text === null ? [] : check.present(text, this.#tokens.memberOf(index));
    });
  }

  #textOf(index: number): string | null {
    return this.#tokens.texts?.[index] ?? null;
  }

  #tokenRequired(indexes: readonly number[]): CountersignError {
    const index = indexes.find((index) => this.#textOf(index) === null)!;
    return new CountersignError(
      "token_required",
      `Cannot accept new hash: put a token into ${this.#tokens.memberOf(index)}; ` +
        "GET /v1/admission lists the issuers",
    );
  }
}
