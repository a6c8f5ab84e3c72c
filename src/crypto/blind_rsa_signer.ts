/**
 * The signer's half of RSABSSA-SHA384-PSS-Deterministic (RFC 9474 section 4.3), by `node:crypto`
 * alone: what uses a private key is not left to `BigInt`, whose time depends on its values.
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
import { type Bytes, equalBytes } from "../bytes.ts";
import { CountersignError } from "../errors.ts";
import {
  BLIND_RSA_EXPONENT,
  BLIND_RSA_LENGTH,
  type BlindRsaKey,
  blindRsaKeyOf,
  integerOfBytes,
} from "./blind_rsa.ts";

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

/** Signs with one private key, which leaves it in no form. */
export class BlindRsaSigner {
  readonly #privateKey: KeyObject;
  readonly publicKey: BlindRsaKey;

  /** `pkcs8` is DER of a key of 2,048 bits; `invalid_key` for anything else. */
  constructor(pkcs8: Uint8Array) {
    try {
      this.#privateKey = createPrivateKey({
        key: Buffer.from(pkcs8),
        format: "der",
        type: "pkcs8",
      });
    } catch {
      // What it says may quote the key.
      throw invalid("PKCS #8");
    }
    if (
      this.#privateKey.asymmetricKeyType !== "rsa" || !equalBytes(encoded(this.#privateKey), pkcs8)
    ) {
      throw invalid("canonical PKCS #8 of type rsaEncryption");
    }
    const { n = "", e } = createPublicKey(this.#privateKey).export({ format: "jwk" });
    if (e !== "AQAB") throw invalid("the exponent 65537");
    this.publicKey = blindRsaKeyOf(Uint8Array.fromBase64(n, { alphabet: "base64url" }));
  }

  /**
   * The blind signature of `blinded`, both {@linkcode BLIND_RSA_LENGTH} bytes; about 1.4 ms.
   * `token_request_refused` for what is no integer below the modulus.
   */
  sign(blinded: Uint8Array): Bytes {
    if (blinded.length !== BLIND_RSA_LENGTH || integerOfBytes(blinded) >= this.publicKey.modulus) {
      throw new CountersignError(
        "token_request_refused",
        "Cannot sign blinded message: 256 bytes below the modulus required, found others",
      );
    }
    const padding = constants.RSA_NO_PADDING;
    const signature = privateDecrypt({ key: this.#privateKey, padding }, blinded);
    // A signature with a fault in one half of the CRT gives away the factors: none leaves.
    const again = publicEncrypt({ key: this.publicKey.imported, padding }, signature);
    if (!equalBytes(again, blinded)) {
      throw new CountersignError(
        "internal",
        "Cannot sign blinded message: a signature that verifies required, found another",
      );
    }
    return new Uint8Array(signature);
  }
}

function invalid(required: string): CountersignError {
  return new CountersignError(
    "invalid_key",
    `Cannot use blind RSA private key: ${required} with 2048 bits required, found otherwise`,
  );
}
