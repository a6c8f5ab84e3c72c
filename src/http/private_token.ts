/**
 * The token in a request's header (RFC 9577 section 2.2), with which clients answer a challenge:
 *
 *     Authorization: PrivateToken token="<base64url>"
 *
 * It means what `issuer_token` means in the body.
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { type BroughtTokens, manyTokens, oneToken } from "./request_admission.ts";

const PLACE = "Authorization";
const SCHEME = /^PrivateToken(?:[ \t]+|$)/i;

/**
 * One parameter of RFC 9110 section 11.2 in a list: a name, and a token or a quoted string. Base64url
 * with padding is no token, and yet is sent without quotes. No two quantifiers for white space are
 * adjacent: a long run of it would take quadratic time.
 */
const PARAMETER =
  /[ \t]*(?:([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*=[ \t]*([!#$%&'*+\-.^_`|~0-9A-Za-z]+=*|"(?:[^"\\]|\\.)*")[ \t]*)?(?:,|$)/y;

/**
 * The text of the token in the header; null without credentials of this scheme. `malformed_request`
 * when they hold no token, or two.
 */
export function privateToken(headers: Headers): string | null {
  const field = headers.get(PLACE);
  const scheme = field === null ? null : SCHEME.exec(field);
  if (field === null || scheme === null) return null;
  const tokens: string[] = [];
  PARAMETER.lastIndex = scheme[0].length;
  while (PARAMETER.lastIndex < field.length) {
    const found = PARAMETER.exec(field);
    if (found === null) throw malformed("write its parameters as RFC 9110 section 11.2 has them");
    const [, name, value = ""] = found;
    if (name?.toLowerCase() === "token") tokens.push(unquoted(value));
  }
  const [token, second] = tokens;
  if (token === undefined || second !== undefined) {
    throw malformed('write one parameter "token"');
  }
  return token;
}

/** The token of a single submission, in the header or, as `inBody`, in the body. */
export function tokenOfOne(headers: Headers, inBody: string | null): BroughtTokens {
  const inHeader = privateToken(headers);
  if (inHeader === null) return oneToken(inBody);
  if (inBody !== null && inBody !== inHeader) throw contradicted("issuer_token");
  return oneToken(inHeader, PLACE);
}

/** The tokens of a bulk submission of `count` hashes, in the header or, as `inBody`, in the body. */
export function tokensOfMany(
  headers: Headers,
  count: number,
  inBody: BroughtTokens["texts"],
): BroughtTokens {
  const inHeader = privateToken(headers);
  if (inHeader === null) return manyTokens(inBody);
  if (count > 1) {
    throw malformed(`it carries one token for ${count} hashes; put one for each in issuer_tokens`);
  }
  const [first = null] = inBody ?? [];
  if (first !== null && first !== inHeader) throw contradicted("issuer_tokens");
  return oneToken(inHeader, PLACE);
}

/** The text of a value that may be quoted (RFC 9110 section 5.6.4). */
function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value;
}

function contradicted(member: string): CountersignError {
  return malformed(`it carries another token than ${member}; send one of the two`);
}

function malformed(why: string): CountersignError {
  return new CountersignError("malformed_request", `Cannot read ${PLACE}: PrivateToken: ${why}`);
}
