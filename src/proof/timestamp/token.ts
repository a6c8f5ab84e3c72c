/**
 * A time-stamp token: CMS SignedData over a TSTInfo with one signer (RFC 3161 section 2.4.2, RFC
 * 5652 section 5). Its ESSCertID or ESSCertIDv2 (RFC 2634 section 5.4, RFC 5035 sections 4 and 5, RFC
 * 5816) names the signer's certificate. Without it, the holder of a second certificate for the same
 * key could present the token under that one.
 *
 * @module
 */

import { type Bytes, concat, equalBytes, hexOf } from "../../base/bytes.ts";
import { hashNameOf } from "./algorithms.ts";
import {
  type AlgorithmIdentifier,
  algorithmOf,
  elementsOf,
  encodeObjectIdentifier,
  integerOf,
  membersOf,
  objectIdentifierOf,
  untagged,
} from "./asn1.ts";
import { PROOF_ATTRIBUTE, readAttachedProof } from "./attached_proof.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { type DerValue, readDer, TAG, unreadable } from "./der.ts";
import { readTimeStampInfo, type TimeStampInfo } from "./tst_info.ts";

/** How a SignerInfo names the signer: DER of a name and contents of a serial number, or a key. */
export type SignerId =
  | { readonly issuer: Bytes; readonly serial: Bytes }
  | { readonly keyId: Bytes };

/** The signed part of a SignerInfo, and its signature. */
export interface TokenSigner {
  readonly id: SignerId;
  readonly digestAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Bytes;
  /** DER of the set of signed attributes: the message of the signature. */
  readonly signed: Bytes;
  readonly messageDigest: Bytes;
  /** One list for each attribute that references certificates, the signer's first in each. */
  readonly references: readonly (readonly CertificateReference[])[];
}

/** A token, not verified. */
export interface TimeStampToken {
  readonly info: TimeStampInfo;
  /** DER of the TSTInfo. */
  readonly content: Bytes;
  readonly signer: TokenSigner;
  readonly certificates: readonly Certificate[];
  /** The text of the bundle that the token carries. */
  readonly proof?: Bytes;
}

const WHAT = "time-stamp token";
export const SIGNED_DATA = "1.2.840.113549.1.7.2";
export const TST_INFO = "1.2.840.113549.1.9.16.1.4";
export const ATTRIBUTE = {
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
} as const;

/**
 * RFC 5652 section 5.1 has version 3 for a TSTInfo with X.509 certificates. Some authorities write 1,
 * which `openssl ts` reads too: the structure is the same.
 */
const VERSIONS = [1, 3];

/** Bounds the signatures that the search for a path verifies. */
const MAX_CERTIFICATES = 16;

/** Reads the ContentInfo of a token; `timestamp_refused` for any other input. */
export function readToken(bytes: Bytes): TimeStampToken {
  const [contentType, wrapped] = membersOf(readDer(bytes, WHAT), WHAT, "OID [0]");
  if (objectIdentifierOf(contentType) !== SIGNED_DATA) throw unreadable(WHAT, "not signed data");
  const signedData = untagged(wrapped, WHAT, "SEQUENCE");
  const [version, digestAlgorithms, encapsulated, certificates, , signers] = membersOf(
    signedData,
    WHAT,
    "INTEGER SET SEQUENCE [0]? [1]? SET",
  );
  if (!VERSIONS.includes(integerOf(version, WHAT))) {
    throw unreadable(WHAT, `not of version ${VERSIONS.join(" or ")}`);
  }
  const content = contentOf(encapsulated);
  const [signerInfo, ...others] = signers.children;
  if (!signerInfo || others.length > 0) throw unreadable(WHAT, "not exactly one signer");
  const { signer, proof } = readSigner(signerInfo);
  const hashes = elementsOf(digestAlgorithms, WHAT, TAG.sequence, TAG.set)
    .map((algorithm) => algorithmOf(algorithm, WHAT).id);
  if (!hashes.includes(signer.digestAlgorithm.id)) {
    throw unreadable(WHAT, "the signer's digest algorithm is not in the list");
  }
  const info = readTimeStampInfo(content);
  return {
    info,
    content,
    signer,
    certificates: certificatesOf(certificates),
    ...(proof && { proof }),
  };
}

/** The DER of the TSTInfo in EncapsulatedContentInfo. */
function contentOf(encapsulated: DerValue): Bytes {
  const [type, wrapped] = membersOf(encapsulated, WHAT, "OID [0]?");
  const [content, ...others] = wrapped?.children ?? [];
  const isInfo = objectIdentifierOf(type) === TST_INFO && content?.tag === TAG.octetString;
  if (!isInfo || others.length > 0) throw unreadable(WHAT, "no TSTInfo");
  return content.contents;
}

function certificatesOf(set: DerValue | undefined): readonly Certificate[] {
  const certificates = set ? elementsOf(set, WHAT, TAG.sequence, set.tag) : [];
  if (certificates.length > MAX_CERTIFICATES) {
    throw unreadable(WHAT, `more than ${MAX_CERTIFICATES} certificates`);
  }
  return certificates.map(({ bytes }) => readCertificate(bytes, "certificate of the token"));
}

function readSigner(
  signerInfo: DerValue,
): { readonly signer: TokenSigner; readonly proof: Bytes | undefined } {
  const [version, id, digestAlgorithm, set, signatureAlgorithm, signature, unsigned] = membersOf(
    signerInfo,
    WHAT,
    "INTEGER ANY SEQUENCE [0]? SEQUENCE OCTETS [1]?",
  );
  if (set === undefined) throw unreadable(WHAT, "no signed attributes");
  requireAscending(set.children);
  const attributes = attributesOf(set);
  // RFC 5652 section 5.3 lets an unsigned attribute occur more than once; only ours may not.
  const proofs = unsigned ? listedAttributes(unsigned).filter(isProof) : [];
  if (proofs.length > 1) throw unreadable(WHAT, "it carries two proofs");
  const signer = {
    id: signerIdOf(integerOf(version, WHAT), id),
    digestAlgorithm: algorithmOf(digestAlgorithm, WHAT),
    signatureAlgorithm: algorithmOf(signatureAlgorithm, WHAT),
    signature: signature.contents.slice(),
    // RFC 5652 section 5.4: the signed encoding has the tag of a set, not the implicit tag.
    signed: concat(Uint8Array.of(TAG.set), set.bytes.subarray(1)),
    messageDigest: messageDigestOf(attributes),
    references: referencesOf(attributes),
  };
  const [proof] = proofs.map(([, values]) => readAttachedProof(values));
  return { signer, proof };
}

type Attribute = readonly [type: string, values: DerValue];

function isProof([type]: Attribute): boolean {
  return type === PROOF_ATTRIBUTE;
}

/** Signed attributes by type. */
function attributesOf(set: DerValue): ReadonlyMap<string, DerValue> {
  const attributes = new Map<string, DerValue>();
  for (const [type, values] of listedAttributes(set)) {
    // RFC 5652 section 5.3: an attribute occurs once.
    if (attributes.has(type)) throw unreadable(WHAT, `attribute ${type} occurs twice`);
    attributes.set(type, values);
  }
  return attributes;
}

/** Type and set of values of each Attribute. */
function listedAttributes(set: DerValue): readonly Attribute[] {
  return elementsOf(set, WHAT, TAG.sequence, set.tag).map((attribute) => {
    const [type, values] = membersOf(attribute, WHAT, "OID SET");
    return [objectIdentifierOf(type), values];
  });
}

/** RFC 5652 section 5.4 and X.690 section 11.6: DER sorts a set in ascending order. */
function requireAscending(values: readonly DerValue[]): void {
  for (const [i, { bytes }] of values.entries()) {
    const before = values[i - 1]?.bytes;
    if (before && hexOf(before) >= hexOf(bytes)) {
      throw unreadable(WHAT, "signed attributes are not in ascending order");
    }
  }
}

/** RFC 5652 section 5.3: version 1 has issuer and serial number, version 3 a key identifier. */
function signerIdOf(version: number, id: DerValue): SignerId {
  if (version === 1) {
    const [issuer, serial] = membersOf(id, WHAT, "SEQUENCE INTEGER");
    return { issuer: issuer.bytes, serial: serial.contents };
  }
  if (version === 3 && id.tag === TAG.primitive(0)) return { keyId: id.contents };
  throw unreadable(WHAT, "the signer's version does not match its identifier");
}

/** The value of an attribute that has exactly one. */
function onlyValue(attributes: ReadonlyMap<string, DerValue>, type: string): DerValue {
  const [value, ...others] = attributes.get(type)?.children ?? [];
  if (value === undefined || others.length > 0) {
    throw unreadable(WHAT, `attribute ${type} has ${value ? "several values" : "no value"}`);
  }
  return value;
}

/** RFC 5652 sections 11.1 and 11.2: content type and digest of the signed content. */
function messageDigestOf(attributes: ReadonlyMap<string, DerValue>): Bytes {
  const type = onlyValue(attributes, ATTRIBUTE.contentType);
  if (!equalBytes(type.bytes, encodeObjectIdentifier(TST_INFO))) {
    throw unreadable(WHAT, "the signed content type is not TSTInfo");
  }
  const digest = onlyValue(attributes, ATTRIBUTE.messageDigest);
  if (digest.tag !== TAG.octetString) throw unreadable(WHAT, "the message digest is invalid");
  return digest.contents;
}

/** RFC 3161 section 2.4.2, RFC 5816 section 2.2.1: one attribute of either kind, or both. */
function referencesOf(
  attributes: ReadonlyMap<string, DerValue>,
): readonly (readonly CertificateReference[])[] {
  const references = ([
    [ATTRIBUTE.signingCertificate, 1],
    [ATTRIBUTE.signingCertificateV2, 2],
  ] as const).flatMap(([type, version]) =>
    attributes.has(type) ? [readSigningCertificate(onlyValue(attributes, type).bytes, version)] : []
  );
  if (references.length === 0) throw unreadable(WHAT, "no signing certificate attribute");
  return references;
}

/** A certificate as an attribute names it. */
export interface CertificateReference {
  /** As WebCrypto names it. */
  readonly hash: string;
  readonly digest: Bytes;
  /** DER of the issuer's name, and the contents of the serial number. */
  readonly issuerSerial?: { readonly issuer: Bytes; readonly serial: Bytes };
}

const REFERENCES = "signing certificate attribute";

/** The references of SigningCertificate (`version` 1) or SigningCertificateV2, signer first. */
export function readSigningCertificate(
  bytes: Bytes,
  version: 1 | 2,
): readonly CertificateReference[] {
  const [references] = membersOf(readDer(bytes, REFERENCES), REFERENCES, "SEQUENCE SEQUENCE?");
  const found = elementsOf(references, REFERENCES, TAG.sequence)
    .map((reference) => referenceOf(reference, version));
  if (found.length === 0) throw unreadable(REFERENCES, "it names no certificate");
  return found;
}

function referenceOf(reference: DerValue, version: 1 | 2): CertificateReference {
  // RFC 2634 section 5.4.1 fixes SHA-1; RFC 5035 section 4 defaults to SHA-256.
  const isV2 = version === 2 && reference.children[0]?.tag === TAG.sequence;
  const [algorithm, digest, issuerSerial] = isV2
    ? membersOf(reference, REFERENCES, "SEQUENCE OCTETS SEQUENCE?")
    : [undefined, ...membersOf(reference, REFERENCES, "OCTETS SEQUENCE?")];
  return {
    hash: algorithm
      ? hashNameOf(algorithmOf(algorithm, REFERENCES))
      : version === 1
      ? "SHA-1"
      : "SHA-256",
    digest: digest.contents,
    ...(issuerSerial && { issuerSerial: issuerSerialOf(issuerSerial) }),
  };
}

/** RFC 5035 section 5: a public key certificate has one directory name as its issuer. */
function issuerSerialOf(value: DerValue): { issuer: Bytes; serial: Bytes } {
  const [names, serial] = membersOf(value, REFERENCES, "SEQUENCE INTEGER");
  const [name] = membersOf(names, REFERENCES, "[4]");
  return { issuer: name.contents, serial: serial.contents };
}

/** Reports whether `reference` names `certificate` by its hash and, if given, issuer and serial. */
export async function isReferenceTo(
  { hash, digest, issuerSerial }: CertificateReference,
  { der, issuer, serial }: Certificate,
): Promise<boolean> {
  if (!equalBytes(new Uint8Array(await crypto.subtle.digest(hash, der)), digest)) return false;
  return issuerSerial === undefined ||
    equalBytes(issuerSerial.issuer, issuer) && equalBytes(issuerSerial.serial, serial);
}
