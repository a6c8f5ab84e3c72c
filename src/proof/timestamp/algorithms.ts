/**
 * The algorithms that are accepted in time-stamp tokens and their certificates. No signature may use SHA-1
 * or MD5. SHA-1 is accepted only as the hash of a certificate in an ESSCertID (not here).
 *
 * @module
 */

import { type Bytes, concat } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import {
  type AlgorithmIdentifier,
  algorithmOf,
  integerOf,
  membersOf,
  objectIdentifierOf,
  untagged,
} from "./asn1.ts";
import type { PublicKey } from "./certificate.ts";
import { readDer, TAG } from "./der.ts";

/** Hash functions, as WebCrypto names them. */
export type HashName = "SHA-256" | "SHA-384" | "SHA-512";

/** RFC 8017 appendix B.1. */
export const HASH_OIDS: Readonly<Record<HashName, string>> = {
  "SHA-256": "2.16.840.1.101.3.4.2.1",
  "SHA-384": "2.16.840.1.101.3.4.2.2",
  "SHA-512": "2.16.840.1.101.3.4.2.3",
};
const HASHES: ReadonlyMap<string, HashName> = new Map(
  Object.entries(HASH_OIDS).map(([hash, id]) => [id, hash as HashName]),
);

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";
const RSASSA_PSS = "1.2.840.113549.1.1.10";
const MGF1 = "1.2.840.113549.1.1.8";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";

/** RFC 5480 section 2.1.1.1. `size` is the length of a coordinate in bytes. */
const CURVES: Readonly<Record<string, { readonly namedCurve: string; readonly size: number }>> = {
  "1.2.840.10045.3.1.7": { namedCurve: "P-256", size: 32 },
  "1.3.132.0.34": { namedCurve: "P-384", size: 48 },
  "1.3.132.0.35": { namedCurve: "P-521", size: 66 },
};

/** RFC 4055 section 5, RFC 5758 section 3.2. */
const SIGNATURES: Readonly<Record<string, CmsSignatureScheme>> = {
  "1.2.840.113549.1.1.11": { kind: "rsa", hash: "SHA-256" },
  "1.2.840.113549.1.1.12": { kind: "rsa", hash: "SHA-384" },
  "1.2.840.113549.1.1.13": { kind: "rsa", hash: "SHA-512" },
  "1.2.840.10045.4.3.2": { kind: "ecdsa", hash: "SHA-256" },
  "1.2.840.10045.4.3.3": { kind: "ecdsa", hash: "SHA-384" },
  "1.2.840.10045.4.3.4": { kind: "ecdsa", hash: "SHA-512" },
};

const MIN_RSA_BITS = 2048;

/** RFC 4055 section 3.1. */
const DEFAULT_SALT_LENGTH = 20;

export type CmsSignatureScheme =
  | { readonly kind: "rsa" | "ecdsa"; readonly hash: HashName }
  | { readonly kind: "rsa_pss"; readonly hash: HashName; readonly saltLength: number };

const refused = errorBuilder("timestamp_refused", "Cannot use algorithm");

/** The hash function of a digest algorithm. Its parameters must be absent or NULL (RFC 5754). */
export function hashNameOf(algorithm: AlgorithmIdentifier): HashName {
  const hash = HASHES.get(algorithm.id);
  if (hash === undefined) throw refused(`hash ${algorithm.id} is not SHA-256, SHA-384 or SHA-512`);
  requireNoParameters(algorithm, { allowNull: true });
  return hash;
}

/**
 * The scheme of a signature algorithm.
 *
 * @param hash of a SignerInfo: its signature algorithm may be plain RSA, which names no hash (RFC 3370
 *   section 3.2). Absent for a certificate, which may not have plain RSA.
 */
export function signatureSchemeOf(
  algorithm: AlgorithmIdentifier,
  hash?: HashName,
): CmsSignatureScheme {
  const { id } = algorithm;
  if (id === RSASSA_PSS) return pssSchemeOf(algorithm);
  const scheme: CmsSignatureScheme | undefined = id === RSA_ENCRYPTION && hash !== undefined
    ? { kind: "rsa", hash }
    : SIGNATURES[id];
  if (scheme === undefined) {
    throw refused(`${id} is not RSA or ECDSA with SHA-256, SHA-384 or SHA-512`);
  }
  requireNoParameters(algorithm, { allowNull: scheme.kind === "rsa" });
  return scheme;
}

/** RFC 4055 section 3.1. The message and the mask must use the same hash function. */
function pssSchemeOf({ parameters }: AlgorithmIdentifier): CmsSignatureScheme {
  const what = "RSASSA-PSS parameters";
  if (parameters === undefined) throw refused("RSASSA-PSS has no parameters");
  // Hash and mask must be present, because their defaults use SHA-1. DER omits the default trailer.
  const [hashMember, maskMember, saltMember, trailer] = membersOf(
    parameters,
    what,
    "[0] [1] [2]? [3]?",
  );
  const hash = hashNameOf(algorithmOf(untagged(hashMember, what, "SEQUENCE"), what));
  const mask = algorithmOf(untagged(maskMember, what, "SEQUENCE"), what);
  if (mask.id !== MGF1) throw refused(`mask generation ${mask.id} is not MGF1`);
  if (!mask.parameters || hashNameOf(algorithmOf(mask.parameters, what)) !== hash) {
    throw refused(`MGF1 does not use ${hash}`);
  }
  if (trailer !== undefined) throw refused("RSASSA-PSS has a trailer field");
  const saltLength = saltMember && integerOf(untagged(saltMember, what, "INTEGER"), what);
  if (saltLength === DEFAULT_SALT_LENGTH) throw refused("RSASSA-PSS encodes a default");
  return { kind: "rsa_pss", hash, saltLength: saltLength ?? DEFAULT_SALT_LENGTH };
}

function requireNoParameters(
  { id, parameters }: AlgorithmIdentifier,
  { allowNull }: { readonly allowNull: boolean },
): void {
  if (parameters === undefined || allowNull && parameters.tag === TAG.null) return;
  throw refused(`${id} has parameters`);
}

/** Reports whether the holder of `key` signed `message`; `timestamp_refused` for an unusable key. */
export async function isSignedBy(
  key: PublicKey,
  scheme: CmsSignatureScheme,
  message: Bytes,
  signature: Bytes,
): Promise<boolean> {
  const { keyAlgorithm, rawSignature } = webCryptoInputs(key, scheme, signature);
  const algorithm = {
    name: keyAlgorithm.name,
    hash: scheme.hash,
    ...(scheme.kind === "rsa_pss" && { saltLength: scheme.saltLength }),
  };
  let imported: CryptoKey;
  let isSigned: boolean;
  try {
    imported = await crypto.subtle.importKey("spki", key.spki, keyAlgorithm, false, ["verify"]);
    isSigned = rawSignature !== undefined &&
      await crypto.subtle.verify(algorithm, imported, rawSignature, message);
  } catch {
    // Either step may reject a point that is off its curve. Their errors have no common class.
    throw refused("the public key is invalid");
  }
  const { modulusLength } = imported.algorithm as Partial<RsaKeyAlgorithm>;
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
    throw refused(`an RSA key of ${modulusLength} bits is below ${MIN_RSA_BITS}`);
  }
  return isSigned;
}

/** The WebCrypto parameters for `key`, and the signature in WebCrypto's form if it can be valid. */
function webCryptoInputs(
  { algorithm: { id, parameters }, bits }: PublicKey,
  scheme: CmsSignatureScheme,
  signature: Bytes,
): {
  readonly keyAlgorithm: RsaHashedImportParams | EcKeyImportParams;
  readonly rawSignature: Bytes | undefined;
} {
  if (scheme.kind === "ecdsa") {
    const curve = id === EC_PUBLIC_KEY && parameters?.tag === TAG.objectIdentifier
      ? CURVES[objectIdentifierOf(parameters)]
      : undefined;
    if (curve === undefined) throw refused("the key is not on P-256, P-384 or P-521");
    // SEC 1 section 2.3.3: both coordinates. Not every runtime reads the other forms.
    if (bits[1] !== 0x04) throw refused("the key is not an uncompressed point");
    const { namedCurve, size } = curve;
    return {
      keyAlgorithm: { name: "ECDSA", namedCurve },
      rawSignature: rawEcdsaSignature(signature, size),
    };
  }
  if (id !== RSA_ENCRYPTION) throw refused("the key is not an RSA key");
  const name = scheme.kind === "rsa" ? "RSASSA-PKCS1-v1_5" : "RSA-PSS";
  return { keyAlgorithm: { name, hash: scheme.hash }, rawSignature: signature };
}

/** r || s of an Ecdsa-Sig-Value (RFC 3279 section 2.2.3); `undefined` when it cannot be valid. */
function rawEcdsaSignature(signature: Bytes, size: number): Bytes | undefined {
  const { tag, children } = readDer(signature, "ECDSA signature");
  if (tag !== TAG.sequence || children.length !== 2) return undefined;
  const [r, s] = children.map((child) => {
    const digits = child.contents[0] === 0 ? child.contents.subarray(1) : child.contents;
    const isPositive = child.tag === TAG.integer && child.contents[0]! < 0x80;
    if (!isPositive || digits.length > size) return undefined;
    return concat(new Uint8Array(size - digits.length), digits);
  });
  return r === undefined || s === undefined ? undefined : concat(r, s);
}
