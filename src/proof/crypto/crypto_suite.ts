/**
 * The cryptography of a server.
 *
 * @module
 */

import type { Bls } from "./bls.ts";
import type { Ed25519Verify } from "./ed25519_rule.ts";
import type { Kernels } from "./kernels.ts";

/** Hashing of whole trees, Ed25519 verification, and the `bls` scheme with its signer. */
export interface CryptoSuite {
  readonly kernels: Kernels;
  readonly ed25519: Ed25519Verify;
  readonly bls: Bls;
}
