/**
 * The operations to trace, which take a secret key, and secrets that must not change the trace.
 *
 * @module
 */

import { utf8 } from "../../src/base/bytes.ts";
import type { Bls } from "../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { R, scalarBytes } from "../proof/crypto/bls_oracle.ts";
import { BOUNDARY_SCALARS } from "../proof/crypto/bls_scalars.ts";

/** The message for all secrets. Hashing may reveal it. */
export const MESSAGE = utf8("a message of fixed length");

export function randomScalar(): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(40));
  return BigInt(`0x${bytes.toHex()}`) % (R - 1n) + 1n;
}

/** Boundaries, few and many bits set, and `count` random ones. */
export function secrets(count: number): bigint[] {
  return [...BOUNDARY_SCALARS, ...Array.from({ length: count }, randomScalar)];
}

/** Operations by name, each for a secret. */
export function signingOperations(
  bls: Bls,
): Readonly<Record<string, (secret: bigint) => () => void>> {
  return {
    sign: (secret) => () => void bls.sign(scalarBytes(secret), MESSAGE, BLS_SIGNATURE_DST),
    skToPk: (secret) => () => void bls.skToPk(scalarBytes(secret)),
  };
}
