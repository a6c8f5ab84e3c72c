import fc from "fast-check";
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { concat, hexOf } from "../../../src/base/bytes.ts";
import {
  Ed25519Signer,
  generateSeed,
  verifyNative,
} from "../../../src/proof/crypto/ed25519_native.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { RFC8032_VECTORS } from "./rfc8032_vectors.ts";

for (const { name, seed, publicKey, message, r, s } of RFC8032_VECTORS) {
  Deno.test(`Ed25519Signer makes the key and signature of RFC 8032 ${name}`, () => {
    const signer = new Ed25519Signer(Uint8Array.fromHex(seed));
    assert.equal(hexOf(signer.publicKey), publicKey);
    assert.equal(hexOf(signer.sign(Uint8Array.fromHex(message))), r + s);
  });
}

Deno.test("Ed25519Signer returns plain bytes that own their buffer", () => {
  const signer = new Ed25519Signer(generateSeed());
  for (const [bytes, length] of [[signer.publicKey, 32], [signer.sign(signer.publicKey), 64]]) {
    assert.equal(Object.getPrototypeOf(bytes), Uint8Array.prototype);
    assert.equal((bytes as Uint8Array).buffer.byteLength, length);
  }
});

Deno.test("Ed25519Signer refuses a seed of another length", () => {
  for (const length of [0, 31, 33, 64]) {
    assert.throws(
      () => new Ed25519Signer(new Uint8Array(length)),
      (error) => hasCode(error, "invalid_key"),
    );
  }
});

Deno.test("Ed25519Signer neither keeps nor changes the caller's seed", () => {
  const seed = generateSeed();
  const before = seed.slice();
  const signer = new Ed25519Signer(seed);
  assert.deepEqual(seed, before);
  const signature = signer.sign(seed);
  seed.fill(0);
  assert.ok(verifyNative(signer.publicKey, before, signature));
  assert.deepEqual(signer.sign(before), signature);
});

Deno.test("no string form of an Ed25519Signer contains its key", () => {
  const seed = generateSeed();
  const signer = new Ed25519Signer(seed);
  const renderings = [
    String(signer),
    JSON.stringify(signer),
    Deno.inspect(signer, { depth: 9, showHidden: true, iterableLimit: 1000 }),
    inspect(signer, { depth: 9, showHidden: true, maxArrayLength: 1000 }),
    JSON.stringify(structuredClone(signer)),
  ].map((text) => text.replaceAll(/\s+/g, ""));
  const spellings = [
    hexOf(seed),
    seed.toBase64(),
    seed.toBase64({ alphabet: "base64url", omitPadding: true }),
    [...seed].join(","),
    JSON.stringify(seed).slice(1, -1),
  ];
  for (const text of renderings) {
    for (const spelling of spellings) assert.ok(!text.includes(spelling));
  }
  // Control: the same search finds the public key.
  assert.ok(renderings.some((text) => text.includes([...signer.publicKey].join(","))));
});

Deno.test("generateSeed() returns 32 bytes, different each time", () => {
  const seeds = new Set(Array.from({ length: 100 }, () => hexOf(generateSeed())));
  assert.equal(seeds.size, 100);
  assert.equal(generateSeed().length, 32);
});

Deno.test("verifyNative() distinguishes keys with any cache contents", () => {
  const signers = Array.from({ length: 1100 }, () => new Ed25519Signer(generateSeed()));
  const message = concat(signers[0]!.publicKey);
  const signatures = signers.map((signer) => signer.sign(message));
  for (const [index, signer] of signers.entries()) {
    assert.ok(verifyNative(signer.publicKey, message, signatures[index]!));
  }
  fc.assert(
    fc.property(fc.nat(1099), fc.nat(1099), (key, signature) => {
      const verdict = verifyNative(signers[key]!.publicKey, message, signatures[signature]!);
      assert.equal(verdict, key === signature);
    }),
    { examples: [[0, 0], [1099, 1099], [0, 1099]] },
  );
});
