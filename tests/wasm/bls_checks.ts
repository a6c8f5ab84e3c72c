/**
 * The test suite of the `bls` scheme as a function that returns the first failure of a module, for
 * modules that were broken on purpose.
 *
 * @module
 */

import type { Bytes } from "../../src/base/bytes.ts";
import type { Bls } from "../../src/proof/crypto/bls.ts";
import { wasmBls } from "../../src/proof/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { ADVERSARY_CLAIMS } from "../proof/crypto/bls_adversary_claims.ts";
import { BATCH_CLAIMS } from "../proof/crypto/bls_batch_claims.ts";
import { firstFailure } from "../proof/crypto/bls_claim.ts";
import { KEY_CLAIMS } from "../proof/crypto/bls_key_claims.ts";
import { POINT_CLAIMS } from "../proof/crypto/bls_point_claims.ts";
import { VERIFY_CLAIMS } from "../proof/crypto/bls_verify_claims.ts";
import { firstCombinationFailure } from "./bls_combination_checks.ts";

/** Every nth case of a long table is tried, so that a mutant is caught in seconds. */
const STRIDE = 31;

/** Ordered by how many mutants they catch: the pairing first. */
const CLAIMS = [
  ...VERIFY_CLAIMS,
  ...POINT_CLAIMS,
  ...KEY_CLAIMS,
  ...ADVERSARY_CLAIMS,
  ...BATCH_CLAIMS,
];

/** The first claim that does not hold of `bls`. */
export function firstBlsFailureOf(bls: Bls): string | undefined {
  return firstFailure(bls, CLAIMS, STRIDE);
}

/** The first claim that does not hold of the BLS module `module`; may throw, or never end. */
export function firstBlsFailure(module: Bytes): string | undefined {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module));
  const wasm = exports as unknown as BlsExports;
  return firstBlsFailureOf(wasmBls(wasm)) ?? firstCombinationFailure(wasm);
}
