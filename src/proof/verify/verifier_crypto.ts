/**
 * The verifier's cryptography. It is injected: a server uses native code, a browser portable code.
 *
 * @module
 */

import type { BlsVerifier } from "../crypto/bls_verifier.ts";
import { bestVerify, type Ed25519Verify } from "../crypto/ed25519.ts";
import { type Hashing, portableHashing } from "../crypto/hashing.ts";
import { portableBlsVerifier } from "../crypto/portable_bls_verifier.ts";

/** Verifies sets of signatures. */
export interface SignatureCrypto {
  readonly ed25519: Ed25519Verify;
  readonly bls: Pick<BlsVerifier, "fastAggregateVerify">;
}

/** Verifies signed attestations and tree heads. */
export interface ThresholdCrypto extends SignatureCrypto {
  readonly kernels: Hashing;
}

/** Hashing, Ed25519 by rule S9 and BLS by rule S10 of verification.md "Signatures". */
export interface VerifierCrypto {
  readonly kernels: Hashing;
  readonly ed25519: Ed25519Verify;
  readonly bls: BlsVerifier;
}

/** Runs anywhere: noble, and WebCrypto for Ed25519 if the engine follows S9. */
export async function portableCrypto(): Promise<VerifierCrypto> {
  return { kernels: portableHashing, ed25519: await bestVerify(), bls: portableBlsVerifier };
}
