import assert from "node:assert/strict";
import { createHash, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { generateBlsSecret, generateKey } from "../../../src/proof/crypto/bls_key_gen.ts";
import { assertRefused } from "./bls_key_claims.ts";
import { R, scalarBytes } from "./bls_oracle.ts";

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

Deno.test("generateKey() agrees with the keys of EIP-2333", () => {
  for (const [seed, scalar] of EIP2333) {
    assert.equal(generated(Uint8Array.fromHex(seed)), scalar);
    assert.deepEqual(generateKey(Uint8Array.fromHex(seed)), scalarBytes(scalar));
  }
});

Deno.test("generateKey() agrees with an independent HKDF at every length from 32 to 200", () => {
  for (let length = 32; length <= 200; length++) {
    const keyMaterial = Uint8Array.from({ length }, (_, index) => index * length);
    assert.deepEqual(generateKey(keyMaterial), scalarBytes(generated(keyMaterial)));
  }
});

Deno.test("generateKey() agrees with an independent HKDF on random secrets", () => {
  fc.assert(fc.property(fc.uint8Array({ minLength: 32, maxLength: 300 }), (keyMaterial) => {
    const before = keyMaterial.slice();
    assert.deepEqual(generateKey(keyMaterial), scalarBytes(generated(keyMaterial)));
    assert.deepEqual(keyMaterial, before);
  }));
});

Deno.test("generateKey() refuses fewer than 32 secret bytes", () => {
  for (const length of [0, 1, 16, 31]) {
    assertRefused((keyMaterial) => generateKey(keyMaterial), new Uint8Array(length).fill(7));
  }
});

Deno.test("generateBlsSecret() gives another key each time", () => {
  assert.notDeepEqual(generateBlsSecret(), generateBlsSecret());
});
