/**
 * Schema of `GET /v1/admission`.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { ADMISSION_MODES } from "../../tokens/token_issuers.ts";
import { HASH_LENGTH } from "../../bytes.ts";
import { hex, time } from "./primitives.ts";

/** Base64url without padding (RFC 4648 section 5). */
function base64url(description: string, example: string): z.ZodString {
  return z.string().regex(/^[A-Za-z0-9_-]+$/).openapi({ description, example });
}

const TokenKey = z.strictObject({
  token_key: base64url(
    "SubjectPublicKeyInfo, as in the issuer's directory (RFC 9578 section 4)",
    "MIIBUjA9BgkqhkiG9w0BAQo",
  ),
  token_key_id: hex(HASH_LENGTH, "SHA-256 of the key, which is the `token_key_id` of its tokens"),
  not_before: time("First second in which its tokens are accepted").optional(),
  not_after: time("First second in which its tokens are refused").optional(),
}).openapi("TokenKey");

const TokenIssuer = z.strictObject({
  name: z.string().min(1).openapi({
    description: "`issuer_name` of the challenge",
    example: "issuer.example",
  }),
  url: z.url().optional().openapi({
    description: "URL of the issuer, below which clients find its directory",
  }),
  token_type: z.literal(2).openapi({ description: "Blind RSA (2048-bit)" }),
  challenge: base64url(
    "TokenChallenge (RFC 9577 section 2.1.1) with an empty redemption_context and the network's " +
      "id as origin_info",
    "AAIADmlzc3Vlci5leGFtcGxlAAAQbG9nLmV4YW1wbGUvdGVzdA",
  ),
  token_keys: z.array(TokenKey).min(1),
}).openapi("TokenIssuer");

export const AdmissionOffer = z.strictObject({
  mode: z.enum(ADMISSION_MODES).openapi({ example: "token_required" }),
  issuers: z.array(TokenIssuer),
}).openapi("AdmissionOffer", { example: { mode: "open", issuers: [] } });
