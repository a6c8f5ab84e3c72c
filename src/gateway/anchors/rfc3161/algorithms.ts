/**
 * The closed list of algorithms in tokens and their certificates. SHA-1 and MD5 sign nothing;
 * SHA-1 appears only as the hash of a certificate in an ESSCertID.
 *
 * @module
 */

import { type Bytes, concat } from "../../../base/bytes.ts";
import { errorBuilder } from "../../../base/errors.ts";
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

export const SHA256_OID = "2.16.840.1.101.3.4.2.1";
/** RFC 8017 appendix B.1. */
const HASHES: Readonly<Record<string, HashName>> = {
  [SHA256_OID]: "SHA-256",
  "2.16.840.1.101.3.4.2.2": "SHA-384",
  "2.16.840.1.101.3.4.2.3": "SHA-512",
};

const RSA_ENCRYPTION = "1.2.840.113549.1.1.1";
const RSASSA_PSS = "1.2.840.113549.1.1.10";
const MGF1 = "1.2.840.113549.1.1.8";
const EC_PUBLIC_KEY = "1.2.840.10045.2.1";
const ED25519 = "1.3.101.112";

/** RFC 5480 section 2.1.1.1, with the bytes of a coordinate. */
const CURVES: Readonly<Record<string, { readonly namedCurve: string; readonly size: number }>> = {
  "1.2.840.10045.3.1.7": { namedCurve: "P-256", size: 32 },
  "1.3.132.0.34": { namedCurve: "P-384", size: 48 },
  "1.3.132.0.35": { namedCurve: "P-521", size: 66 },
};

/** RFC 4055 section 5, RFC 5758 section 3.2, RFC 8410 section 3. */
const SIGNATURES: Readonly<Record<string, CmsSignatureScheme>> = {
  "1.2.840.113549.1.1.11": { kind: "rsa", hash: "SHA-256" },
  "1.2.840.113549.1.1.12": { kind: "rsa", hash: "SHA-384" },
  "1.2.840.113549.1.1.13": { kind: "rsa", hash: "SHA-512" },
  "1.2.840.10045.4.3.2": { kind: "ecdsa", hash: "SHA-256" },
  "1.2.840.10045.4.3.3": { kind: "ecdsa", hash: "SHA-384" },
  "1.2.840.10045.4.3.4": { kind: "ecdsa", hash: "SHA-512" },
  [ED25519]: { kind: "ed25519", hash: "SHA-512" },
};

const MIN_RSA_BITS = 2048;

/** RFC 4055 section 3.1. */
const DEFAULT_SALT_LENGTH = 20;

/** How a signature is made. */
export type CmsSignatureScheme =
  | { readonly kind: "rsa" | "ecdsa"; readonly hash: HashName }
  | { readonly kind: "rsa_pss"; readonly hash: HashName; readonly saltLength: number }
  | { readonly kind: "ed25519"; readonly hash: "SHA-512" };

const refused = errorBuilder("anchor_refused", "Cannot use algorithm");

/** The hash function of a digest algorithm, whose parameters are absent or NULL (RFC 5754). */
export function hashNameOf(algorithm: AlgorithmIdentifier): HashName {
  const hash = HASHES[algorithm.id];
  if (hash === undefined) throw refused(`hash ${algorithm.id} is not SHA-256, SHA-384 or SHA-512`);
  requireNoParameters(algorithm, { allowNull: true });
  return hash;
}

/**
 * The scheme of a signature algorithm.
 *
 * @param hash of a SignerInfo, whose algorithm may be plain RSA (RFC 3370 section 3.2)
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
    throw refused(`${id} is not RSA, ECDSA or Ed25519 with SHA-256, SHA-384 or SHA-512`);
  }
  requireNoParameters(algorithm, { allowNull: scheme.kind === "rsa" });
  return scheme;
}

/** RFC 4055 section 3.1, with one hash function for the message and the mask. */
function pssSchemeOf({ parameters }: AlgorithmIdentifier): CmsSignatureScheme {
  const what = "RSASSA-PSS parameters";
  if (parameters === undefined) throw refused("RSASSA-PSS has no parameters");
  // Every default but the salt length belongs to SHA-1, and DER omits defaults.
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

/** Reports whether the holder of `key` signed `message`; `anchor_refused` for an unusable key. */
export async function isSignedBy(
  key: PublicKey,
  scheme: CmsSignatureScheme,
  message: Bytes,
  signature: Bytes,
): Promise<boolean> {
  const [keyAlgorithm, raw] = webCryptoKeyOf(key, scheme, signature);
  const algorithm = {
    name: keyAlgorithm.name,
    hash: scheme.hash,
    ...(scheme.kind === "rsa_pss" && { saltLength: scheme.saltLength }),
  };
  let imported: CryptoKey;
  let isSigned: boolean;
  try {
    imported = await crypto.subtle.importKey("spki", key.spki, keyAlgorithm, false, ["verify"]);
    isSigned = raw !== undefined &&
      await crypto.subtle.verify(algorithm, imported, raw, message);
  } catch {
    // Either step finds a point off its curve, by errors of no common class.
    throw refused("the public key is invalid");
  }
  const { modulusLength } = imported.algorithm as Partial<RsaKeyAlgorithm>;
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
    throw refused(`an RSA key of ${modulusLength} bits is below ${MIN_RSA_BITS}`);
  }
  return isSigned;
}

/** The WebCrypto parameters for `key`, and the signature in WebCrypto's form. */
function webCryptoKeyOf(
  { algorithm: { id, parameters } }: PublicKey,
  scheme: CmsSignatureScheme,
  signature: Bytes,
): readonly [RsaHashedImportParams | EcKeyImportParams | Algorithm, Bytes | undefined] {
  if (scheme.kind === "ecdsa") {
    const curve = id === EC_PUBLIC_KEY && parameters?.tag === TAG.objectIdentifier
      ? CURVES[objectIdentifierOf(parameters)]
      : undefined;
    if (curve === undefined) throw refused("the key is not on P-256, P-384 or P-521");
    const { namedCurve, size } = curve;
    return [{ name: "ECDSA", namedCurve }, rawEcdsaSignature(signature, size)];
  }
  if (scheme.kind === "ed25519") {
    if (id !== ED25519) throw refused("the key is not an Ed25519 key");
    return [{ name: "Ed25519" }, signature];
  }
  if (id !== RSA_ENCRYPTION) throw refused("the key is not an RSA key");
  const name = scheme.kind === "rsa" ? "RSASSA-PKCS1-v1_5" : "RSA-PSS";
  return [{ name, hash: scheme.hash }, signature];
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
  return r && s && concat(r, s);
}
