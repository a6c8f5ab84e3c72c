/**
 * The messages of token issuance (RFC 9578 sections 6.1 and 6.2).
 *
 *     struct {                                   struct {
 *       uint16 token_type;                         uint8 blind_sig[256];
 *       uint8 truncated_token_key_id;            } TokenResponse;
 *       uint8 blinded_msg[256];
 *     } TokenRequest;
 *
 * @module
 */

import { type Bytes, concat } from "../../base/bytes.ts";
import { BLIND_RSA_LENGTH } from "../crypto/blind_rsa.ts";
import { CountersignError } from "../../base/errors.ts";
import { TOKEN_TYPE } from "./privacy_pass.ts";

/** Media types of the messages and of the directory (RFC 9578 section 8.3). */
export const TOKEN_MEDIA_TYPE = {
  directory: "application/private-token-issuer-directory",
  request: "application/private-token-request",
  response: "application/private-token-response",
} as const;

/** A client's request (RFC 9578 section 6.1). */
export interface TokenRequest {
  /** The last byte of the token key ID. */
  readonly truncatedTokenKeyId: number;
  readonly blindedMessage: Bytes;
}

const HEAD_LENGTH = 3;

/** The 259 bytes of `request`. */
export function encodeTokenRequest(request: TokenRequest): Bytes {
  const { truncatedTokenKeyId, blindedMessage } = request;
  return concat(Uint8Array.of(0, TOKEN_TYPE, truncatedTokenKeyId), blindedMessage);
}

/** Parses a request; `token_request_refused` for another type or length (RFC 9578 section 6.2). */
export function parseTokenRequest(bytes: Uint8Array): TokenRequest {
  const tokenType = (bytes[0] ?? 0) << 8 | (bytes[1] ?? 0);
  if (tokenType !== TOKEN_TYPE || bytes.length !== HEAD_LENGTH + BLIND_RSA_LENGTH) {
    throw new CountersignError(
      "token_request_refused",
      `Cannot read token request: ${bytes.length} bytes of type ${tokenType}; this issuer answers ` +
        `requests of type 2 with ${HEAD_LENGTH + BLIND_RSA_LENGTH} bytes`,
    );
  }
  return {
    truncatedTokenKeyId: bytes[2]!,
    blindedMessage: bytes.slice(HEAD_LENGTH),
  };
}

/** Parses a response; `issuer_refused` for another length. */
export function parseBlindSignature(bytes: Uint8Array): Bytes {
  if (bytes.length === BLIND_RSA_LENGTH) return bytes.slice();
  throw new CountersignError(
    "issuer_refused",
    `Cannot read token response: ${bytes.length} bytes in place of ${BLIND_RSA_LENGTH}`,
  );
}
