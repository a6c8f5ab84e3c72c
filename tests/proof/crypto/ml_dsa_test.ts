import assert from "node:assert/strict";
import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
import { hexOf } from "../../../src/base/bytes.ts";
import { sha256 } from "../../../src/proof/crypto/hashing.ts";
import { verifyMlDsa, verifyMlDsaPortable } from "../../../src/proof/crypto/ml_dsa.ts";
import { mlDsaPublicKey, MlDsaSigner } from "../../../src/proof/crypto/ml_dsa_signer.ts";
import vectors from "./ml_dsa_vectors.json" with { type: "json" };

const VERIFIERS = { WebCrypto: verifyMlDsa, noble: verifyMlDsaPortable } as const;

/** Runs `test` as in an engine whose WebCrypto lacks ML-DSA-44. */
async function withoutWebCrypto(test: () => Promise<void>): Promise<void> {
  const { importKey } = crypto.subtle;
  crypto.subtle.importKey = () => Promise.reject(new DOMException("", "NotSupportedError"));
  try {
    await test();
  } finally {
    crypto.subtle.importKey = importKey;
  }
}

Deno.test("this runtime has ML-DSA-44 in WebCrypto", async () => {
  const { publicKey } = await crypto.subtle.generateKey("ML-DSA-44", false, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  assert.equal(publicKey.algorithm.name, "ML-DSA-44");
});

for (const [name, verify] of Object.entries(VERIFIERS)) {
  Deno.test(`${name} decides Wycheproof's signatures as published`, async () => {
    let count = 0;
    for (const { publicKey, tests } of vectors.verify) {
      const key = Uint8Array.fromBase64(publicKey);
      for (const { tcId, comment, msg, sig, result } of tests) {
        const message = Uint8Array.fromHex(msg);
        const isValid = await verify(key, message, Uint8Array.fromBase64(sig));
        assert.equal(isValid, result === "valid", `${tcId}: ${comment}`);
        count++;
      }
    }
    assert.equal(count, 25);
  });

  Deno.test(`${name} accepts Wycheproof's deterministic signatures and no other message`, async () => {
    for (const { seed, msg } of vectors.sign.slice(0, 8)) {
      const { publicKey, secretKey } = ml_dsa44.keygen(Uint8Array.fromHex(seed));
      const message = Uint8Array.fromHex(msg);
      const signature = ml_dsa44.sign(message, secretKey, { extraEntropy: false });
      assert(await verify(publicKey, message, signature));
      assert(!await verify(publicKey, message.slice(1), signature));
    }
  });
}

Deno.test("keys and deterministic signatures equal those of Wycheproof", () => {
  for (const { tcId, seed, msg, publicKeySha256, sigSha256 } of vectors.sign) {
    const { publicKey, secretKey } = ml_dsa44.keygen(Uint8Array.fromHex(seed));
    assert.equal(hexOf(sha256(publicKey)), publicKeySha256, `${tcId}`);
    assert.deepEqual(mlDsaPublicKey(Uint8Array.fromHex(seed)), publicKey);
    const signature = ml_dsa44.sign(Uint8Array.fromHex(msg), secretKey, { extraEntropy: false });
    assert.equal(hexOf(sha256(signature)), sigSha256, `${tcId}`);
  }
});

Deno.test("ML-DSA-44 signatures verify with WebCrypto and noble, and with a flipped byte with neither", async () => {
  const seed = new Uint8Array(32).fill(7);
  const message = new TextEncoder().encode("a tree head");
  const check = async (verify: typeof verifyMlDsa | typeof verifyMlDsaPortable, step: number) => {
    const signer = await MlDsaSigner.of(seed);
    assert.deepEqual(signer.publicKey, mlDsaPublicKey(seed));
    const signature = await signer.sign(message);
    for (const each of Object.values(VERIFIERS)) {
      assert(await each(signer.publicKey, message, signature));
    }
    const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, bytes[at]! ^ 1);
    for (let at = 0; at < signature.length; at += step) {
      assert(!await verify(signer.publicKey, message, flipped(signature, at)), `signature ${at}`);
    }
    for (let at = 0; at < message.length; at++) {
      assert(!await verify(signer.publicKey, flipped(message, at), signature), `message ${at}`);
    }
    for (let at = 0; at < signer.publicKey.length; at += step) {
      assert(!await verify(flipped(signer.publicKey, at), message, signature), `key ${at}`);
    }
  };
  await check(verifyMlDsa, 1);
  await withoutWebCrypto(() => check(verifyMlDsaPortable, 61));
  assert.deepEqual(seed, new Uint8Array(32).fill(7));
});

Deno.test("without WebCrypto, verifyMlDsa() verifies by noble", async () => {
  await withoutWebCrypto(async () => {
    const signer = await MlDsaSigner.of(new Uint8Array(32).fill(9));
    const message = Uint8Array.of(1, 2, 3);
    const signature = await signer.sign(message);
    assert(await verifyMlDsa(signer.publicKey, message, signature));
    assert(!await verifyMlDsa(signer.publicKey, message, signature.with(0, signature[0]! ^ 1)));
  });
});

Deno.test("the caller may change its arrays while a signature is made or verified", async () => {
  const signer = await MlDsaSigner.of(new Uint8Array(32).fill(3));
  const message = Uint8Array.of(1, 2, 3);
  const signing = signer.sign(message);
  message[0] = 9;
  const signature = await signing;
  const signed = Uint8Array.of(1, 2, 3);
  const verifying = verifyMlDsa(signer.publicKey, signed, signature);
  signed[0] = 9;
  signature[0]! ^= 1;
  assert(await verifying);
});

Deno.test("seeds and keys of other lengths are refused", async () => {
  for (const length of [0, 31, 33]) {
    const refused = { code: "invalid_key" };
    assert.throws(() => mlDsaPublicKey(new Uint8Array(length)), refused);
    await assert.rejects(MlDsaSigner.of(new Uint8Array(length)), refused);
  }
  for (const verify of Object.values(VERIFIERS)) {
    assert(!await verify(new Uint8Array(1311), new Uint8Array(), new Uint8Array(2420)));
    assert(!await verify(new Uint8Array(1312), new Uint8Array(), new Uint8Array(2421)));
  }
});
