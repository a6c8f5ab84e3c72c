/**
 * To whom an issuer gives a token: whoever shows an API key, or work done for the very request.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { RateLimited } from "../admission/rate_limited.ts";
import type { Bytes } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError } from "../errors.ts";
import type { ApiKeyBudget, ApiKeys } from "../issuer/api_keys.ts";
import {
  checkWork,
  checkWorkTime,
  encodeWorkChallenge,
  parseWorkProof,
} from "../issuer/work_proof.ts";
import { bearerToken } from "./bearer_token.ts";

const DAY_SECONDS = 86_400;

/** What an issuer demands. */
export interface IssuanceRules {
  readonly issuerName: string;
  readonly apiKeys: ApiKeys;
  /** Zero bits of a proof of work; absent where none is taken. */
  readonly workBits?: number;
}

/** A client that was let in on what stands in its headers. */
export interface IssuanceGrant {
  /** Refuses work that was done for another request; nothing for an API key. */
  check(request: Bytes): void;
  /** Counts one token until what is answered is called; `rate_limited` where none is left. */
  take(): () => void;
}

/** Lets clients in. */
export class IssuanceAdmission {
  readonly #rules: IssuanceRules;
  readonly #clock: Clock;
  readonly #kernels: Kernels;

  constructor(
    rules: IssuanceRules,
    { clock, kernels }: { readonly clock: Clock; readonly kernels: Kernels },
  ) {
    this.#rules = rules;
    this.#clock = clock;
    this.#kernels = kernels;
  }

  /** `WWW-Authenticate`: what may be shown. */
  get challenge(): string {
    const { apiKeys, workBits, issuerName } = this.#rules;
    return [
      ...(apiKeys.isAny ? [`Bearer realm=${JSON.stringify(issuerName)}`] : []),
      ...(workBits === undefined ? [] : [encodeWorkChallenge(issuerName, workBits)]),
    ].join(", ");
  }

  /** `token_required` without either, `token_refused` or `work_refused` with a wrong one. */
  grant(headers: Headers): IssuanceGrant {
    const { workBits, apiKeys } = this.#rules;
    const proof = parseWorkProof(headers.get("Authorization") ?? "");
    if (proof !== undefined && workBits !== undefined) {
      checkWorkTime(proof, unixSeconds(this.#clock));
      return {
        check: (request) => checkWork(this.#subjectOf(request), proof, workBits, this.#kernels),
        take: () => () => {},
      };
    }
    const budget = apiKeys.budgetOf(apiKeyOf(headers));
    return { check: () => {}, take: () => take(budget, this.#clock.nowMs()) };
  }

  #subjectOf(request: Bytes) {
    const requestDigest = new Uint8Array(createHash("sha256").update(request).digest());
    return { issuerName: this.#rules.issuerName, requestDigest };
  }
}

function take(budget: ApiKeyBudget, nowMs: number): () => void {
  const seconds = budget.take(nowMs);
  if (seconds === 0) return () => budget.giveBack();
  throw new RateLimited(
    `Cannot issue token: one left of the API key's day required, found none for ${seconds} s`,
    {
      budget: "tokens",
      quota: budget.perDay,
      windowSeconds: DAY_SECONDS,
      remaining: 0,
      nextSeconds: seconds,
      retryAfterSeconds: seconds,
    },
  );
}

function apiKeyOf(headers: Headers): string {
  try {
    return bearerToken(headers);
  } catch (cause) {
    throw new CountersignError(
      "token_required",
      "Cannot issue token: an API key or a proof of work required, found neither",
      { cause },
    );
  }
}
