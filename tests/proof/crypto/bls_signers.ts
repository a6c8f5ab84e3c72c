/**
 * Signers whose keys and signatures are computed by definition, independent of the implementations
 * under test. Computed once for all implementations.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../../src/base/bytes.ts";
import { BLS_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import { publicKeyOf, R, scalarBytes, signatureOf } from "./bls_oracle.ts";

export interface Signer {
  readonly scalar: bigint;
  readonly secretKey: Bytes;
  readonly publicKey: Bytes;
}

function memoised<Result>(make: (...key: (bigint | string)[]) => Result) {
  const made = new Map<string, Result>();
  return (...key: (bigint | string)[]): Result => {
    const id = key.join("/");
    const known = made.get(id);
    if (known !== undefined) return known;
    const result = make(...key);
    made.set(id, result);
    return result;
  };
}

const keys = memoised((scalar) => publicKeyOf(scalar as bigint));
const signatures = memoised((scalar, text, dst) =>
  signatureOf(scalar as bigint, utf8(text as string), dst as string)
);

/** The signer with this secret modulo r, which must not be zero. */
export function signerOf(secret: bigint): Signer {
  const scalar = ((secret % R) + R) % R;
  return { scalar, secretKey: scalarBytes(scalar), publicKey: keys(scalar) };
}

/** Signer 1, 2, 3 and so on: full-size scalars without a simple relation. */
export function signer(index: number): Signer {
  return signerOf(BigInt(index) ** 5n * (2n ** 251n + 9n) + 7n ** BigInt(20 + index));
}

/** The signature of `text` by `signer`. */
export function signed(signer: Signer, text: string, dst = BLS_SIGNATURE_DST): Bytes {
  return signatures(signer.scalar, text, dst);
}

/** The sum of the signatures of `text` by all `signers`. */
export function signedByAll(signers: readonly Signer[], text: string): Bytes {
  return signed(together(signers), text);
}

/** The signer whose key is the sum of all keys. */
export function together(signers: readonly Signer[]): Signer {
  return signerOf(signers.reduce((sum, { scalar }) => sum + scalar, 0n));
}

export function publicKeysOf(signers: readonly Signer[]): Bytes[] {
  return signers.map(({ publicKey }) => publicKey);
}
