/**
 * What a verifier computes with, injected so that one verifier runs on the server's native code and
 * in a browser.
 *
 * @module
 */

import { bestVerify, type Ed25519Verify } from "../crypto/ed25519.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { portableKernels } from "../crypto/portable_kernels.ts";

/** Hashing, and one path of the Ed25519 rule of contract B2. */
export interface VerifierCrypto {
  readonly kernels: Kernels;
  readonly ed25519: Ed25519Verify;
}

/** What runs anywhere: noble's SHA-256, and WebCrypto where the engine follows the rule. */
export async function portableCrypto(): Promise<VerifierCrypto> {
  return { kernels: portableKernels, ed25519: await bestVerify() };
}
