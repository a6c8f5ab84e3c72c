/**
 * The client's half of an issuance (RFC 9578 sections 6.1 and 6.3). The nonce is random, so that only
 * this process can link a request to its token.
 *
 * @module
 */

import type { Bytes } from "../base/bytes.ts";
import { readBlindRsaKey } from "../proof/crypto/blind_rsa.ts";
import { blindMessage, unblindSignature } from "../proof/crypto/blind_rsa_client.ts";
import {
  challengeDigest,
  NONCE_LENGTH,
  type Token,
  tokenInputOf,
  tokenKeyIdOf,
} from "../proof/format/privacy_pass.ts";
import { encodeTokenRequest, parseBlindSignature } from "../proof/format/token_issuance.ts";

/** The challenge that a token answers, and the key that signs it. */
export interface OrderedToken {
  /** As the gateway sent it. */
  readonly challenge: Bytes;
  /** As in the issuer's directory. */
  readonly tokenKey: Bytes;
}

/** One issuance in progress. */
export interface TokenOrder {
  /** Bytes of the TokenRequest. */
  readonly request: Bytes;
  /** Makes a verified token from the bytes of a TokenResponse; `issuer_refused`. */
  finish(response: Uint8Array): Token;
}

/** Draws a nonce and blinds it; `invalid_key`. */
export function orderToken({ challenge, tokenKey }: OrderedToken): TokenOrder {
  const key = readBlindRsaKey(tokenKey);
  const tokenKeyId = tokenKeyIdOf(tokenKey);
  const unauthenticated = {
    nonce: crypto.getRandomValues(new Uint8Array(NONCE_LENGTH)),
    challengeDigest: challengeDigest(challenge),
    tokenKeyId,
  };
  const input = tokenInputOf(unauthenticated);
  const { blinded, inverse } = blindMessage(key, input);
  return {
    request: encodeTokenRequest({
      truncatedTokenKeyId: tokenKeyId.at(-1)!,
      blindedMessage: blinded,
    }),
    finish: (response) => ({
      ...unauthenticated,
      authenticator: unblindSignature(key, input, inverse, parseBlindSignature(response)),
    }),
  };
}
