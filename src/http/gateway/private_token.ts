/**
 * The token in a request's header, a client's answer to a challenge (RFC 9577 section 2.2):
 *
 *     Authorization: PrivateToken token="<base64url>"
 *
 * It is equivalent to `issuer_token` in the body.
 *
 * @module
 */

import { type CountersignError, errorBuilder } from "../../base/errors.ts";
import { manyTokens, oneToken, type RequestTokens } from "./request_admission.ts";

const HEADER = "Authorization";
const SCHEME = /^PrivateToken(?:[ \t]+|$)/i;

/**
 * One parameter of RFC 9110 section 11.2 in a list: a name, and a token or a quoted string. Clients
 * also send padded base64url without quotes. No two quantifiers for white space are adjacent, since
 * they would take quadratic time.
 */
const PARAMETER =
  /[ \t]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*=[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+=*|"(?:[^"\\]|\\.)*")[ \t]*)?(?:,|$)/y;

const malformed = errorBuilder("malformed_request", `Cannot read ${HEADER}: PrivateToken`);

/** The token's text; null without credentials of this scheme. `malformed_request` if not one token. */
export function privateToken(headers: Headers): string | null {
  const field = headers.get(HEADER);
  const scheme = field === null ? null : SCHEME.exec(field);
  if (field === null || scheme === null) return null;
  const tokens: string[] = [];
  PARAMETER.lastIndex = scheme[0].length;
  while (PARAMETER.lastIndex < field.length) {
    const found = PARAMETER.exec(field);
    if (found === null) throw malformed("its parameters do not follow RFC 9110 section 11.2");
    const [, name, value = ""] = found;
    if (name?.toLowerCase() === "token") tokens.push(unquoted(value));
  }
  const [token, second] = tokens;
  if (token === undefined || second !== undefined) {
    throw malformed('write exactly one parameter "token"');
  }
  return token;
}

/** The token of a single submission, from the header or from the body (`inBody`). */
export function tokenOfOne(headers: Headers, inBody: string | null): RequestTokens {
  const inHeader = privateToken(headers);
  if (inHeader === null) return oneToken(inBody);
  if (inBody !== null && inBody !== inHeader) throw contradicted("issuer_token");
  return oneToken(inHeader, HEADER);
}

/** The tokens of a bulk submission of `count` hashes, from the header or from the body (`inBody`). */
export function tokensOfMany(
  headers: Headers,
  count: number,
  inBody: RequestTokens["texts"],
): RequestTokens {
  const inHeader = privateToken(headers);
  if (inHeader === null) return manyTokens(inBody);
  if (count > 1) {
    throw malformed(`it carries one token for ${count} hashes; put one for each in issuer_tokens`);
  }
  const [first = null] = inBody ?? [];
  if (first !== null && first !== inHeader) throw contradicted("issuer_tokens");
  return oneToken(inHeader, HEADER);
}

/** The text of a value that may be quoted (RFC 9110 section 5.6.4). */
function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
}

function contradicted(member: string): CountersignError {
  return malformed(`it has another token than ${member}; send one of the two`);
}
