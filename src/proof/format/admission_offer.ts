/**
 * The answer of `GET /v1/admission`: who may submit to a gateway.
 *
 * @module
 */

import { type Bytes, bytesOfBase64Url, HASH_LENGTH, hexOf } from "../../base/bytes.ts";
import {
  parseTokenChallenge,
  TOKEN_TYPE,
  type TokenChallenge,
  tokenKeyIdOf,
} from "./privacy_pass.ts";
import {
  ANY_JSON,
  COUNT,
  count,
  hex,
  list,
  object,
  type Of,
  Schema,
  TEXT,
  text,
  time,
} from "./schema.ts";

/**
 * `open`: tokens are ignored. `token_optional`: a token lifts the limit of new attestations.
 * `token_required`: every new hash needs a token.
 */
export const ADMISSION_MODES = ["open", "token_optional", "token_required"] as const;
export type AdmissionMode = (typeof ADMISSION_MODES)[number];

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

const BASE64URL = TEXT.with({ pattern: "^[A-Za-z0-9_-]+$" });

const TOKEN_KEY = object({
  token_key: BASE64URL.with({
    description: "SubjectPublicKeyInfo, as in the issuer's directory (RFC 9578 section 4)",
    example: "MIIBUjA9BgkqhkiG9w0BAQo",
  }),
  token_key_id: hex(HASH_LENGTH, "SHA-256 of the key, which is the `token_key_id` of its tokens"),
  not_before: time("First second in which its tokens are accepted").optional(),
  not_after: time("First second in which its tokens are refused").optional(),
}, "ignored").named("TokenKey");

const TOKEN_ISSUER = object({
  name: text("`issuer_name` of the challenge").with({ minLength: 1, example: "issuer.example" }),
  url: text("URL of the issuer, below which clients find its directory").with({ format: "uri" })
    .optional(),
  token_type: count("Blind RSA (2048-bit)").with({ enum: [TOKEN_TYPE] }),
  challenge: BASE64URL.with({
    description:
      "TokenChallenge (RFC 9577 section 2.1.1) with an empty redemption_context and the network's " +
      "id as origin_info",
    example: "AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA",
  }),
  token_keys: list(TOKEN_KEY).with({ minItems: 1 }),
}, "ignored").named("TokenIssuer");

export const ADMISSION_OFFER = object({
  mode: text("Which new hashes need tokens").with({
    enum: ADMISSION_MODES,
    example: "token_required",
  }),
  issuers: list(TOKEN_ISSUER),
}, "ignored").named("AdmissionOffer");

const ANY_ISSUER = object(
  { name: ANY_JSON, token_type: COUNT, challenge: ANY_JSON, token_keys: ANY_JSON },
  "ignored",
);

/** `undefined` for another token type, whose members may have other formats. */
const KNOWN_ISSUER = new Schema((value, path, context) => {
  const { token_type: type } = ANY_ISSUER.read(value, path, context);
  return type === TOKEN_TYPE ? TOKEN_ISSUER.read(value, path, context) : undefined;
}, TOKEN_ISSUER.describe);

const READ_OFFER = object({ mode: TEXT, issuers: list(KNOWN_ISSUER) }, "ignored").map(
  ({ mode, issuers }): AdmissionOffer | undefined => {
    const known = issuers.flatMap((issuer) => issuer === undefined ? [] : [issuerOf(issuer)]);
    return known.includes(undefined) ? undefined : { mode, issuers: known.flatMap((i) => i ?? []) };
  },
  "issuers with keys that match their ids, and a challenge that matches their name",
);

/** Parses an offer; `gateway_refused`. */
export function parseAdmissionOffer(text: string): AdmissionOffer {
  return READ_OFFER.parseText(text, { where: "admission", code: "gateway_refused" });
}

function issuerOf(issuer: Of<typeof TOKEN_ISSUER>): OfferedIssuer | undefined {
  const { name, url } = issuer;
  const challengeBytes = bytesOfBase64Url(issuer.challenge);
  if (challengeBytes === undefined) return undefined;
  const challenge = parseTokenChallenge(challengeBytes);
  const keys = issuer.token_keys.flatMap((key) => keyOf(key) ?? []);
  const isWhole = keys.length === issuer.token_keys.length && challenge.issuerName === name;
  return isWhole
    ? { ...(url !== undefined && { url }), challengeBytes, challenge, keys }
    : undefined;
}

function keyOf(key: Of<typeof TOKEN_KEY>): OfferedKey | undefined {
  const { not_before: notBefore, not_after: notAfter } = key;
  const tokenKey = bytesOfBase64Url(key.token_key);
  if (tokenKey === undefined || hexOf(tokenKeyIdOf(tokenKey)) !== key.token_key_id) {
    return undefined;
  }
  return {
    tokenKey,
    ...(notBefore !== undefined && { notBefore }),
    ...(notAfter !== undefined && { notAfter }),
  };
}
