/**
 * New secret keys of the `bls` scheme: KeyGen of draft-irtf-cfrg-bls-signature-06 section 2.3.
 *
 * @module
 */

import { bytesToNumberBE, numberToBytesBE } from "@noble/curves/utils.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { type Bytes, concat, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { BLS_SECRET_LENGTH } from "./bls.ts";

/** Order of both groups, `r` of the draft. */
const ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** `L` of KeyGen: ceil((3 * ceil(log2(r))) / 16), and its I2OSP(L, 2) behind an empty key_info. */
const KEY_MATERIAL_LENGTH = 48;
const KEY_INFO = Uint8Array.of(0, KEY_MATERIAL_LENGTH);
const KEY_SALT = utf8("BLS-SIG-KEYGEN-SALT-");

/** The secret key of at least 32 secret bytes; `invalid_key` for fewer. */
export function generateKey(keyMaterial: Uint8Array): Bytes {
  if (keyMaterial.length < 32) {
    throw new CountersignError(
      "invalid_key",
      `Cannot create BLS secret key: ${keyMaterial.length} secret bytes are fewer than 32`,
    );
  }
  const terminated = concat(keyMaterial, Uint8Array.of(0));
  for (let salt = sha256(KEY_SALT);; salt = sha256(salt)) {
    const pseudorandomKey = extract(sha256, terminated, salt);
    const material = expand(sha256, pseudorandomKey, KEY_INFO, KEY_MATERIAL_LENGTH);
    const scalar = bytesToNumberBE(material) % ORDER;
    pseudorandomKey.fill(0);
    material.fill(0);
    if (scalar === 0n) continue;
    terminated.fill(0);
    return numberToBytesBE(scalar, BLS_SECRET_LENGTH) as Bytes;
  }
}

/** A new random secret key. */
export function generateBlsSecret(): Bytes {
  const keyMaterial = crypto.getRandomValues(new Uint8Array(BLS_SECRET_LENGTH));
  try {
    return generateKey(keyMaterial);
  } finally {
    keyMaterial.fill(0);
  }
}
