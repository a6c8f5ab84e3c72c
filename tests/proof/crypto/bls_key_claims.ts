/**
 * Properties of secret keys: SkToPk, and refused scalars.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8 } from "../../../src/base/bytes.ts";
import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { popProve } from "../../../src/proof/crypto/bls.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import type { Claim } from "./bls_claim.ts";
import { sampled } from "./bls_claim.ts";
import { publicKeyOf, R, scalarBytes } from "./bls_oracle.ts";
import { BOUNDARY_SCALARS, REFUSED_SCALARS } from "./bls_scalars.ts";

/** Asserts that `use` refuses `secretKey` with an error that does not contain its bytes. */
export function assertRefused(
  use: (secretKey: Uint8Array) => unknown,
  secretKey: Uint8Array,
): void {
  assert.throws(() => use(secretKey), (error) => {
    assert.ok(error instanceof CountersignError);
    assert.equal(error.code, "invalid_key");
    const hex = secretKey.toHex();
    assert.ok(secretKey.length < 4 || !error.message.toLowerCase().includes(hex.slice(-8)));
    const decimal = BigInt(`0x${hex || "0"}`).toString();
    assert.ok(decimal.length < 9 || !error.message.includes(decimal.slice(0, 9)));
    return true;
  });
}

/** Every operation that takes a secret key. */
function usesOf(bls: Bls): ((secretKey: Uint8Array) => unknown)[] {
  return [
    (secretKey) => bls.skToPk(secretKey),
    (secretKey) => bls.sign(secretKey, utf8("message"), "DST"),
    (secretKey) => popProve(bls, secretKey),
  ];
}

export const KEY_CLAIMS: readonly Claim[] = [
  {
    name: "skToPk multiplies the generator by every boundary scalar",
    check(bls) {
      for (const scalar of BOUNDARY_SCALARS) {
        assert.deepEqual(bls.skToPk(scalarBytes(scalar)), publicKeyOf(scalar), `${scalar}`);
      }
    },
  },
  {
    name: "skToPk multiplies the generator by powers of two and their neighbours",
    check(bls, stride) {
      const exponents = sampled(
        Array.from({ length: 253 }, (_, index) => BigInt(index + 2)),
        stride,
      );
      for (const exponent of exponents) {
        const scalar = 2n ** exponent - 1n;
        assert.deepEqual(bls.skToPk(scalarBytes(scalar)), publicKeyOf(scalar), `2^${exponent} - 1`);
      }
    },
  },
  {
    name: "skToPk multiplies the generator by random scalars",
    check(bls, stride) {
      const scalars = fc.bigInt({ min: 1n, max: R - 1n });
      fc.assert(
        fc.property(scalars, (scalar) => {
          assert.deepEqual(bls.skToPk(scalarBytes(scalar)), publicKeyOf(scalar));
        }),
        { numRuns: Math.ceil(100 / stride) },
      );
    },
  },
  {
    name: "0 and scalars from r on are refused as secret keys",
    check(bls) {
      for (const scalar of REFUSED_SCALARS) {
        for (const use of usesOf(bls)) assertRefused(use, scalarBytes(scalar));
      }
    },
  },
  {
    name: "a secret key of another length than 32 is refused",
    check(bls) {
      for (const length of [0, 1, 31, 33, 48, 64]) {
        for (const use of usesOf(bls)) {
          assertRefused(use, new Uint8Array(length).fill(0x21));
          // Even if the number is in range: extra bytes count.
          assertRefused(use, Uint8Array.from({ length }, (_, i) => i === length - 1 ? 9 : 0));
        }
      }
    },
  },
];
