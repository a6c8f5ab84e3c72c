/**
 * The suite of the `bls` scheme as a function that answers what a module got wrong: for modules
 * that were broken on purpose.
 *
 * @module
 */

import type { Bytes } from "../../src/bytes.ts";
import type { Bls } from "../../src/crypto/bls.ts";
import { wasmBls } from "../../src/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/crypto/wasm_bls_exports.ts";
import { ADVERSARY_CLAIMS } from "../crypto/bls_adversary_claims.ts";
import { BATCH_CLAIMS } from "../crypto/bls_batch_claims.ts";
import { firstFailure } from "../crypto/bls_claim.ts";
import { KEY_CLAIMS } from "../crypto/bls_key_claims.ts";
import { POINT_CLAIMS } from "../crypto/bls_point_claims.ts";
import { VERIFY_CLAIMS } from "../crypto/bls_verify_claims.ts";
import { firstCombinationFailure } from "./bls_combination_checks.ts";

/** Of long tables of cases, one in so many: a mutant has to be caught in seconds. */
const STRIDE = 31;

/** What fails first in most mutants goes first: the pairing and what it stands on. */
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
