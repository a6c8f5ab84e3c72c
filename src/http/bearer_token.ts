/**
 * Bearer tokens of requests (RFC 6750 section 2.1).
 *
 * @module
 */

import { equalSecrets } from "../crypto/secrets.ts";
import { CountersignError } from "../errors.ts";

/** The token that a request shows; `token_required`, which is 401, when there is none. */
export function bearerToken(headers: Headers): string {
  const [, given] = /^bearer +(\S+)$/i.exec(headers.get("Authorization") ?? "") ?? [];
  if (given !== undefined) return given;
  throw new CountersignError(
    "token_required",
    "Cannot answer: a bearer token required, none found",
  );
}

/** Refuses a request without a token, 401, or with another one than `token`, 403. */
export function requireToken(headers: Headers, token: string): void {
  if (equalSecrets(bearerToken(headers), token)) return;
  throw new CountersignError(
    "token_refused",
    "Cannot answer: the bearer token of this listener required, another found",
  );
}
