/**
 * The three implementations of the Ed25519 rule, and similar rules that the tests must distinguish
 * from it.
 *
 * @module
 */

import { ed25519 } from "@noble/curves/ed25519.js";
import { bytesToNumberLE, numberToBytesLE } from "@noble/curves/utils.js";
import { Buffer } from "node:buffer";
import { createPublicKey, verify } from "node:crypto";
import { concat } from "../../../src/base/bytes.ts";
import { verifyPortable, verifyWebCrypto } from "../../../src/proof/crypto/ed25519.ts";
import { verifyNative } from "../../../src/proof/crypto/ed25519_native.ts";
import type { Ed25519Verify } from "../../../src/proof/crypto/ed25519_rule.ts";

/** Public key, message, signature. */
export type Signed = readonly [Uint8Array, Uint8Array, Uint8Array];

/** Every path, by name. */
export const PATHS: Readonly<Record<string, Ed25519Verify>> = {
  native: verifyNative,
  webcrypto: verifyWebCrypto,
  portable: verifyPortable,
};

/** Similar rules that accept another set. The vectors and the self-test must detect each. */
export const RELATIVES = {
  /** ZIP 215: cofactored, lenient about encodings. */
  zip215: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    nobleVerify(key, message, signature, true),
  /** Noble's other mode: cofactored, strict about encodings and small order. */
  cofactored: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    nobleVerify(key, message, signature, false),
  /** Ours without the bound on S. */
  unboundedScalar: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    verifyPortable(key, message, withReducedScalar(signature)),
  /** The engine's own rule: ours without the rule about the identity as R. */
  identityAdmitted: (key: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    engineVerify(key, message, signature),
} satisfies Record<string, Ed25519Verify>;

function nobleVerify(
  key: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
  zip215: boolean,
): boolean {
  return signature.length === 64 && ed25519.verify(signature, message, key, { zip215 });
}

function withReducedScalar(signature: Uint8Array): Uint8Array {
  if (signature.length !== 64) return signature;
  const s = ed25519.Point.Fn.create(bytesToNumberLE(signature.subarray(32)));
  return concat(signature.subarray(0, 32), numberToBytesLE(s, 32));
}

function engineVerify(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.from(concat(Uint8Array.fromHex("302a300506032b6570032100"), key));
  try {
    const imported = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, message, imported, signature);
  } catch {
    return false;
  }
}

/** Indices of the `cases` that `verify` accepts. */
export async function acceptedBy(
  verify: Ed25519Verify,
  cases: readonly Signed[],
): Promise<number[]> {
  const accepted = [];
  for (const [index, signed] of cases.entries()) {
    if (await verify(...signed)) accepted.push(index);
  }
  return accepted;
}
