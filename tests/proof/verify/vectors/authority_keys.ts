/**
 * Keys of time-stamp authorities for the vectors, whose signatures are the same in every run: WebCrypto
 * makes neither keys from a name nor ECDSA and PSS signatures without random numbers.
 *
 * @module
 */

import { p256, p384, p521 } from "@noble/curves/nist.js";
import { createHash } from "node:crypto";
import { type Bytes, concat, utf8 } from "../../../../src/base/bytes.ts";
import * as der from "../../timestamp/der.ts";
import {
  hashAlgorithm,
  pssAlgorithm,
  type TestHash,
  type TestKey,
} from "../../timestamp/test_keys.ts";
import { signerOf } from "../test_network.ts";

const CURVES = {
  "P-256": { curve: p256, id: "1.2.840.10045.3.1.7" },
  "P-384": { curve: p384, id: "1.3.132.0.34" },
  "P-521": { curve: p521, id: "1.3.132.0.35" },
} as const;
const ECDSA_WITH: Readonly<Record<TestHash, string>> = {
  "SHA-1": "1.2.840.10045.4.1",
  "SHA-256": "1.2.840.10045.4.3.2",
  "SHA-384": "1.2.840.10045.4.3.3",
  "SHA-512": "1.2.840.10045.4.3.4",
};
const RSA_WITH: Readonly<Record<TestHash, string>> = {
  "SHA-1": "1.2.840.113549.1.1.5",
  "SHA-256": "1.2.840.113549.1.1.11",
  "SHA-384": "1.2.840.113549.1.1.12",
  "SHA-512": "1.2.840.113549.1.1.13",
};

export function digest(hash: TestHash, ...parts: readonly Uint8Array[]): Bytes {
  const found = createHash(hash.replace("-", ""));
  for (const part of parts) found.update(part);
  return new Uint8Array(found.digest());
}

/** An ECDSA key whose secret is made from `name`. */
export function ecKey(
  kind: keyof typeof CURVES,
  name: string,
  hash: TestHash = "SHA-256",
): TestKey {
  const { curve, id } = CURVES[kind];
  const seed = concat(digest("SHA-512", utf8(name)), digest("SHA-512", utf8(`${name}, more`)));
  const secret = curve.utils.randomSecretKey(seed.subarray(0, curve.lengths.seed!));
  const algorithm = der.sequence(der.objectId("1.2.840.10045.2.1"), der.objectId(id));
  const options = { lowS: false, prehash: false, format: "der" } as const;
  return {
    spki: der.sequence(algorithm, der.bits(new Uint8Array(curve.getPublicKey(secret, false)))),
    algorithm: der.sequence(der.objectId(ECDSA_WITH[hash])),
    hash,
    sign: (message) =>
      Promise.resolve(new Uint8Array(curve.sign(digest(hash, message), secret, options))),
  };
}

/** Verifiers refuse it, though the algorithm could sign tokens (RFC 8419). */
export function ed25519Key(name: string): TestKey {
  const algorithm = der.sequence(der.objectId("1.3.101.112"));
  const signer = signerOf(name);
  return {
    spki: der.sequence(algorithm, der.bits(signer.publicKey)),
    algorithm,
    hash: "SHA-512",
    sign: (message) => Promise.resolve(signer.sign(message)),
  };
}

/** The primes of one key of each size, in hex. */
const PRIMES = {
  2048: [
    "f8be584636cbafa53472a3786d7e0dae6c4fdfca59a4e74cc8f31005d3db0ed00e652cbd899999d629f89701" +
    "7a3ae57e6e56fe95ef01b560356bf446d1b52f83dbfa58ff923e569af42ad47b0ae235474da236610f959380" +
    "999d89b8594fe30781d01ff4498322a1eb3531907e486c91bd7748080d1c022b4574e1a95e7bdff1",
    "c32378f230f9c3ae37738e7ddc63f81ff4daef8a08434daa33e3b225aa2825a135182ffa0d5d601fb119e369" +
    "c37bc3340fbae5f1200141d2823267fffb13132ea52bb15afe248dfc23cec4e13860a6266efb8418c2fed902" +
    "212571a0e7a42b6bcdde7a105e805b16580e308514abeb610a928338f332b2dba269642c4a6d525b",
  ],
  1024: [
    "f14c4827cd85001acbf141aac2851d3716e2b4c082c597d8a6bbc4e55286205f753b1500ba9d2bf0781d2229" +
    "4cfd7419cbe2dc118d542fa98416d6c89bc1a825",
    "d0fd310e029641a2a8fa4d80b87222224212a3bcdba7d5a820cd6d1146d03f3beeb7547bee96351b81aaf4da" +
    "7335864c05fe7673d00d7b5add5590261f5ee049",
  ],
} as const;
const EXPONENT = 65_537n;

interface RsaParts {
  readonly modulus: bigint;
  readonly secret: bigint;
  /** Bytes of the modulus. */
  readonly size: number;
}

function rsaParts(bits: keyof typeof PRIMES): RsaParts {
  const [p, q] = PRIMES[bits].map((digits) => BigInt(`0x${digits}`)) as [bigint, bigint];
  return {
    modulus: p * q,
    secret: inverse(EXPONENT, (p - 1n) * (q - 1n)),
    size: bits / 8,
  };
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value, modulus, 1n, 0n];
  while (b > 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return (x + modulus) % modulus;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = result * result % modulus;
    if (bit === "1") result = result * base % modulus;
  }
  return result;
}

/** RFC 8017 section 9.2. */
function pkcs1Encoding(message: Bytes, hash: TestHash, { size }: RsaParts): Bytes {
  const info = der.sequence(hashAlgorithm(hash), der.octets(digest(hash, message)));
  const padding = new Uint8Array(size - info.length - 3).fill(0xff);
  return concat(Uint8Array.of(0, 1), padding, Uint8Array.of(0), info);
}

/** RFC 8017 section 9.1.1, with a salt of zeros. */
function pssEncoding(
  message: Bytes,
  hash: TestHash,
  { size }: RsaParts,
  saltLength: number,
): Bytes {
  const salt = new Uint8Array(saltLength);
  const check = digest(hash, new Uint8Array(8), digest(hash, message), salt);
  const length = size - check.length - 1;
  const block = concat(new Uint8Array(length - saltLength - 1), Uint8Array.of(1), salt);
  const blocks = Array.from(
    { length: Math.ceil(length / check.length) },
    (_, i) => digest(hash, check, Uint8Array.of(0, 0, 0, i)),
  );
  const mask = concat(...blocks);
  const masked = block.map((octet, i) => octet ^ mask[i]!);
  masked[0]! &= 0x7f;
  return concat(masked, check, Uint8Array.of(0xbc));
}

export function rsaKey(
  scheme: "RSA" | "RSA-PSS",
  hash: TestHash = "SHA-256",
  bits: keyof typeof PRIMES = 2048,
  saltLength = 32,
): TestKey {
  const parts = rsaParts(bits);
  const { modulus, secret, size } = parts;
  const algorithm = der.sequence(der.objectId("1.2.840.113549.1.1.1"), der.none());
  const key = der.sequence(der.integer(modulus), der.integer(EXPONENT));
  return {
    spki: der.sequence(algorithm, der.bits(key)),
    algorithm: scheme === "RSA"
      ? der.sequence(der.objectId(RSA_WITH[hash]), der.none())
      : pssAlgorithm(hash, hash, saltLength),
    hash,
    sign(message) {
      const encode = scheme === "RSA" ? pkcs1Encoding : pssEncoding;
      const number = BigInt(`0x${encode(message, hash, parts, saltLength).toHex()}`);
      const digits = power(number, secret, modulus).toString(16).padStart(2 * size, "0");
      return Promise.resolve(Uint8Array.fromHex(digits));
    },
  };
}
