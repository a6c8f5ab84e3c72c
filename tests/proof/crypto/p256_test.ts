import { p256 } from "@noble/curves/nist.js";
import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { p256PublicKey, signP256, verifyP256 } from "../../../src/proof/crypto/p256.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";

// RFC 6979 appendix A.2.5, with SHA-256.
const SECRET = Uint8Array.fromHex(
  "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721",
);
const PUBLIC_KEY = Uint8Array.fromHex(
  "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6" +
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299",
);
const SIGNATURE = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716" +
  "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8";
const MESSAGE = utf8("sample");
const DIGEST = portableKernels.sha256(MESSAGE);

const derOf = (compact: string) => p256.Signature.fromHex(compact, "compact").toBytes("der");

Deno.test("a key and a signature of RFC 6979 verify, also with the negated S", async () => {
  assert.deepEqual(await p256PublicKey(SECRET), PUBLIC_KEY);
  assert.equal(await verifyP256(PUBLIC_KEY, DIGEST, derOf(SIGNATURE)), true);
  const { r, s } = p256.Signature.fromHex(SIGNATURE, "compact");
  const other = new p256.Signature(r, p256.Point.Fn.neg(s)).toBytes("der");
  assert.equal(await verifyP256(PUBLIC_KEY, DIGEST, other), true);
});

Deno.test("another key, digest, signature or encoding does not verify", async () => {
  const der = derOf(SIGNATURE);
  const flipped = (bytes: Uint8Array, at: number) => bytes.with(at, bytes[at]! ^ 1);
  const other = await p256PublicKey(SECRET.with(0, 1));
  for (
    const [key, digest, signature] of [
      [other, DIGEST, der],
      [PUBLIC_KEY, flipped(DIGEST, 31), der],
      [PUBLIC_KEY, DIGEST, flipped(der, 20)],
      [PUBLIC_KEY, DIGEST, Uint8Array.fromHex(SIGNATURE)],
      [PUBLIC_KEY, DIGEST, Uint8Array.of(...der, 0)],
      [PUBLIC_KEY, DIGEST, new Uint8Array()],
      [flipped(PUBLIC_KEY, 40), DIGEST, der],
      [new Uint8Array(65), DIGEST, der],
      [p256.Point.fromBytes(PUBLIC_KEY).toBytes(true), DIGEST, der],
    ] as const
  ) assert.equal(await verifyP256(key, digest, signature), false);
});

Deno.test("signatures verify with WebCrypto over the message, and differ each time", async () => {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", PUBLIC_KEY, algorithm, false, ["verify"]);
  const signatures = await Promise.all([1, 2].map(() => signP256(SECRET, DIGEST)));
  for (const signature of signatures) {
    assert.equal(await verifyP256(PUBLIC_KEY, DIGEST, signature), true);
    const compact = p256.Signature.fromBytes(signature, "der").toBytes("compact").slice();
    assert.equal(await crypto.subtle.verify(algorithm, key, compact, MESSAGE), true);
  }
  assert.notDeepEqual(signatures[0], signatures[1]);
});
