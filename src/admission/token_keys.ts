/**
 * Keys of issuers, and how a token of each type is verified (RFC 9578 sections 5.4 and 6.4).
 *
 * @module
 */

import { type BlindRsaKey, verifyBlindRsa } from "../crypto/blind_rsa.ts";
import type { Voprf } from "../crypto/voprf.ts";
import { tokenKeyIdOf } from "../format/privacy_pass.ts";
import type { TokenKey } from "./token_issuers.ts";

/** An evaluation in JavaScript takes so many times as long as a native verification: 5 ms, 0.3 ms. */
const VOPRF_COST = 16;

/** When tokens of a key are taken. */
export type KeyValidity = Pick<TokenKey, "notBefore" | "notAfter">;

/** A key for tokens of type 2, which verifies with what is public. */
export function blindRsaTokenKey(key: BlindRsaKey, validity: KeyValidity): TokenKey {
  return {
    ...validity,
    id: tokenKeyIdOf(key.spki),
    publicKey: key.spki,
    cost: 1,
    verify: (tokenInput, authenticator) => verifyBlindRsa(key, tokenInput, authenticator),
  };
}

/** A key for tokens of type 1, which verifies with the issuer's own secret. */
export function voprfTokenKey(
  voprf: Voprf,
  privateKey: Uint8Array,
  validity: KeyValidity,
): TokenKey {
  const publicKey = voprf.publicKeyOf(privateKey);
  return {
    ...validity,
    id: tokenKeyIdOf(publicKey),
    publicKey,
    cost: VOPRF_COST,
    verify: (tokenInput, authenticator) => voprf.isOutput(privateKey, tokenInput, authenticator),
  };
}
