/**
 * ML-DSA-44 keys of witnesses and logs (FIPS 204).
 *
 * @module
 */

import { ml_dsa44 } from "@noble/post-quantum/ml-dsa.js";
import type { Bytes } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import type { MlDsaKeySigner } from "./key_signer.ts";
import { ML_DSA_44 } from "./ml_dsa.ts";

/** Bytes of a private key: the seed of FIPS 204 section 5.1. */
const SEED_LENGTH = 32;

/** The 1,312 bytes of the public key of `seed`; `invalid_key`. */
export function mlDsaPublicKey(seed: Uint8Array): Bytes {
  const { publicKey, secretKey } = keysOf(seed);
  secretKey.fill(0);
  return publicKey;
}

/** Signs with one private key and never exports it. */
export class MlDsaSigner implements MlDsaKeySigner {
  readonly scheme = "ml-dsa-44";
  readonly publicKey: Bytes;
  readonly #sign: (message: Bytes) => Promise<Bytes>;

  private constructor(publicKey: Bytes, sign: (message: Bytes) => Promise<Bytes>) {
    this.publicKey = publicKey;
    this.#sign = sign;
  }

  /** `seed` is 32 bytes; the caller may wipe it afterwards. `invalid_key`. */
  static async of(seed: Uint8Array): Promise<MlDsaSigner> {
    const { publicKey, secretKey } = keysOf(seed);
    const webKey = await importWebSeed(seed.slice());
    if (webKey === undefined) {
      return new MlDsaSigner(
        publicKey,
        (message) => Promise.resolve(ml_dsa44.sign(message, secretKey) as Bytes),
      );
    }
    secretKey.fill(0);
    return new MlDsaSigner(
      publicKey,
      async (message) => new Uint8Array(await crypto.subtle.sign(ML_DSA_44, webKey, message)),
    );
  }

  /**
   * A randomized signature over `message`, 2,420 bytes. About 0.3 ms with WebCrypto, 6 ms without.
   */
  sign(message: Uint8Array): Promise<Bytes> {
    return this.#sign(message.slice());
  }
}

function keysOf(seed: Uint8Array): { readonly publicKey: Bytes; readonly secretKey: Uint8Array } {
  if (seed.length !== SEED_LENGTH) {
    throw new CountersignError(
      "invalid_key",
      `Cannot use ML-DSA-44 seed: it has ${seed.length} bytes instead of ${SEED_LENGTH}`,
    );
  }
  const { publicKey, secretKey } = ml_dsa44.keygen(seed);
  return { publicKey: publicKey as Bytes, secretKey };
}

/** `undefined` if the runtime has no ML-DSA-44. Wipes `seed`. */
async function importWebSeed(seed: Bytes): Promise<CryptoKey | undefined> {
  try {
    // `raw-seed` is a format that TypeScript does not know yet.
    const format = "raw-seed" as "raw";
    return await crypto.subtle.importKey(format, seed, ML_DSA_44, false, ["sign"]);
  } catch {
    return undefined;
  } finally {
    seed.fill(0);
  }
}
