/**
 * Vectors repeat their signatures, and some runtimes verify those of BLS slowly.
 *
 * @module
 */

import { hexOf } from "../../../../src/base/bytes.ts";
import type { BlsVerifier } from "../../../../src/proof/crypto/bls_verifier.ts";
import type { VerifierCrypto } from "../../../../src/proof/verify/mod.ts";

/** `crypto` that computes each result of BLS once. */
export function remembering(crypto: VerifierCrypto): VerifierCrypto {
  const results = new Map<string, boolean>();
  const hex = (_: string, value: unknown) => value instanceof Uint8Array ? hexOf(value) : value;
  const once = <A extends unknown[]>(compute: (...args: A) => boolean) => (...args: A): boolean => {
    const key = JSON.stringify(args, hex);
    const result = results.get(key) ?? compute(...args);
    results.set(key, result);
    return result;
  };
  const bls: BlsVerifier = {
    keyValidate: once((...args) => crypto.bls.keyValidate(...args)),
    verify: once((...args) => crypto.bls.verify(...args)),
    fastAggregateVerify: once((...args) => crypto.bls.fastAggregateVerify(...args)),
  };
  return { ...crypto, bls };
}
