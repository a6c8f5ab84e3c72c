/**
 * The answer of `GET /v1/admission`: who may submit to a gateway.
 *
 *     {"mode": "open" | "token_optional" | "token_required",
 *      "issuers": [{"name", "url"?, "token_type", "challenge": "<base64url>",
 *                   "token_keys": [{"token_key": "<base64url>", "token_key_id",
 *                                   "not_before"?, "not_after"?}]}]}
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { Fields } from "./fields.ts";
import {
  parseTokenChallenge,
  TOKEN_TYPE,
  type TokenChallenge,
  tokenKeyIdOf,
} from "./privacy_pass.ts";

/** A key whose tokens the gateway accepts. Times are Unix seconds. */
export interface OfferedKey {
  readonly tokenKey: Bytes;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An issuer whose tokens of type 2 the gateway accepts. */
export interface OfferedIssuer {
  readonly url?: string;
  /** The encoded challenge; tokens contain its digest. */
  readonly challengeBytes: Bytes;
  readonly challenge: TokenChallenge;
  readonly keys: readonly OfferedKey[];
}

/** Who may submit. */
export interface AdmissionOffer {
  readonly mode: string;
  /** Without issuers of other token types. */
  readonly issuers: readonly OfferedIssuer[];
}

const LENIENT = { ignoreUnknown: true } as const;

/** Parses an offer; `gateway_refused`. Unknown members are ignored. */
export function parseAdmissionOffer(text: string): AdmissionOffer {
  const context = { where: "admission", code: "gateway_refused" } as const;
  const fields = Fields.parse(text, context, ["mode", "issuers"], LENIENT);
  const members = ["name", "token_type", "challenge", "token_keys"];
  const issuers = fields.objects("issuers", members, LENIENT)
    .filter((issuer) => issuer.integer("token_type") === TOKEN_TYPE)
    .map(readIssuer);
  return { mode: fields.text("mode"), issuers };
}

function readIssuer(fields: Fields): OfferedIssuer {
  const challengeBytes = fields.base64Url("challenge");
  const challenge = parseTokenChallenge(challengeBytes);
  if (challenge.issuerName !== fields.text("name")) {
    throw fields.error("the challenge has another issuer name");
  }
  const keys = fields.objects("token_keys", ["token_key", "token_key_id"], LENIENT).map(readKey);
  return { ...fields.read({ url: "text?" }), challengeBytes, challenge, keys };
}

function readKey(fields: Fields): OfferedKey {
  const tokenKey = fields.base64Url("token_key");
  if (tokenKeyIdOf(tokenKey).toHex() !== fields.hash("token_key_id")) {
    throw fields.error("token_key_id is not the SHA-256 of token_key");
  }
  return {
    tokenKey,
    ...(fields.has("not_before") && { notBefore: fields.integer("not_before") }),
    ...(fields.has("not_after") && { notAfter: fields.integer("not_after") }),
  };
}
