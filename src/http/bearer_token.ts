/**
 * Bearer tokens of requests (RFC 6750 section 2.1).
 *
 * @module
 */

import { equalSecrets } from "../proof/crypto/secrets.ts";
import { CountersignError } from "../base/errors.ts";

/** The bearer token of a request; `token_required` without one. */
export function bearerToken(headers: Headers): string {
  const [, given] = /^bearer +(\S+)$/i.exec(headers.get("Authorization") ?? "") ?? [];
  if (given !== undefined) return given;
  throw new CountersignError("token_required", "Send the bearer token of this listener");
}

/** Requires `token`; `token_required` without one, `token_refused` with another one. */
export function requireToken(headers: Headers, token: string): void {
  if (equalSecrets(bearerToken(headers), token)) return;
  throw new CountersignError("token_refused", "Wrong bearer token for this listener");
}
