/**
 * Test vectors of RFC 9497 (appendix A.4.2: VOPRF over P-384) and RFC 9578 (appendix A: both ways of
 * issuance). The private keys of RFC 9578 are in DER here, as the files of this project have them.
 *
 * @module
 */

import vectors from "./published_vectors.json" with { type: "json" };

/** One published issuance; all members are hex. */
export interface PublishedIssuance {
  readonly token_challenge: string;
  readonly nonce: string;
  readonly blind: string;
  readonly token_request: string;
  readonly token_response: string;
  readonly token: string;
}

export const VOPRF_VECTORS = vectors.voprf;
export const TYPE_1_VECTORS = vectors.type_1;
export const TYPE_2_VECTORS = vectors.type_2;

/** A private key of each type that nobody has to make: these of RFC 9578. */
export const PRIVATE_KEY = {
  1: Uint8Array.fromHex(vectors.type_1[0]!.skS),
  2: Uint8Array.fromHex(vectors.type_2.skS),
} as const;
