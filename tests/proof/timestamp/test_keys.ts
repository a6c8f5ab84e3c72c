/**
 * Keys of a test authority, and signatures as certificates and tokens carry them.
 *
 * @module
 */

import { type Bytes, concat } from "../../../src/base/bytes.ts";
import { bits, explicit, integer, none, objectId, sequence } from "./der.ts";

export type TestHash = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";
export type TestKeyKind = "P-256" | "P-384" | "P-521" | "RSA" | "RSA-1024" | "RSA-PSS";

/** Something that signs. */
export interface TestKey {
  /** DER of SubjectPublicKeyInfo. */
  readonly spki: Bytes;
  /** DER of the AlgorithmIdentifier that certificates and tokens name. */
  readonly algorithm: Bytes;
  readonly hash: TestHash;
  sign(message: Bytes): Promise<Bytes>;
}

const HASH_OIDS: Readonly<Record<TestHash, string>> = {
  "SHA-1": "1.3.14.3.2.26",
  "SHA-256": "2.16.840.1.101.3.4.2.1",
  "SHA-384": "2.16.840.1.101.3.4.2.2",
  "SHA-512": "2.16.840.1.101.3.4.2.3",
};
const RSA_OIDS: Readonly<Record<TestHash, string>> = {
  "SHA-1": "1.2.840.113549.1.1.5",
  "SHA-256": "1.2.840.113549.1.1.11",
  "SHA-384": "1.2.840.113549.1.1.12",
  "SHA-512": "1.2.840.113549.1.1.13",
};
const ECDSA_OIDS: Readonly<Record<TestHash, string>> = {
  "SHA-1": "1.2.840.10045.4.1",
  "SHA-256": "1.2.840.10045.4.3.2",
  "SHA-384": "1.2.840.10045.4.3.3",
  "SHA-512": "1.2.840.10045.4.3.4",
};

/** DER of the AlgorithmIdentifier of a hash function. */
export function hashAlgorithm(hash: TestHash): Bytes {
  return sequence(objectId(HASH_OIDS[hash]), none());
}

/** RFC 4055 section 3.1. */
export function pssAlgorithm(
  hash: TestHash,
  maskHash: TestHash,
  saltLength: number,
  { mask = "1.2.840.113549.1.1.8", trailer }: { mask?: string; trailer?: number } = {},
): Bytes {
  const parameters = sequence(
    explicit(0, hashAlgorithm(hash)),
    explicit(1, sequence(objectId(mask), hashAlgorithm(maskHash))),
    explicit(2, integer(saltLength)),
    ...trailer === undefined ? [] : [explicit(3, integer(trailer))],
  );
  return sequence(objectId("1.2.840.113549.1.1.10"), parameters);
}

const made = new Map<string, Promise<TestKey>>();

/** The key of that kind and name: one for all tests of a process. */
export function testKey(
  kind: TestKeyKind,
  name = "",
  hash: TestHash = "SHA-256",
): Promise<TestKey> {
  const id = `${kind} ${name} ${hash}`;
  const found = made.get(id) ?? makeKey(kind, hash);
  made.set(id, found);
  return found;
}

async function makeKey(kind: TestKeyKind, hash: TestHash): Promise<TestKey> {
  const [parameters, algorithm] = parametersOf(kind, hash);
  const pair = await crypto.subtle.generateKey(parameters, true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  return {
    spki: new Uint8Array(await crypto.subtle.exportKey("spki", pair.publicKey)),
    algorithm,
    hash,
    async sign(message) {
      const how = { name: parameters.name, hash, saltLength: 32 };
      const signature = new Uint8Array(await crypto.subtle.sign(how, pair.privateKey, message));
      return kind.startsWith("P-") ? ecdsaSignature(signature) : signature;
    },
  };
}

function parametersOf(
  kind: TestKeyKind,
  hash: TestHash,
): readonly [RsaHashedKeyGenParams | EcKeyGenParams, Bytes] {
  const rsa = {
    modulusLength: kind === "RSA-1024" ? 1024 : 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash,
  };
  switch (kind) {
    case "RSA":
    case "RSA-1024":
      return [{ name: "RSASSA-PKCS1-v1_5", ...rsa }, sequence(objectId(RSA_OIDS[hash]), none())];
    case "RSA-PSS":
      return [{ name: "RSA-PSS", ...rsa }, pssAlgorithm(hash, hash, 32)];
    default:
      return [{ name: "ECDSA", namedCurve: kind }, sequence(objectId(ECDSA_OIDS[hash]))];
  }
}

/** Ecdsa-Sig-Value of r || s (RFC 3279 section 2.2.3). */
function ecdsaSignature(raw: Bytes): Bytes {
  const half = raw.length / 2;
  const numbers = [raw.subarray(0, half), raw.subarray(half)];
  return sequence(...numbers.map((number) => integer(BigInt(`0x${number.toHex()}`))));
}

/** `signed` with the algorithm of `key` and its signature, as a certificate is. */
export async function signedSequence(key: TestKey, signed: Bytes): Promise<Bytes> {
  return sequence(signed, key.algorithm, bits(concat(await key.sign(signed))));
}
