/**
 * Keys of time-stamp authorities: ECDSA on P-256, or RSA with 3,072 to 4,096 bits, both with SHA-256. In
 * files they are PKCS#8 in PEM (RFC 5958, RFC 7468), as every tool writes them.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { type Bytes, equalBytes, hexOf } from "../base/bytes.ts";
import { CountersignError, errorBuilder } from "../base/errors.ts";
import { encodePem, parsePem } from "../proof/format/pem.ts";
import { type CmsSignatureScheme, isSignedBy } from "../proof/timestamp/algorithms.ts";
import { encodeInteger } from "../proof/timestamp/asn1.ts";
import { publicKeyOf } from "../proof/timestamp/certificate.ts";
import { encodeDer, readDer, TAG } from "../proof/timestamp/der.ts";
import type { TimestampScheme, TimestampSigner } from "../gateway/timestamping/timestamp_signer.ts";

const LABEL = "PRIVATE KEY";
const [MIN_BITS, MAX_BITS] = [3_072, 4_096];
const P256 = { name: "ECDSA", namedCurve: "P-256" } as const;
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;
/** Bytes of r and of s. */
const COORDINATE = 32;

const CMS_SCHEMES: Readonly<Record<TimestampScheme, CmsSignatureScheme>> = {
  "ecdsa-p256": { kind: "ecdsa", hash: "SHA-256" },
  "rsa-3072": { kind: "rsa", hash: "SHA-256" },
};

/** True for the text of a file in PEM. */
export function isPemText(text: string): boolean {
  return /^-----BEGIN /m.test(text);
}

/**
 * A key in memory. It signs by WebCrypto, which is the fastest that the runtime has and signs RSA in
 * another thread; `sign()` of node:crypto would stop all requests for 5 ms each time.
 */
export class TimestampKey implements TimestampSigner {
  readonly scheme: TimestampScheme;
  readonly publicKey: Bytes;
  readonly #key: CryptoKey;

  private constructor(scheme: TimestampScheme, publicKey: Bytes, key: CryptoKey) {
    this.scheme = scheme;
    this.publicKey = publicKey;
    this.#key = key;
  }

  /** The key in `text`, the content of the file at `path`; `invalid_key` if it cannot be used. */
  static async of(text: string, path: string): Promise<TimestampKey> {
    const [encoded, publicKey, scheme] = readPrivateKey(text, path);
    const key = await crypto.subtle.importKey(
      "pkcs8",
      encoded,
      scheme === "ecdsa-p256" ? P256 : RSA,
      false,
      ["sign"],
    );
    encoded.fill(0);
    return new TimestampKey(scheme, publicKey, key);
  }

  async sign(message: Bytes): Promise<Bytes> {
    const algorithm = this.scheme === "ecdsa-p256" ? { ...P256, hash: "SHA-256" } : RSA;
    const signature = new Uint8Array(await crypto.subtle.sign(algorithm, this.#key, message));
    return this.scheme === "ecdsa-p256" ? encodeEcdsaSignature(signature) : signature;
  }
}

/** PKCS#8 of the key, its public key, and its scheme. */
function readPrivateKey(text: string, path: string): [Bytes, Bytes, TimestampScheme] {
  const refused = errorBuilder("invalid_key", `Cannot use key file "${path}"`);
  const der = privateKeyIn(text, path);
  let key: KeyObject;
  try {
    key = createPrivateKey({ key: Buffer.from(der), format: "der", type: "pkcs8" });
  } catch {
    // No cause: a message of a library may quote the key.
    throw refused(`its private key is damaged, or of an unknown kind. ${NEEDED}`);
  } finally {
    der.fill(0);
  }
  const publicKey = createPublicKey(key);
  const encoded = key.export({ format: "der", type: "pkcs8" });
  return [new Uint8Array(encoded), spkiOf(publicKey), schemeOf(publicKey, refused)];
}

const NEEDED = `A time-stamp authority needs a key of ECDSA P-256, or of RSA with ${MIN_BITS} to ` +
  `${MAX_BITS} bits; "countersign tsa request --new" makes one`;

/** The one private key of a file in PEM. */
function privateKeyIn(text: string, path: string): Bytes {
  const refused = errorBuilder("invalid_key", `Cannot use key file "${path}"`);
  let blocks;
  try {
    blocks = parsePem(text, "invalid_key").filter(({ label }) => label.endsWith(LABEL));
  } catch (cause) {
    throw refused(`it is not PEM, as "openssl genpkey" writes it, or it is damaged`, { cause });
  }
  const [block, ...others] = blocks;
  if (block === undefined) throw refused(`it has no block "${LABEL}"`);
  if (others.length > 0) throw refused("it has more than one private key");
  if (block.label === `ENCRYPTED ${LABEL}`) {
    throw refused(
      "it is encrypted by PKCS#8. Decrypt it (openssl pkcs8 -in OLD -out NEW), encrypt the result " +
        "with age -a, and name that file in a key file with age_file",
    );
  }
  if (block.label !== LABEL) {
    throw refused(
      `it is "${block.label}", not PKCS#8. Convert it: ` +
        "openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW",
    );
  }
  return block.bytes;
}

type Refused = (reason: string) => CountersignError;

function schemeOf(publicKey: KeyObject, refused: Refused): TimestampScheme {
  const { asymmetricKeyType: type = "unknown", asymmetricKeyDetails = {} } = publicKey;
  const { namedCurve, modulusLength = 0 } = asymmetricKeyDetails;
  if (type === "ec" && namedCurve === "prime256v1") return "ecdsa-p256";
  if (type === "rsa" && modulusLength >= MIN_BITS && modulusLength <= MAX_BITS) return "rsa-3072";
  const found = type === "rsa" ? `RSA with ${modulusLength} bits` : namedCurve ?? type;
  throw refused(`it is of ${found}. ${NEEDED}`);
}

function spkiOf(key: KeyObject): Bytes {
  return new Uint8Array(key.export({ format: "der", type: "spki" }));
}

/** The scheme of a public key, DER of SubjectPublicKeyInfo; `invalid_key`. `what` has it. */
export function timestampSchemeOf(spki: Bytes, what: string): TimestampScheme {
  const refused = errorBuilder("invalid_key", `Cannot use the public key of ${what}`);
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
    if (!equalBytes(spkiOf(key), spki)) throw new Error("not DER");
  } catch {
    throw refused("it is not a SubjectPublicKeyInfo in DER");
  }
  return schemeOf(key, refused);
}

/** Whether the holder of `publicKey` signed `message`. Never rejects. */
export async function isTimestampSignature(
  { scheme, publicKey }: Pick<TimestampSigner, "scheme" | "publicKey">,
  message: Bytes,
  signature: Bytes,
): Promise<boolean> {
  try {
    const what = "public key";
    const key = publicKeyOf(readDer(publicKey, what), what);
    return await isSignedBy(key, CMS_SCHEMES[scheme], message, signature);
  } catch (error) {
    if (error instanceof CountersignError) return false;
    throw error;
  }
}

/** Makes a key: its signer, and its file in PEM. */
export async function newTimestampKey(
  scheme: TimestampScheme,
): Promise<{ readonly signer: TimestampKey; readonly pem: string }> {
  const algorithm = scheme === "ecdsa-p256"
    ? P256
    : { ...RSA, modulusLength: MIN_BITS, publicExponent: Uint8Array.of(1, 0, 1) };
  const { privateKey } = await crypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ]) as CryptoKeyPair;
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  const pem = encodePem({ label: LABEL, bytes });
  return { signer: await TimestampKey.of(pem, "new key"), pem };
}

/** DER of the Ecdsa-Sig-Value (RFC 3279 section 2.2.3) of r || s. */
export function encodeEcdsaSignature(signature: Bytes): Bytes {
  const integers = [signature.subarray(0, COORDINATE), signature.subarray(COORDINATE)]
    .map((coordinate) => encodeInteger(BigInt(`0x${hexOf(coordinate)}`)));
  return encodeDer(TAG.sequence, ...integers);
}
