/**
 * The two messages by which a token is issued (RFC 9578 sections 5.1, 5.2, 6.1 and 6.2).
 *
 *     struct {                                   struct {
 *       uint16 token_type;                         uint8 evaluate_msg[49];      type 1
 *       uint8 truncated_token_key_id;              uint8 evaluate_proof[96];
 *       uint8 blinded_msg[49 or 256];            } TokenResponse;
 *     } TokenRequest;                            struct {
 *                                                  uint8 blind_sig[256];        type 2
 *                                                } TokenResponse;
 *
 * @module
 */

import { type Bytes, concat } from "../bytes.ts";
import { BLIND_RSA_LENGTH } from "../crypto/blind_rsa.ts";
import { VOPRF_ELEMENT_LENGTH, VOPRF_PROOF_LENGTH, type VoprfEvaluation } from "../crypto/voprf.ts";
import { CountersignError } from "../errors.ts";
import { isTokenType, type TokenType } from "./privacy_pass.ts";

/** Media types of the messages and of the directory (RFC 9578 section 8.3). */
export const TOKEN_MEDIA_TYPE = {
  directory: "application/private-token-issuer-directory",
  request: "application/private-token-request",
  response: "application/private-token-response",
} as const;

/** A client's request (RFC 9578 sections 5.1 and 6.1). */
export interface TokenRequest {
  readonly tokenType: TokenType;
  /** The last byte of the token key ID. */
  readonly truncatedTokenKeyId: number;
  readonly blindedMessage: Bytes;
}

/** Length in bytes of a blinded message. */
const BLINDED_LENGTH: Readonly<Record<TokenType, number>> = {
  1: VOPRF_ELEMENT_LENGTH,
  2: BLIND_RSA_LENGTH,
};

const HEAD_LENGTH = 3;

/** The bytes of `request`: 52 of type 1, 259 of type 2. */
export function encodeTokenRequest(request: TokenRequest): Bytes {
  const { tokenType, truncatedTokenKeyId, blindedMessage } = request;
  return concat(Uint8Array.of(0, tokenType, truncatedTokenKeyId), blindedMessage);
}

/**
 * The request that `bytes` are; `token_request_refused` for another type or length, of which RFC 9578
 * says (sections 5.2 and 6.2) how they are answered.
 */
export function parseTokenRequest(bytes: Uint8Array): TokenRequest {
  const tokenType = (bytes[0] ?? 0) << 8 | (bytes[1] ?? 0);
  if (!isTokenType(tokenType) || bytes.length !== HEAD_LENGTH + BLINDED_LENGTH[tokenType]) {
    throw new CountersignError(
      "token_request_refused",
      "Cannot read token request: 52 bytes of type 1 or 259 of type 2 required, found " +
        `${bytes.length} of type ${tokenType}`,
    );
  }
  return {
    tokenType,
    truncatedTokenKeyId: bytes[2]!,
    blindedMessage: bytes.slice(HEAD_LENGTH),
  };
}

/** The bytes of a response of type 1. */
export function encodeEvaluation({ evaluated, proof }: VoprfEvaluation): Bytes {
  return concat(evaluated, proof);
}

/** The evaluation that a response of type 1 is; `issuer_refused` for another length. */
export function parseEvaluation(bytes: Uint8Array): VoprfEvaluation {
  checkResponseLength(bytes, VOPRF_ELEMENT_LENGTH + VOPRF_PROOF_LENGTH);
  return {
    evaluated: bytes.slice(0, VOPRF_ELEMENT_LENGTH),
    proof: bytes.slice(VOPRF_ELEMENT_LENGTH),
  };
}

/** The blind signature that a response of type 2 is; `issuer_refused` for another length. */
export function parseBlindSignature(bytes: Uint8Array): Bytes {
  checkResponseLength(bytes, BLIND_RSA_LENGTH);
  return bytes.slice();
}

function checkResponseLength(bytes: Uint8Array, length: number): void {
  if (bytes.length === length) return;
  throw new CountersignError(
    "issuer_refused",
    `Cannot read token response: ${length} bytes required, found ${bytes.length}`,
  );
}
