/**
 * Authorizes token requests by an API key, or by a proof of work for the request.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { RateLimited } from "../limits/rate_limited.ts";
import type { Bytes } from "../../base/bytes.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { CountersignError } from "../../base/errors.ts";
import type { ApiKeyBudget, ApiKeys } from "../../gateway/tokens/api_keys.ts";
import {
  checkWork,
  checkWorkTime,
  encodeWorkChallenge,
  parseWorkProof,
} from "../../proof/format/work_proof.ts";
import { bearerToken } from "../bearer_token.ts";

const DAY_SECONDS = 86_400;

/** The rules by which an issuer accepts requests. */
export interface IssuanceRules {
  readonly issuerName: string;
  readonly apiKeys: ApiKeys;
  /** Zero bits of a proof of work; absent if none is accepted. */
  readonly workBits?: number | undefined;
}

/** The result of a check of a client's headers. */
export interface IssuanceGrant {
  /** Refuses a proof of work for another request; does nothing for an API key. */
  check(request: Bytes): void;
  /** Charges one token and returns a function that refunds it; `rate_limited`. */
  take(): () => void;
}

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

  /** `WWW-Authenticate`: the accepted credentials. */
  get challenge(): string {
    const { apiKeys, workBits, issuerName } = this.#rules;
    return [
      ...(apiKeys.hasKeys ? [`Bearer realm=${JSON.stringify(issuerName)}`] : []),
      ...(workBits === undefined ? [] : [encodeWorkChallenge(issuerName, workBits)]),
    ].join(", ");
  }

  /** `token_required` without credentials, `token_refused` or `work_refused` with wrong ones. */
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
  if (seconds === 0) return () => budget.refund();
  throw new RateLimited(
    `Cannot issue token: the API key has none left today; retry in ${seconds} s`,
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
      "Cannot issue token: send an API key or a proof of work, as WWW-Authenticate says",
      { cause },
    );
  }
}
