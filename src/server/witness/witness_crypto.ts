/**
 * The cryptography of a witness: our WebAssembly modules and `node:crypto`.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import type { Bls } from "../../proof/crypto/bls.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { loadWasmBls, loadWasmKernels } from "../../proof/crypto/wasm_kernels.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";

/** Verifies, hashes rounds, and signs with a `bls` key. */
export interface WitnessCrypto extends VerifierCrypto {
  readonly kernels: Kernels;
  readonly bls: Bls;
}

/**
 * Loads the modules; `internal` if the runtime runs none of their builds. Unlike other roles, a witness
 * does not fall back to plain JavaScript, which signs in a time that depends on the secret key.
 */
export async function loadWitnessCrypto(): Promise<WitnessCrypto> {
  const [kernels, bls] = await Promise.all([loadWasmKernels(), loadWasmBls()]);
  if (kernels !== undefined && bls !== undefined) return { kernels, ed25519: verifyNative, bls };
  throw new CountersignError(
    "internal",
    "Cannot start witness: this runtime runs no build of the WebAssembly modules in wasm/build",
  );
}
