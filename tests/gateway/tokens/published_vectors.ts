/**
 * Test vectors of RFC 9578 (appendix A.2: blind RSA). The private key is in DER, as in key files.
 *
 * @module
 */

import vectors from "./published_vectors.json" with { type: "json" };

export const TYPE_2_VECTORS = vectors.type_2;

/** The issuer's key of RFC 9578: PKCS #8. */
export const PRIVATE_KEY = Uint8Array.fromHex(vectors.type_2.skS);
