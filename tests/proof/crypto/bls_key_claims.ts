/**
 * Properties of secret keys: KeyGen, SkToPk, and refused scalars.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { utf8 } from "../../../src/base/bytes.ts";
import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { popProve } from "../../../src/proof/crypto/bls.ts";
import { CountersignError } from "../../../src/base/errors.ts";
import type { Claim } from "./bls_claim.ts";
import { sampled } from "./bls_claim.ts";
import { publicKeyOf, R, scalarBytes } from "./bls_oracle.ts";
import { BOUNDARY_SCALARS, REFUSED_SCALARS } from "./bls_scalars.ts";

/**
 * KeyGen of draft-irtf-cfrg-bls-signature section 2.3 with an empty key_info, by the HKDF of
 * OpenSSL. L is 48; a scalar of zero has never been seen, so there is no second round.
 */
function generated(keyMaterial: Uint8Array): bigint {
  const salt = createHash("sha256").update("BLS-SIG-KEYGEN-SALT-").digest();
  const input = Uint8Array.of(...keyMaterial, 0);
  const output = new Uint8Array(hkdfSync("sha256", input, salt, Uint8Array.of(0, 48), 48));
  return BigInt(`0x${output.toHex()}`) % R;
}

/** Seeds and master secret keys of EIP-2333, whose hkdf_mod_r is this KeyGen. */
const EIP2333 = [
  [
    "c55257c360c07c72029aebc1b53c05ed0362ada38ead3e3e9efa3708e53495531f09a6987599d18264c1e1c92f2cf141630c7a3c4ab7c81b2f001698e7463b04",
    6083874454709270928345386274498605044986640685124978867557563392430687146096n,
  ],
  [
    "3141592653589793238462643383279502884197169399375105820974944592",
    29757020647961307431480504535336562678282505419141012933316116377660817309383n,
  ],
  [
    "0099ff991111002299dd7744ee3355bbdd8844115566cc55663355668888cc00",
    27580842291869792442942448775674722299803720648445448686099262467207037398656n,
  ],
  [
    "d4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3",
    19022158461524446591288038168518313374041767046816487870552872741050760015818n,
  ],
] as const;

/** Asserts that `use` refuses `secretKey` with an error that does not contain its bytes. */
function assertRefused(use: (secretKey: Uint8Array) => unknown, secretKey: Uint8Array): void {
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
    name: "keyGen agrees with the keys of EIP-2333",
    check(bls) {
      for (const [seed, scalar] of EIP2333) {
        assert.equal(generated(Uint8Array.fromHex(seed)), scalar);
        assert.deepEqual(bls.keyGen(Uint8Array.fromHex(seed)), scalarBytes(scalar));
      }
    },
  },
  {
    name: "keyGen agrees with an independent HKDF at every length from 32 to 200",
    check(bls) {
      for (let length = 32; length <= 200; length++) {
        const keyMaterial = Uint8Array.from({ length }, (_, index) => index * length);
        assert.deepEqual(bls.keyGen(keyMaterial), scalarBytes(generated(keyMaterial)));
      }
    },
  },
  {
    name: "keyGen agrees with an independent HKDF on random secrets",
    check(bls) {
      fc.assert(fc.property(fc.uint8Array({ minLength: 32, maxLength: 300 }), (keyMaterial) => {
        const before = keyMaterial.slice();
        assert.deepEqual(bls.keyGen(keyMaterial), scalarBytes(generated(keyMaterial)));
        assert.deepEqual(keyMaterial, before);
      }));
    },
  },
  {
    name: "keyGen refuses fewer than 32 secret bytes",
    check(bls) {
      for (const length of [0, 1, 16, 31]) {
        assertRefused((keyMaterial) => bls.keyGen(keyMaterial), new Uint8Array(length).fill(7));
      }
    },
  },
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
