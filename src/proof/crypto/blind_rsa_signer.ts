/**
 * The signer's part of RSABSSA-SHA384-PSS-Deterministic (RFC 9474 section 4.3). Only `node:crypto`
 * uses the private key, since `BigInt` is not constant time, and only on masked messages, since
 * clients choose them (RFC 9474, "Timing Side Channels and Fault Attacks").
 *
 * @module
 */

import { Buffer } from "node:buffer";
import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from "node:crypto";
import { type Bytes, bytesOfBase64Url, equalBytes } from "../../base/bytes.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import {
  BLIND_RSA_EXPONENT,
  BLIND_RSA_LENGTH,
  type BlindRsaKey,
  blindRsaKeyOf,
  bytesOfInteger,
  integerOfBytes,
} from "./blind_rsa.ts";
import { nativeKeyOf } from "./blind_rsa_native.ts";
import { inverseOf, publicPower, randomResidue } from "./blind_rsa_residues.ts";

const PADDING = constants.RSA_NO_PADDING;
const invalid = errorBuilder("invalid_key", "Cannot use blind RSA private key");

/** A new private key of 2,048 bits: PKCS #8, DER (RFC 5958). */
export function generateBlindRsaKey(): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    const shape = {
      modulusLength: 8 * BLIND_RSA_LENGTH,
      publicExponent: Number(BLIND_RSA_EXPONENT),
    };
    generateKeyPair("rsa", shape, (error, _, privateKey) => {
      if (error === null) resolve(encoded(privateKey));
      else reject(error);
    });
  });
}

function encoded(key: KeyObject): Bytes {
  return new Uint8Array(key.export({ format: "der", type: "pkcs8" }));
}

/** Signs with one private key and never exports it. */
export class BlindRsaSigner {
  readonly #privateKey: KeyObject;
  readonly publicKey: BlindRsaKey;

  /** `pkcs8` is the DER of a key of 2,048 bits; `invalid_key`. */
  constructor(pkcs8: Uint8Array) {
    try {
      this.#privateKey = createPrivateKey({
        key: Buffer.from(pkcs8),
        format: "der",
        type: "pkcs8",
      });
    } catch {
      // The error of `node:crypto` may quote the key.
      throw invalid("it is not PKCS #8");
    }
    if (
      this.#privateKey.asymmetricKeyType !== "rsa" || !equalBytes(encoded(this.#privateKey), pkcs8)
    ) {
      throw invalid("it is not canonical PKCS #8 of type rsaEncryption");
    }
    const { n = "", e } = createPublicKey(this.#privateKey).export({ format: "jwk" });
    if (e !== "AQAB") throw invalid("its exponent is not 65537");
    this.publicKey = blindRsaKeyOf(bytesOfBase64Url(n)!);
  }

  /** `token_request_refused` unless `blinded` is 256 bytes of an integer below the modulus. */
  checkBlinded(blinded: Uint8Array): void {
    if (blinded.length !== BLIND_RSA_LENGTH || integerOfBytes(blinded) >= this.publicKey.modulus) {
      throw new CountersignError(
        "token_request_refused",
        "Cannot sign blinded message: it is not 256 bytes below the modulus",
      );
    }
  }

  /**
   * The blind signature of `blinded`, both {@linkcode BLIND_RSA_LENGTH} bytes; about 2 ms. Errors as of
   * {@linkcode BlindRsaSigner.checkBlinded}.
   */
  sign(blinded: Uint8Array): Bytes {
    this.checkBlinded(blinded);
    const signature = this.#signMasked(integerOfBytes(blinded));
    // A signature with a fault in one half of the CRT would reveal the factors.
    const again = publicEncrypt({ key: nativeKeyOf(this.publicKey), padding: PADDING }, signature);
    if (!equalBytes(again, blinded)) {
      throw new CountersignError(
        "internal",
        "Cannot sign blinded message: the signature does not verify",
      );
    }
    return signature;
  }

  /** Signs a random residue instead of the client's, so that timing reveals nothing about the key. */
  #signMasked(message: bigint): Bytes {
    const { modulus } = this.publicKey;
    const mask = randomResidue(modulus);
    const masked = bytesOfInteger(message * publicPower(mask, modulus) % modulus);
    const signed = privateDecrypt({ key: this.#privateKey, padding: PADDING }, masked);
    // Only a multiple of a factor of the modulus has no inverse.
    return bytesOfInteger(integerOfBytes(signed) * inverseOf(mask, modulus)! % modulus);
  }
}
