import assert from "node:assert/strict";
import { ADVERSARY_CLAIMS } from "./bls_adversary_claims.ts";
import { BATCH_CLAIMS } from "./bls_batch_claims.ts";
import { firstFailure } from "./bls_claim.ts";
import { KEY_CLAIMS } from "./bls_key_claims.ts";
import { POINT_CLAIMS } from "./bls_point_claims.ts";
import { RELATIVES } from "./bls_relatives.ts";
import { VERIFY_CLAIMS } from "./bls_verify_claims.ts";

/** The largest stride with which each fault is still detected. */
const STRIDE = 61;

/** The claims that detect each fault, by their first words; attacks first. */
const CAUGHT: Readonly<Record<string, RegExp>> = {
  signaturesOfAnyOrder: /^a signature with a point of small order/,
  keysOfAnyOrder: /^a key with a point of small order/,
  identitySignature: /^the identity is refused as signature/,
  identityKey: /^the identity is refused as key/,
  unreducedSignature: /^signatureValidate accepts exactly/,
  unreducedKey: /^keyValidate accepts exactly/,
  trailingSignature: /^signatureValidate accepts exactly/,
  equalCoefficients: /^batchVerify identifies two invalid checks that cancel/,
  countedCoefficients: /^batchVerify identifies two invalid checks that cancel/,
  oneTag: /^proofs of possession and signatures/,
  reducedSecret: /^0 and scalars from r on/,
  sharedResults: /^results do not change/,
  keysCountedOnce: /^a signer listed twice/,
};

const CLAIMS = [
  ...ADVERSARY_CLAIMS,
  ...KEY_CLAIMS,
  ...POINT_CLAIMS,
  ...BATCH_CLAIMS,
  ...VERIFY_CLAIMS,
];

for (const [name, bls] of Object.entries(RELATIVES)) {
  const expected = CAUGHT[name];
  if (expected === undefined) {
    Deno.test(`the attacks succeed against a ${name} BLS implementation`, () => {
      assert.equal(firstFailure(bls, ADVERSARY_CLAIMS, STRIDE), undefined);
    });
    continue;
  }
  Deno.test(`the suite detects the faulty BLS implementation ${name}`, () => {
    const claims = CLAIMS.filter((claim) => expected.test(claim.name));
    assert.equal(claims.length, 1);
    assert.equal(firstFailure(bls, claims, STRIDE), claims[0]!.name);
  });
}

Deno.test("every faulty implementation but the control has a fault", () => {
  assert.deepEqual(Object.keys(RELATIVES).filter((name) => !(name in CAUGHT)), ["strict"]);
});
