/**
 * Who may submit to a gateway, as `GET /v1/admission` says it to clients:
 *
 *     {"mode": "open" | "token_optional" | "token_required",
 *      "issuers": [{"name", "url"?, "token_type", "challenge": "<base64url>",
 *                   "token_keys": [{"token_key": "<base64url>", "token_key_id",
 *                                   "not_before"?, "not_after"?}]}]}
 *
 * @module
 */

import { type Bytes, HASH_LENGTH } from "../bytes.ts";
import { bytesOfBase64Url } from "./base64url.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "./fields.ts";
import {
  parseTokenChallenge,
  TOKEN_TYPE,
  type TokenChallenge,
  tokenKeyIdOf,
} from "./privacy_pass.ts";
import { parseStrictJson } from "./strict_json.ts";

/** A key whose tokens the gateway takes. Times are Unix seconds. */
export interface OfferedKey {
  readonly tokenKey: Bytes;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An issuer whose tokens of type 2 the gateway takes. */
export interface OfferedIssuer {
  readonly url?: string;
  /** The bytes of the challenge, whose digest stands in tokens, and what they say. */
  readonly challengeBytes: Bytes;
  readonly challenge: TokenChallenge;
  readonly keys: readonly OfferedKey[];
}

/** See the module. */
export interface AdmissionOffer {
  readonly mode: string;
  /** Issuers of other token types are left out. */
  readonly issuers: readonly OfferedIssuer[];
}

const CODE = "gateway_refused";

/** The offer that JSON `text` says; `gateway_refused`. Unknown members are ignored. */
export function parseAdmissionOffer(text: string): AdmissionOffer {
  const context = { where: "admission", code: CODE } as const;
  const fields = new Fields(parseStrictJson(text, CODE), context, ["mode", "issuers"], {
    ignoreUnknown: true,
  });
  const issuers = fields.list("issuers").flatMap((entry, i) => {
    const issuer = fields.within(
      entry,
      `issuers[${i}]`,
      ["name", "token_type", "challenge", "token_keys"],
      { ignoreUnknown: true },
    );
    return issuer.integer("token_type") === TOKEN_TYPE ? [readIssuer(issuer)] : [];
  });
  return { mode: fields.text("mode"), issuers };
}

function readIssuer(fields: Fields): OfferedIssuer {
  const challengeBytes = base64Url(fields, "challenge");
  const challenge = parseTokenChallenge(challengeBytes);
  if (challenge.issuerName !== fields.text("name")) {
    throw refused(fields.where, "a challenge of the same name", "another");
  }
  const keys = fields.list("token_keys").map((entry, i) =>
    readKey(fields.within(entry, `token_keys[${i}]`, ["token_key", "token_key_id"], {
      ignoreUnknown: true,
    }))
  );
  return {
    ...(fields.has("url") && { url: fields.text("url") }),
    ...{ challengeBytes, challenge, keys },
  };
}

function readKey(fields: Fields): OfferedKey {
  const tokenKey = base64Url(fields, "token_key");
  if (tokenKeyIdOf(tokenKey).toHex() !== fields.hex("token_key_id", HASH_LENGTH)) {
    throw refused(fields.where, "the SHA-256 of token_key in token_key_id", "another");
  }
  return {
    tokenKey,
    ...(fields.has("not_before") && { notBefore: fields.integer("not_before") }),
    ...(fields.has("not_after") && { notAfter: fields.integer("not_after") }),
  };
}

function base64Url(fields: Fields, name: string): Bytes {
  const bytes = bytesOfBase64Url(fields.text(name));
  if (bytes === undefined) throw refused(fields.where, `base64url in ${name}`, "another text");
  return bytes;
}

function refused(where: string, required: string, found: string): CountersignError {
  return new CountersignError(
    CODE,
    `Cannot read ${where}: ${required} required, found ${found}`,
  );
}
