/**
 * Lengths in bytes of ML-DSA-44 (FIPS 204), for formats that need no arithmetic.
 *
 * @module
 */

export const ML_DSA_KEY_LENGTH = 1_312;
export const ML_DSA_SIGNATURE_LENGTH = 2_420;
