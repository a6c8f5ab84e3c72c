/**
 * The closed list of algorithms that tokens and their certificates may use. SHA-1 and MD5 sign
 * nothing here; SHA-1 appears only as the hash of a certificate in an ESSCertID.
 *
 * @module
 */

import * as asn1js from "asn1js";
import { AlgorithmIdentifier, RSASSAPSSParams } from "pkijs";
import { type Bytes, concat } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { PublicKey } from "./certificate.ts";
import { readDer, TAG } from "./der.ts";
import { readPki } from "./pki.ts";

/** Hash functions, as WebCrypto names them. */
export type HashName = "SHA-256" | "SHA-384" | "SHA-512";

export const SHA256_OID = "2.16.840.1.101.3.4.2.1";
/** RFC 8017 appendix B.1. */
const HASHES: Readonly<Record<string, HashName>> = {
  [SHA256_OID]: "SHA-256",
  "2.16.840.1.101.3.4.2.2": "SHA-384",
  "2.16.840.1.101.3.4.2.3": "SHA-512",
};

/** RFC 4055 section 5. */
const RSA_SIGNATURES: Readonly<Record<string, HashName>> = {
  "1.2.840.113549.1.1.11": "SHA-256",
  "1.2.840.113549.1.1.12": "SHA-384",
  "1.2.840.113549.1.1.13": "SHA-512",
};
/** RFC 5758 section 3.2. */
const ECDSA_SIGNATURES: Readonly<Record<string, HashName>> = {
  "1.2.840.10045.4.3.2": "SHA-256",
  "1.2.840.10045.4.3.3": "SHA-384",
  "1.2.840.10045.4.3.4": "SHA-512",
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

const MIN_RSA_BITS = 2048;

/** How something is signed. */
export type SignatureScheme =
  | { readonly kind: "rsa" | "ecdsa"; readonly hash: HashName }
  | { readonly kind: "rsa_pss"; readonly hash: HashName; readonly saltLength: number }
  | { readonly kind: "ed25519"; readonly hash: "SHA-512" };

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    "anchor_refused",
    `Cannot use algorithm: ${required} required, found ${found}`,
  );
}

/** The hash function of a digest algorithm; its parameters are absent or NULL (RFC 5754). */
export function hashNameOf(algorithm: AlgorithmIdentifier): HashName {
  const hash = HASHES[algorithm.algorithmId];
  if (hash === undefined) throw refused("SHA-256, SHA-384 or SHA-512", algorithm.algorithmId);
  requireNoParameters(algorithm, { allowNull: true });
  return hash;
}

/**
 * How `algorithm` signs.
 *
 * @param hash of a SignerInfo, whose algorithm may be plain RSA (RFC 3370 section 3.2)
 */
export function signatureSchemeOf(
  algorithm: AlgorithmIdentifier,
  hash?: HashName,
): SignatureScheme {
  const id = algorithm.algorithmId;
  if (id === RSASSA_PSS) return pssSchemeOf(algorithm);
  if (id === ED25519) {
    requireNoParameters(algorithm, { allowNull: false });
    return { kind: "ed25519", hash: "SHA-512" };
  }
  const rsaHash = id === RSA_ENCRYPTION ? hash : RSA_SIGNATURES[id];
  if (rsaHash !== undefined) {
    requireNoParameters(algorithm, { allowNull: true });
    return { kind: "rsa", hash: rsaHash };
  }
  const ecdsaHash = ECDSA_SIGNATURES[id];
  if (ecdsaHash === undefined) {
    throw refused("RSA, ECDSA or Ed25519 with SHA-256, SHA-384 or SHA-512", id);
  }
  requireNoParameters(algorithm, { allowNull: false });
  return { kind: "ecdsa", hash: ecdsaHash };
}

/** RFC 4055 section 3.1: one hash function for the message and for the mask. */
function pssSchemeOf({ algorithmParams }: AlgorithmIdentifier): SignatureScheme {
  const { value } = readPki(RSASSAPSSParams, derOf(algorithmParams), "RSASSA-PSS parameters");
  const hash = hashNameOf(value.hashAlgorithm);
  const mask = value.maskGenAlgorithm;
  if (mask.algorithmId !== MGF1) throw refused("mask generation MGF1", mask.algorithmId);
  const { value: maskHash } = readPki(
    AlgorithmIdentifier,
    derOf(mask.algorithmParams),
    "hash of MGF1",
  );
  if (hashNameOf(maskHash) !== hash) throw refused(`${hash} in MGF1`, "another hash");
  if (value.trailerField !== 1) throw refused("trailer field 1", "another");
  return { kind: "rsa_pss", hash, saltLength: value.saltLength };
}

function derOf(parameters: unknown): Bytes {
  if (!(parameters instanceof asn1js.BaseBlock)) throw refused("parameters", "none");
  return new Uint8Array(parameters.toBER());
}

function requireNoParameters(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  { allowNull }: { readonly allowNull: boolean },
): void {
  if (algorithmParams === undefined) return;
  if (!allowNull || !(algorithmParams instanceof asn1js.Null)) {
    throw refused("no parameters", `parameters of ${algorithmId}`);
  }
}

/** True when `signature` over `message` is by the holder of `key`; `anchor_refused` for its kind. */
export async function isSignedBy(
  key: PublicKey,
  scheme: SignatureScheme,
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
    // A point that is not on its curve is found at either step, by errors of no common class.
    throw refused("a public key of its algorithm", "another text");
  }
  const { modulusLength } = imported.algorithm as Partial<RsaKeyAlgorithm>;
  if (modulusLength !== undefined && modulusLength < MIN_RSA_BITS) {
    throw refused(`an RSA key of at least ${MIN_RSA_BITS} bits`, `${modulusLength} bits`);
  }
  return isSigned;
}

/** The parameters of WebCrypto for `key`, and the signature as it takes it. */
function webCryptoKeyOf(
  { algorithm }: PublicKey,
  scheme: SignatureScheme,
  signature: Bytes,
): readonly [RsaHashedImportParams | EcKeyImportParams | Algorithm, Bytes | undefined] {
  const id = algorithm.algorithmId;
  if (scheme.kind === "ecdsa") {
    const curve =
      id === EC_PUBLIC_KEY && algorithm.algorithmParams instanceof asn1js.ObjectIdentifier
        ? CURVES[algorithm.algorithmParams.valueBlock.toString()]
        : undefined;
    if (curve === undefined) throw refused("a key of P-256, P-384 or P-521", id);
    const { namedCurve, size } = curve;
    return [{ name: "ECDSA", namedCurve }, rawEcdsaSignature(signature, size)];
  }
  if (scheme.kind === "ed25519") {
    if (id !== ED25519) throw refused("an Ed25519 key", id);
    return [{ name: "Ed25519" }, signature];
  }
  if (id !== RSA_ENCRYPTION) throw refused("an RSA key", id);
  const name = scheme.kind === "rsa" ? "RSASSA-PKCS1-v1_5" : "RSA-PSS";
  return [{ name, hash: scheme.hash }, signature];
}

/** r || s of Ecdsa-Sig-Value (RFC 3279 section 2.2.3); `undefined` for what cannot be a signature. */
function rawEcdsaSignature(signature: Bytes, size: number): Bytes | undefined {
  const { tag, children } = readDer(signature, "ECDSA signature");
  if (tag !== TAG.sequence || children.length !== 2) return undefined;
  const halves = children.map((child) => {
    const digits = child.contents[0] === 0 ? child.contents.subarray(1) : child.contents;
    const isPositive = child.tag === TAG.integer && child.contents[0]! < 0x80;
    if (!isPositive || digits.length > size) return undefined;
    return concat(new Uint8Array(size - digits.length), digits);
  });
  const [r, s] = halves;
  return r && s && concat(r, s);
}
