/**
 * Privacy Pass tokens, and the challenges that request them.
 *
 *     struct {                                   struct {
 *       uint16 token_type;                         uint16 token_type;
 *       opaque issuer_name<1..2^16-1>;             uint8 nonce[32];
 *       opaque redemption_context<0..32>;          uint8 challenge_digest[32];
 *       opaque origin_info<0..2^16-1>;             uint8 token_key_id[32];
 *     } TokenChallenge;                            uint8 authenticator[Nk];
 *                                                } Token;
 *
 * RFC 9577 sections 2.1.1 and 2.2. The only type is 2, Blind RSA with 2048 bits (RFC 9578 section
 * 8.2). The authenticator signs the token input: the token without its authenticator.
 *
 * @module
 */

import {
  base64UrlOf,
  type Bytes,
  bytesOfBase64Url,
  concat,
  equalBytes,
  HASH_LENGTH,
  textOf,
  utf8,
} from "../../base/bytes.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";

const invalid = errorBuilder("token_invalid", "Cannot read token");

/** Blind RSA with 2048 bits (RFC 9578 section 8.2): verified with the issuer's public key. */
export const TOKEN_TYPE = 2;

/** Length in bytes of an authenticator (Nk). */
const AUTHENTICATOR_LENGTH = 256;

/** Length in bytes of a nonce. */
export const NONCE_LENGTH = 32;

/** Length in bytes of the token input: type, nonce, challenge digest and token key ID. */
export const TOKEN_INPUT_LENGTH = 2 + NONCE_LENGTH + 2 * HASH_LENGTH;

/** A gateway's request for a token of one issuer (RFC 9577 section 2.1.1). */
export interface TokenChallenge {
  /** 1 to 65,535 printable ASCII characters. */
  readonly issuerName: string;
  /** 32 bytes, or empty for tokens that can be fetched in advance. */
  readonly redemptionContext: Bytes;
  /** Origins, separated by commas, in printable ASCII; empty for any origin. */
  readonly originInfo: string;
}

/** A token (RFC 9577 section 2.2). It does not identify the client. */
export interface Token {
  readonly nonce: Bytes;
  readonly challengeDigest: Bytes;
  readonly tokenKeyId: Bytes;
  readonly authenticator: Bytes;
}

function uint16(value: number): Bytes {
  return Uint8Array.of(value >> 8, value & 0xff);
}

/** Encodes `challenge`; `invalid_configuration`. */
export function encodeTokenChallenge(challenge: TokenChallenge): Bytes {
  const { issuerName, redemptionContext, originInfo } = challenge;
  if (!isText(issuerName) || issuerName === "" || !isText(originInfo)) {
    throw new CountersignError(
      "invalid_configuration",
      "Cannot write token challenge: the issuer name or origin info is not printable ASCII",
    );
  }
  return concat(
    uint16(TOKEN_TYPE),
    uint16(issuerName.length),
    utf8(issuerName),
    Uint8Array.of(redemptionContext.length),
    redemptionContext,
    uint16(originInfo.length),
    utf8(originInfo),
  );
}

function isText(text: string): boolean {
  return text.length < 0x1_0000 && /^[\x20-\x7e]*$/.test(text);
}

/** Parses a challenge in its only encoding; `malformed_text`. */
export function parseTokenChallenge(bytes: Uint8Array): TokenChallenge {
  let at = 0;
  const take = (length: number) => bytes.slice(at, at += length);
  const integer = (length: number) => take(length).reduce((value, byte) => value << 8 | byte, 0);
  const tokenType = integer(2);
  const issuerName = textOf(take(integer(2)));
  const redemptionContext = take(integer(1));
  const originInfo = textOf(take(integer(2)));
  const isKnown = tokenType === TOKEN_TYPE && issuerName !== "" && isText(issuerName) &&
    isText(originInfo) && [0, HASH_LENGTH].includes(redemptionContext.length);
  const challenge = isKnown && { issuerName, redemptionContext, originInfo };
  // Re-encoding catches truncated and trailing bytes.
  if (!challenge || !equalBytes(encodeTokenChallenge(challenge), bytes)) {
    throw new CountersignError(
      "malformed_text",
      `Cannot read token challenge: ${bytes.length} bytes are not a TokenChallenge of type 2`,
    );
  }
  return challenge;
}

/** SHA-256 of an encoded challenge. */
export function challengeDigest(challenge: Uint8Array): Bytes {
  return portableKernels.sha256(challenge);
}

/** SHA-256 of a token key, a SubjectPublicKeyInfo. Token requests contain its last byte. */
export function tokenKeyIdOf(tokenKey: Uint8Array): Bytes {
  return portableKernels.sha256(tokenKey);
}

/** The 98 bytes that the authenticator of `token` signs (RFC 9577 section 2.2). */
export function tokenInputOf(token: Omit<Token, "authenticator">): Bytes {
  return concat(uint16(TOKEN_TYPE), token.nonce, token.challengeDigest, token.tokenKeyId);
}

/** The token id, which a gateway redeems once: SHA-256 of the token input. */
export function spendOf(token: Omit<Token, "authenticator">): Bytes {
  return portableKernels.sha256(tokenInputOf(token));
}

/** The 354 bytes of `token`. */
export function encodeToken(token: Token): Bytes {
  return concat(tokenInputOf(token), token.authenticator);
}

/** Parses a token; `token_invalid` for another type or length. */
export function parseToken(bytes: Uint8Array): Token {
  const tokenType = (bytes[0] ?? 0) << 8 | (bytes[1] ?? 0);
  if (tokenType !== TOKEN_TYPE || bytes.length !== TOKEN_INPUT_LENGTH + AUTHENTICATOR_LENGTH) {
    throw invalid(
      `${bytes.length} bytes of type ${tokenType}; only tokens of type 2 with ` +
        `${TOKEN_INPUT_LENGTH + AUTHENTICATOR_LENGTH} bytes are accepted`,
    );
  }
  let at = 2;
  const take = (length: number) => bytes.slice(at, at += length);
  return {
    nonce: take(NONCE_LENGTH),
    challengeDigest: take(HASH_LENGTH),
    tokenKeyId: take(HASH_LENGTH),
    authenticator: take(AUTHENTICATOR_LENGTH),
  };
}

/** A token in base64url. */
export function encodeTokenText(token: Token): string {
  return base64UrlOf(encodeToken(token));
}

/** Parses a token in base64url; `token_invalid`. */
export function parseTokenText(text: string): Token {
  const bytes = bytesOfBase64Url(text);
  if (bytes === undefined) {
    throw invalid(`its ${text.length} characters are not base64url`);
  }
  return parseToken(bytes);
}
