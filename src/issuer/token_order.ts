/**
 * A client's half of an issuance: a request, and what makes the token of its answer (RFC 9578
 * sections 5.1, 5.3, 6.1 and 6.3). The nonce is random, so that nothing links a request to the token
 * but what this process holds.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { readBlindRsaKey } from "../crypto/blind_rsa.ts";
import { blindMessage, unblindSignature } from "../crypto/blind_rsa_client.ts";
import { loadVoprf } from "../crypto/voprf.ts";
import {
  challengeDigest,
  NONCE_LENGTH,
  type Token,
  TOKEN_TYPE,
  tokenInputOf,
  tokenKeyIdOf,
  type TokenType,
} from "../format/privacy_pass.ts";
import {
  encodeTokenRequest,
  parseBlindSignature,
  parseEvaluation,
} from "../format/token_issuance.ts";

/** For whom a token is, and under which key. */
export interface OrderedToken {
  readonly tokenType: TokenType;
  /** As a gateway has sent it. */
  readonly challenge: Bytes;
  /** As the issuer's directory has it. */
  readonly tokenKey: Bytes;
}

/** One issuance under way. */
export interface TokenOrder {
  /** Bytes of the TokenRequest. */
  readonly request: Bytes;
  /** The token of the bytes of a TokenResponse, verified; `issuer_refused`. */
  finish(response: Uint8Array): Token;
}

/** Draws a nonce and blinds it; `invalid_key` for a key that is none of its type. */
export async function orderToken(ordered: OrderedToken): Promise<TokenOrder> {
  const { tokenType, challenge, tokenKey } = ordered;
  const tokenKeyId = tokenKeyIdOf(tokenKey);
  const unauthenticated = {
    tokenType,
    nonce: crypto.getRandomValues(new Uint8Array(NONCE_LENGTH)),
    challengeDigest: challengeDigest(challenge),
    tokenKeyId,
  };
  const input = tokenInputOf(unauthenticated);
  const { blinded, authenticatorOf } = tokenType === TOKEN_TYPE.blindRsa
    ? blindRsaOrder(tokenKey, input)
    : await voprfOrder(tokenKey, input);
  return {
    request: encodeTokenRequest({
      tokenType,
      truncatedTokenKeyId: tokenKeyId.at(-1)!,
      blindedMessage: blinded,
    }),
    finish: (response) => ({ ...unauthenticated, authenticator: authenticatorOf(response) }),
  };
}

/** A blinded token input, and what makes the authenticator of the bytes of a response. */
interface BlindedTokenInput {
  readonly blinded: Bytes;
  readonly authenticatorOf: (response: Uint8Array) => Bytes;
}

function blindRsaOrder(tokenKey: Bytes, input: Bytes): BlindedTokenInput {
  const key = readBlindRsaKey(tokenKey);
  const { blinded, inverse } = blindMessage(key, input);
  const authenticatorOf = (response: Uint8Array) =>
    unblindSignature(key, input, inverse, parseBlindSignature(response));
  return { blinded, authenticatorOf };
}

async function voprfOrder(tokenKey: Bytes, input: Bytes): Promise<BlindedTokenInput> {
  const voprf = await loadVoprf();
  const publicKey = voprf.checkPublicKey(tokenKey);
  const blinding = voprf.blind(input);
  const authenticatorOf = (response: Uint8Array) =>
    voprf.finalize(input, blinding, publicKey, parseEvaluation(response));
  return { blinded: blinding.blinded, authenticatorOf };
}
