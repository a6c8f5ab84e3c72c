/**
 * What a verifier computes with, injected so that one verifier runs on the server's native code and
 * in a browser.
 *
 * @module
 */

import type { BlsVerifier } from "../crypto/bls_verifier.ts";
import { bestVerify, type Ed25519Verify } from "../crypto/ed25519.ts";
import { type Hashing, portableHashing } from "../crypto/hashing.ts";
import { portableBlsVerifier } from "../crypto/portable_bls_verifier.ts";

/** What a set of signatures is verified with. */
export interface SignatureCrypto {
  readonly ed25519: Ed25519Verify;
  readonly bls: Pick<BlsVerifier, "fastAggregateVerify">;
}

/** What a signed attestation or tree head is verified with. */
export interface ThresholdCrypto extends SignatureCrypto {
  readonly kernels: Hashing;
}

/**
 * Hashing, one path of the Ed25519 rule of protocol.md "Signature schemes", and one implementation
 * of `bls`.
 */
export interface VerifierCrypto {
  readonly kernels: Hashing;
  readonly ed25519: Ed25519Verify;
  readonly bls: BlsVerifier;
}

/** What runs anywhere: noble's SHA-256 and BLS, and WebCrypto where the engine follows the rule. */
export async function portableCrypto(): Promise<VerifierCrypto> {
  return { kernels: portableHashing, ed25519: await bestVerify(), bls: portableBlsVerifier };
}
