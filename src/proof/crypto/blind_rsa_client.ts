/**
 * The client's part of RSABSSA-SHA384-PSS-Deterministic (RFC 9474 sections 4.2 and 4.4): blinds a
 * message, and unblinds the issuer's blind signature.
 *
 * Integers are `BigInt`, whose operations are not constant time. Timing could leak the blind, but no
 * private key is used here.
 *
 * @module
 */

import { sha384 as hashOf } from "@noble/hashes/sha2.js";
import { type Bytes, concat, equalBytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import {
  BLIND_RSA_LENGTH,
  BLIND_RSA_SALT_LENGTH,
  type BlindRsaKey,
  bytesOfInteger,
  integerOfBytes,
} from "./blind_rsa.ts";
import { inverseOf, publicPower, randomResidue } from "./blind_rsa_residues.ts";

/** A blinded message, and the secret that unblinds its signature. */
export interface BlindedMessage {
  /** {@linkcode BLIND_RSA_LENGTH} bytes. */
  readonly blinded: Bytes;
  /** The inverse of the blind. It links request and signature: never send it. */
  readonly inverse: bigint;
}

/** The random choices of {@linkcode blindMessage}. Only tests of published vectors pass them. */
export interface BlindingChoices {
  readonly salt: Uint8Array;
  /** In [1, modulus), and invertible. */
  readonly blind: bigint;
}

const HASH_LENGTH = 48;
/** Bytes of an encoded message before its hash: the masked padding and salt. */
const BLOCK_LENGTH = BLIND_RSA_LENGTH - HASH_LENGTH - 1;

function sha384(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(hashOf(concat(...parts)));
}

/** MGF1 with SHA-384 (RFC 8017 appendix B.2.1). */
function mask(seed: Uint8Array, length: number): Bytes {
  const blocks = [];
  for (let counter = 0; counter * HASH_LENGTH < length; counter++) {
    blocks.push(sha384(seed, Uint8Array.of(0, 0, 0, counter)));
  }
  return concat(...blocks).slice(0, length);
}

/** EMSA-PSS-ENCODE of `message` for a modulus of 2,048 bits (RFC 8017 section 9.1.1). */
function encodePss(message: Uint8Array, salt: Uint8Array): Bytes {
  const hash = sha384(new Uint8Array(8), sha384(message), salt);
  const block = new Uint8Array(BLOCK_LENGTH);
  block[block.length - salt.length - 1] = 0x01;
  block.set(salt, block.length - salt.length);
  const masked = mask(hash, block.length).map((byte, index) => byte ^ block[index]!);
  // One bit shorter than the modulus.
  masked[0]! &= 0x7f;
  return concat(masked, hash, Uint8Array.of(0xbc));
}

/** True if `integer`, below the modulus, is a signature over `message` (section 9.1.2). */
function isSignature({ modulus }: BlindRsaKey, message: Uint8Array, integer: bigint): boolean {
  const encoded = bytesOfInteger(publicPower(integer, modulus));
  const hash = encoded.subarray(BLOCK_LENGTH, BLOCK_LENGTH + HASH_LENGTH);
  const block = mask(hash, BLOCK_LENGTH).map((byte, index) => byte ^ encoded[index]!);
  // Only one encoded message has this salt.
  return equalBytes(encoded, encodePss(message, block.subarray(-BLIND_RSA_SALT_LENGTH)));
}

function chooseBlinding(modulus: bigint): BlindingChoices {
  return {
    salt: crypto.getRandomValues(new Uint8Array(BLIND_RSA_SALT_LENGTH)),
    blind: randomResidue(modulus),
  };
}

/** Blinds `message` for `key` (RFC 9474 section 4.2); `invalid_key`. */
export function blindMessage(
  key: BlindRsaKey,
  message: Uint8Array,
  choices: BlindingChoices = chooseBlinding(key.modulus),
): BlindedMessage {
  const { modulus } = key;
  const encoded = integerOfBytes(encodePss(message, choices.salt));
  const inverse = inverseOf(choices.blind, modulus);
  if (inverse === undefined || inverseOf(encoded, modulus) === undefined) {
    throw new CountersignError(
      "invalid_key",
      "Cannot blind message: the modulus has small factors",
    );
  }
  const blinded = encoded * publicPower(choices.blind, modulus) % modulus;
  return { blinded: bytesOfInteger(blinded), inverse };
}

/**
 * Unblinds the signature over `message` and verifies it (RFC 9474 section 4.4); `issuer_refused`.
 */
export function unblindSignature(
  key: BlindRsaKey,
  message: Uint8Array,
  inverse: bigint,
  blindSignature: Uint8Array,
): Bytes {
  const integer = blindSignature.length === BLIND_RSA_LENGTH
    ? integerOfBytes(blindSignature)
    : key.modulus;
  const signature = integer * inverse % key.modulus;
  if (integer >= key.modulus || !isSignature(key, message, signature)) {
    throw new CountersignError(
      "issuer_refused",
      "Cannot unblind signature: it is not by the issuer's key",
    );
  }
  return bytesOfInteger(signature);
}
