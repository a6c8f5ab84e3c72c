/**
 * What the header of a 429 says of the budget that is used up: `Retry-After` (RFC 9110 section 10.2.3),
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10 sections 3 and 4):
 *
 *     Retry-After: 3
 *     RateLimit-Policy: "new_attestations";q=10000;w=100
 *     RateLimit: "new_attestations";r=0;t=1
 *
 * @module
 */

import type { RateLimited } from "../admission/rate_limited.ts";

/** The three fields of `error`, by name. */
export function rateHeaders({ state }: RateLimited): Readonly<Record<string, string>> {
  const { budget, quota, windowSeconds, remaining, nextSeconds, retryAfterSeconds } = state;
  // Names of budgets are a structured field's strings (RFC 9651 section 3.3.3) as they are.
  return {
    "Retry-After": String(retryAfterSeconds),
    "RateLimit-Policy": `"${budget}";q=${quota}${parameter("w", windowSeconds)}`,
    "RateLimit": `"${budget}";r=${remaining}${parameter("t", nextSeconds)}`,
  };
}

function parameter(name: string, value: number | undefined): string {
  return value === undefined ? "" : `;${name}=${value}`;
}
