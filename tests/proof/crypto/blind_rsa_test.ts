import assert from "node:assert/strict";
import { constants, generateKeyPairSync, sign } from "node:crypto";
import { type Bytes, concat, utf8 } from "../../../src/base/bytes.ts";
import {
  BLIND_RSA_LENGTH,
  bytesOfInteger,
  integerOfBytes,
  readBlindRsaKey,
} from "../../../src/proof/crypto/blind_rsa.ts";
import { verifyBlindRsa } from "../../../src/proof/crypto/blind_rsa_native.ts";
import { blindMessage, unblindSignature } from "../../../src/proof/crypto/blind_rsa_client.ts";
import { BlindRsaSigner, generateBlindRsaKey } from "../../../src/proof/crypto/blind_rsa_signer.ts";
import { parseToken, tokenInputOf } from "../../../src/proof/format/privacy_pass.ts";
import { parseTokenRequest } from "../../../src/proof/format/token_issuance.ts";
import { PRIVATE_KEY, TYPE_2_VECTORS } from "../../gateway/tokens/published_vectors.ts";

const SPKI = Uint8Array.fromHex(TYPE_2_VECTORS.pkS);
const signer = new BlindRsaSigner(PRIVATE_KEY);
const key = readBlindRsaKey(SPKI);
const message = utf8("a message");

/** `bytes` with one bit of byte `index` flipped. */
function turned(bytes: Uint8Array, index: number): Bytes {
  const copy = bytes.slice();
  copy[index]! ^= 1;
  return copy;
}

Deno.test("vectors of RFC 9578 appendix A.2: blinding, blind signature, signature", () => {
  assert.equal(TYPE_2_VECTORS.vectors.length, 5);
  for (const vector of TYPE_2_VECTORS.vectors) {
    const token = parseToken(Uint8Array.fromHex(vector.token));
    const input = tokenInputOf(token);
    const { blinded, inverse } = blindMessage(key, input, {
      salt: Uint8Array.fromHex(vector.salt),
      blind: integerOfBytes(Uint8Array.fromHex(vector.blind)),
    });
    const request = parseTokenRequest(Uint8Array.fromHex(vector.token_request));
    assert.deepEqual(blinded, request.blindedMessage);
    assert.equal(signer.sign(blinded).toHex(), vector.token_response);
    const signature = unblindSignature(key, input, inverse, signer.sign(blinded));
    assert.deepEqual(signature, token.authenticator);
    assert.ok(verifyBlindRsa(key, input, signature));
  }
});

Deno.test("a signature over another message and invalid bytes are refused", () => {
  const { blinded, inverse } = blindMessage(key, message);
  const signature = unblindSignature(key, message, inverse, signer.sign(blinded));
  assert.ok(verifyBlindRsa(key, message, signature));
  assert.ok(!verifyBlindRsa(key, utf8("another"), signature));
  for (const index of [0, 1, 128, 254, 255]) {
    assert.ok(!verifyBlindRsa(key, message, turned(signature, index)), String(index));
  }
  assert.ok(!verifyBlindRsa(key, message, signature.subarray(1)));
  assert.ok(!verifyBlindRsa(key, message, concat(signature, Uint8Array.of(0))));
  assert.ok(!verifyBlindRsa(key, message, new Uint8Array(0)));
  assert.ok(!verifyBlindRsa(key, message, new Uint8Array(BLIND_RSA_LENGTH)));
});

Deno.test("only the canonical encoding of a signature is accepted", () => {
  // Some signatures plus the modulus still fit; each try has a new salt and thus a new signature.
  for (;;) {
    const { blinded, inverse } = blindMessage(key, message);
    const signature = unblindSignature(key, message, inverse, signer.sign(blinded));
    const above = integerOfBytes(signature) + key.modulus;
    if (above >= 1n << 2048n) continue;
    assert.ok(!verifyBlindRsa(key, message, bytesOfInteger(above)));
    return;
  }
});

Deno.test("a signature with a salt of another length is refused", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const modulus = Uint8Array.fromBase64(publicKey.export({ format: "jwk" }).n!, {
    alphabet: "base64url",
  });
  const own = readBlindRsaKey(concat(SPKI.subarray(0, -261), modulus, SPKI.subarray(-5)));
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  for (const saltLength of [0, 32, 47, 48, 49]) {
    const signature = sign("sha384", message, { key: privateKey, padding, saltLength });
    assert.equal(verifyBlindRsa(own, message, signature), saltLength === 48, String(saltLength));
  }
});

Deno.test("a key has one encoding, and every changed byte is detected", () => {
  assert.deepEqual(key.spki, SPKI);
  const modulusStart = SPKI.length - 261;
  for (let index = 0; index < SPKI.length; index++) {
    const isInModulus = index >= modulusStart && index < SPKI.length - 5;
    if (isInModulus && index > modulusStart && index < SPKI.length - 6) continue;
    const damaged = SPKI.slice();
    // The highest and lowest bits of the modulus are fixed too.
    damaged[index]! ^= index === modulusStart ? 0x80 : 1;
    assert.throws(() => readBlindRsaKey(damaged), { code: "invalid_key" }, String(index));
  }
  for (const other of [SPKI.subarray(1), concat(SPKI, Uint8Array.of(0)), new Uint8Array()]) {
    assert.throws(() => readBlindRsaKey(other), { code: "invalid_key" });
  }
});

Deno.test("a signer accepts only blinded messages below the modulus", () => {
  assert.equal(signer.sign(bytesOfInteger(0n)).toHex(), "00".repeat(BLIND_RSA_LENGTH));
  assert.equal(integerOfBytes(signer.sign(bytesOfInteger(1n))), 1n);
  assert.equal(integerOfBytes(signer.sign(bytesOfInteger(key.modulus - 1n))), key.modulus - 1n);
  for (
    const refused of [
      bytesOfInteger(key.modulus),
      bytesOfInteger((1n << 2048n) - 1n),
      new Uint8Array(BLIND_RSA_LENGTH - 1),
      new Uint8Array(BLIND_RSA_LENGTH + 1),
      new Uint8Array(),
    ]
  ) assert.throws(() => signer.sign(refused), { code: "token_request_refused" });
});

Deno.test("a client accepts only the blind signature over its message", () => {
  const { blinded, inverse } = blindMessage(key, message);
  const right = signer.sign(blinded);
  const wrong = [
    turned(right, 255),
    turned(right, 0),
    right.subarray(1),
    concat(right, Uint8Array.of(0)),
    new Uint8Array(BLIND_RSA_LENGTH),
    bytesOfInteger(key.modulus),
    signer.sign(blindMessage(key, message).blinded),
  ];
  for (const signature of wrong) {
    assert.throws(() => unblindSignature(key, message, inverse, signature), {
      code: "issuer_refused",
    });
  }
  assert.ok(unblindSignature(key, message, inverse, right));
});

Deno.test("a message blinded twice gives different requests and signatures", () => {
  const [one, other] = [blindMessage(key, message), blindMessage(key, message)];
  assert.notDeepEqual(one.blinded, other.blinded);
  const signatures = [one, other].map(({ blinded, inverse }) =>
    unblindSignature(key, message, inverse, signer.sign(blinded)).toHex()
  );
  assert.notEqual(signatures[0], signatures[1]);
});

Deno.test("a modulus that shares a factor with the blind is refused", () => {
  const even = { ...key, modulus: key.modulus - 1n };
  const choices = { salt: new Uint8Array(48), blind: 2n };
  assert.throws(() => blindMessage(even, message, choices), { code: "invalid_key" });
});

Deno.test("a private key is PKCS #8 of 2,048 bits with the exponent 65537", async () => {
  const made = new BlindRsaSigner(await generateBlindRsaKey());
  const { blinded, inverse } = blindMessage(made.publicKey, message);
  assert.ok(unblindSignature(made.publicKey, message, inverse, made.sign(blinded)));
  const der = (modulusLength: number, publicExponent: number) =>
    new Uint8Array(
      generateKeyPairSync("rsa", { modulusLength, publicExponent })
        .privateKey.export({ format: "der", type: "pkcs8" }),
    );
  const ed25519 = generateKeyPairSync("ed25519").privateKey;
  const others = [
    der(1024, 65_537),
    new Uint8Array(ed25519.export({ format: "der", type: "pkcs8" })),
    PRIVATE_KEY.subarray(1),
    concat(PRIVATE_KEY, Uint8Array.of(0)),
    new Uint8Array(),
    new Uint8Array(48).fill(1),
  ];
  for (const [i, other] of others.entries()) {
    assert.throws(() => new BlindRsaSigner(other), { code: "invalid_key" }, String(i));
  }
});
