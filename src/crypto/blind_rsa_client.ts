/**
 * The client's half of RSABSSA-SHA384-PSS-Deterministic (RFC 9474 sections 4.2 and 4.4): a message is
 * blinded, its blind signature is made by somebody else, and unblinding that gives the signature.
 *
 * Integers are `BigInt`, whose operations take a time that depends on their values. What that could
 * tell is the blind, and only to whoever times this process; nothing here uses a private key.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { type Bytes, concat } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import {
  BLIND_RSA_EXPONENT,
  BLIND_RSA_LENGTH,
  BLIND_RSA_SALT_LENGTH,
  type BlindRsaKey,
  bytesOfInteger,
  integerOfBytes,
  verifyBlindRsa,
} from "./blind_rsa.ts";
import { inverseOf, power, randomResidue } from "./blind_rsa_residues.ts";

/** A message on its way: what is sent, and the secret that turns the answer into a signature. */
export interface BlindedMessage {
  /** {@linkcode BLIND_RSA_LENGTH} bytes. */
  readonly blinded: Bytes;
  /** The inverse of the blind. Links the answer to the signature: never leaves the client. */
  readonly inverse: bigint;
}

/** What {@linkcode blindMessage} draws at random; given by tests of published vectors alone. */
export interface BlindingChoices {
  readonly salt: Uint8Array;
  /** In [1, modulus), and invertible. */
  readonly blind: bigint;
}

const HASH_LENGTH = 48;

function sha384(...parts: readonly Uint8Array[]): Bytes {
  const hash = createHash("sha384");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
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
  const block = new Uint8Array(BLIND_RSA_LENGTH - HASH_LENGTH - 1);
  block[block.length - salt.length - 1] = 0x01;
  block.set(salt, block.length - salt.length);
  const masked = mask(hash, block.length).map((byte, index) => byte ^ block[index]!);
  // One bit less than the modulus has, so that what is encoded is below it.
  masked[0]! &= 0x7f;
  return concat(masked, hash, Uint8Array.of(0xbc));
}

function chooseBlinding(modulus: bigint): BlindingChoices {
  return {
    salt: crypto.getRandomValues(new Uint8Array(BLIND_RSA_SALT_LENGTH)),
    blind: randomResidue(modulus),
  };
}

/** Blinds `message` for the holder of `key` (RFC 9474 section 4.2). `invalid_key` as is told there. */
export function blindMessage(
  key: BlindRsaKey,
  message: Uint8Array,
  choices: BlindingChoices = chooseBlinding(key.modulus),
): BlindedMessage {
  const { modulus } = key;
  const encoded = integerOfBytes(encodePss(message, choices.salt));
  const inverse = inverseOf(choices.blind, modulus);
  if (inverse === undefined || inverseOf(encoded, modulus) === undefined) {
    // As likely as to guess a factor of the modulus, unless it is no product of two large primes.
    throw new CountersignError(
      "invalid_key",
      "Cannot blind message: a modulus without small factors required, found one with",
    );
  }
  const blinded = encoded * power(choices.blind, BLIND_RSA_EXPONENT, modulus) % modulus;
  return { blinded: bytesOfInteger(blinded), inverse };
}

/**
 * The signature over `message` that the blind signature hides (RFC 9474 section 4.4), verified;
 * `issuer_refused` when it does not verify, or is no blind signature at all.
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
  const signature = bytesOfInteger(integer * inverse % key.modulus);
  if (integer >= key.modulus || !verifyBlindRsa(key, message, signature)) {
    throw new CountersignError(
      "issuer_refused",
      "Cannot unblind signature: a blind signature under the issuer's key required, found another",
    );
  }
  return signature;
}
