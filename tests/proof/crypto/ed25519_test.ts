import { ed25519, ED25519_TORSION_SUBGROUP } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js";
import { sha512 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import assert from "node:assert/strict";
import { concat } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import {
  bestVerify,
  followsRule,
  verifyPortable,
  verifyWebCrypto,
} from "../../../src/proof/crypto/ed25519.ts";
import { screenPublicKey } from "../../../src/proof/crypto/ed25519_key.ts";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { isAdmissible, isCanonicalEncoding } from "../../../src/proof/crypto/ed25519_rule.ts";
import { PATHS, RELATIVES, type Signed } from "./ed25519_paths.ts";
import { RFC8032_VECTORS } from "./rfc8032_vectors.ts";

const { Point } = ed25519;
const ORDER = Point.Fn.ORDER;
const PRIME = Point.Fp.ORDER;
const TORSION = Point.fromHex(ED25519_TORSION_SUBGROUP[1]!);

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const messages = fc.uint8Array({ maxLength: 300 });

/** An encoding of y below 2^255 and the sign bit. */
function encoding(y: bigint, sign: boolean): Uint8Array {
  return numberToBytesLE(y + (sign ? 2n ** 255n : 0n), 32);
}

async function verdicts(signed: Signed): Promise<Record<string, boolean>> {
  const answers: Record<string, boolean> = {};
  for (const [name, verify] of Object.entries(PATHS)) answers[name] = await verify(...signed);
  return answers;
}

async function assertVerdict(signed: Signed, verdict: boolean): Promise<void> {
  assert.deepEqual(await verdicts(signed), {
    native: verdict,
    webcrypto: verdict,
    portable: verdict,
  });
}

function refusesKey(publicKey: Uint8Array): void {
  assert.throws(() => screenPublicKey(publicKey), (error) => hasCode(error, "invalid_key"));
}

for (const { name, publicKey, message, r, s } of RFC8032_VECTORS) {
  Deno.test(`every path accepts RFC 8032 ${name}, and refuses other values of S`, async () => {
    const key = Uint8Array.fromHex(publicKey);
    const text = Uint8Array.fromHex(message);
    const scalar = bytesToNumberLE(Uint8Array.fromHex(s));
    await assertVerdict([key, text, Uint8Array.fromHex(r + s)], true);
    for (const other of [0n, scalar - 1n, scalar + 1n, ORDER - 1n, ORDER, scalar + ORDER]) {
      const signature = concat(Uint8Array.fromHex(r), numberToBytesLE(other, 32));
      await assertVerdict([key, text, signature], false);
    }
  });
}

Deno.test("every path returns false for wrong lengths and points off the curve", async () => {
  const { publicKey, r, s } = RFC8032_VECTORS[0]!;
  const key = Uint8Array.fromHex(publicKey);
  const signature = Uint8Array.fromHex(r + s);
  const empty = new Uint8Array();
  for (const length of [0, 31, 33]) {
    await assertVerdict([concat(key, empty, key).slice(0, length), empty, signature], false);
  }
  for (const length of [0, 32, 63, 65]) {
    await assertVerdict([key, empty, concat(signature, key).slice(0, length)], false);
  }
  // y = 2 has no x on the curve.
  await assertVerdict([encoding(2n, false), empty, signature], false);
});

Deno.test("every path accepts signatures and refuses any flipped bit", async () => {
  await fc.assert(
    fc.asyncProperty(seeds, messages, fc.nat(), async (seed, message, position) => {
      const signer = new Ed25519Signer(seed);
      const signature = signer.sign(message);
      await assertVerdict([signer.publicKey, message, signature], true);
      const whole = concat(signer.publicKey, signature, message);
      const bit = position % (whole.length * 8);
      const byte = Math.floor(bit / 8);
      whole[byte] = whole[byte]! ^ (1 << (bit % 8));
      await assertVerdict(
        [whole.subarray(0, 32), whole.subarray(96), whole.subarray(32, 96)],
        false,
      );
    }),
    { numRuns: 60 },
  );
});

/**
 * Points with chosen torsion and scalars: A = aB + iT, R = rB + jT, S = r + ka + lL. The rule
 * accepts when S is bounded, the torsion of R + [k]A cancels, and R is not the identity.
 */
Deno.test("every path follows the equation on mixed-order points", async () => {
  const scalars = fc.oneof(
    fc.constantFrom(0n, 1n, ORDER - 1n),
    fc.bigInt({ min: 0n, max: ORDER - 1n }),
  );
  const residue = fc.integer({ min: 0, max: 7 });
  const overflow = fc.constantFrom(0n, 0n, 0n, 1n);
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(scalars, scalars, residue, residue, overflow, async (a, r, i, j, l) => {
      const torsion = (index: number) => TORSION.multiplyUnsafe(BigInt(index));
      const keyBytes = Point.BASE.multiplyUnsafe(a).add(torsion(i)).toBytes();
      const rPoint = Point.BASE.multiplyUnsafe(r).add(torsion(j));
      const message = numberToBytesLE(a, 32);
      const hash = sha512(concat(rPoint.toBytes(), keyBytes, message));
      const k = Point.Fn.create(bytesToNumberLE(hash));
      const s = Point.Fn.create(r + k * a) + l * ORDER;
      const verdict = l === 0n && !rPoint.is0() && (BigInt(j) + k * BigInt(i)) % 8n === 0n;
      if (verdict) accepted++;
      const signature = concat(rPoint.toBytes(), numberToBytesLE(s, 32));
      await assertVerdict([keyBytes, message, signature], verdict);
    }),
    { numRuns: 200 },
  );
  assert.ok(accepted > 0);
});

Deno.test("isCanonicalEncoding() refuses every y >= p and both negative zeros", () => {
  for (const sign of [false, true]) {
    for (let y = PRIME; y < 2n ** 255n; y++) {
      assert.equal(isCanonicalEncoding(encoding(y, sign)), false, `${y} ${sign}`);
    }
    for (const y of [0n, 2n, 18n, PRIME - 2n, 2n ** 254n, 2n ** 255n - 257n]) {
      assert.equal(isCanonicalEncoding(encoding(y, sign)), true, `${y} ${sign}`);
    }
    for (const y of [1n, PRIME - 1n]) assert.equal(isCanonicalEncoding(encoding(y, sign)), !sign);
  }
});

Deno.test("isAdmissible() refuses a key that is not canonical, which engines may reduce", () => {
  const { publicKey, r, s } = RFC8032_VECTORS[0]!;
  const signature = Uint8Array.fromHex(r + s);
  assert.ok(isAdmissible(Uint8Array.fromHex(publicKey), signature));
  assert.ok(isAdmissible(encoding(3n, false), signature));
  assert.equal(isAdmissible(encoding(3n + PRIME, false), signature), false);
});

Deno.test("screenPublicKey() accepts keys and refuses other lengths", () => {
  for (const { publicKey } of RFC8032_VECTORS) {
    const key = Uint8Array.fromHex(publicKey);
    screenPublicKey(key);
    refusesKey(key.subarray(0, 31));
    refusesKey(concat(key, Uint8Array.of(0)));
  }
  refusesKey(new Uint8Array());
});

Deno.test("screenPublicKey() refuses small and mixed order", () => {
  const key = Point.fromHex(RFC8032_VECTORS[0]!.publicKey);
  const small = new Set<string>();
  for (let index = 0n; index < 8n; index++) {
    const torsion = TORSION.multiplyUnsafe(index);
    small.add(torsion.toHex());
    refusesKey(torsion.toBytes());
    if (index > 0n) refusesKey(key.add(torsion).toBytes());
  }
  assert.equal(small.size, 8);
});

Deno.test("screenPublicKey() refuses non-canonical encodings and points off the curve", () => {
  const refusedOffCurve = [];
  for (const sign of [false, true]) {
    for (let y = PRIME; y < 2n ** 255n; y++) refusesKey(encoding(y, sign));
    for (const y of [1n, PRIME - 1n]) refusesKey(encoding(y, sign));
    for (let y = 2n; y < 20n; y++) {
      if (Point.Fp.isValid(y) && !isOnCurve(y)) refusedOffCurve.push(encoding(y, sign));
    }
  }
  assert.ok(refusedOffCurve.length > 0);
  for (const key of refusedOffCurve) refusesKey(key);
});

/** True when x^2 = (y^2 - 1) / (d y^2 + 1) has a root (RFC 8032 section 5.1.3), by Euler. */
function isOnCurve(y: bigint): boolean {
  const { Fp } = Point;
  const d = Fp.div(Fp.neg(121665n), 121666n);
  const square = Fp.div(Fp.sub(Fp.sqr(y), 1n), Fp.add(Fp.mul(d, Fp.sqr(y)), 1n));
  return Fp.pow(square, (PRIME - 1n) / 2n) !== PRIME - 1n;
}

Deno.test("followsRule() is true for every path and false for similar rules", async () => {
  for (const [name, verify] of Object.entries(PATHS)) assert.ok(await followsRule(verify), name);
  for (const [name, verify] of Object.entries(RELATIVES)) {
    assert.equal(await followsRule(verify), false, name);
  }
  assert.equal(await followsRule(() => true), false);
  assert.equal(await followsRule(() => false), false);
});

Deno.test("bestVerify() uses WebCrypto if the engine follows the rule", async () => {
  assert.equal(await bestVerify(), verifyWebCrypto);
});

Deno.test("bestVerify() uses portable code if the engine has another rule", async () => {
  const { subtle } = crypto;
  const key = Uint8Array.fromHex(RFC8032_VECTORS[1]!.publicKey);
  try {
    Object.defineProperty(subtle, "verify", {
      configurable: true,
      value: (_name: string, _key: CryptoKey, signature: Uint8Array, message: Uint8Array) =>
        Promise.resolve(RELATIVES.zip215(key, message, signature)),
    });
    assert.equal(await bestVerify(), verifyPortable);
  } finally {
    Reflect.deleteProperty(subtle, "verify");
  }
  assert.equal(await bestVerify(), verifyWebCrypto);
});

Deno.test("bestVerify() uses portable code if there is no WebCrypto", async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, "crypto")!;
  try {
    Object.defineProperty(globalThis, "crypto", { configurable: true, value: {} });
    assert.equal(await bestVerify(), verifyPortable);
  } finally {
    Object.defineProperty(globalThis, "crypto", own);
  }
  assert.equal(await bestVerify(), verifyWebCrypto);
});

Deno.test("verifyWebCrypto() copies its arguments", async () => {
  const signer = new Ed25519Signer(crypto.getRandomValues(new Uint8Array(32)));
  const message = Uint8Array.of(1, 2, 3);
  const signature = signer.sign(message);
  const key = signer.publicKey.slice();
  const answer = verifyWebCrypto(key, message, signature);
  for (const part of [key, message, signature]) part.fill(0xff);
  assert.ok(await answer);
  assert.equal(await verifyWebCrypto(key, message, signature), false);
});
