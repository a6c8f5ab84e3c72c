/**
 * A time-stamp token: CMS SignedData over a TSTInfo with one signer (RFC 3161 section 2.4.2, RFC
 * 5652 section 5).
 *
 * @module
 */

import * as asn1js from "asn1js";
import { type AlgorithmIdentifier, ContentInfo, SignedData, SignerInfo } from "pkijs";
import { type Bytes, concat, equalBytes, hexOf } from "../../bytes.ts";
import { type Certificate, readCertificate } from "./certificate.ts";
import { type DerValue, TAG, unreadable } from "./der.ts";
import { readPki } from "./pki.ts";
import { type CertificateReference, readSigningCertificate } from "./signing_certificate.ts";
import { readTimeStampInfo, type TimeStampInfo } from "./tst_info.ts";

/** Whom a SignerInfo names as the signer: DER of a name and contents of a serial number, or a key. */
export type SignerId =
  | { readonly issuer: Bytes; readonly serial: Bytes }
  | { readonly keyId: Bytes };

/** The signed part of a SignerInfo, and its signature. */
export interface TokenSigner {
  readonly id: SignerId;
  readonly digestAlgorithm: AlgorithmIdentifier;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  readonly signature: Bytes;
  /** DER of the set of signed attributes, which the signature is over. */
  readonly signed: Bytes;
  readonly messageDigest: Bytes;
  /** One list for each attribute that refers to certificates; the signer's is first in each. */
  readonly references: readonly (readonly CertificateReference[])[];
}

/** A token as it is read; nothing of it is verified. */
export interface TimeStampToken {
  readonly info: TimeStampInfo;
  /** DER of the TSTInfo. */
  readonly content: Bytes;
  readonly signer: TokenSigner;
  readonly certificates: readonly Certificate[];
}

const WHAT = "time-stamp token";
const SIGNED_DATA = "1.2.840.113549.1.7.2";
const TST_INFO = "1.2.840.113549.1.9.16.1.4";
const ATTRIBUTE = {
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
} as const;

/** Bounds the signatures that a path is looked for with. */
const MAX_CERTIFICATES = 16;

/** The token whose ContentInfo `bytes` encode; `anchor_refused` when they are none. */
export function readToken(bytes: Bytes): TimeStampToken {
  const { value: contentInfo, der } = readPki(ContentInfo, bytes, WHAT);
  if (contentInfo.contentType !== SIGNED_DATA) {
    throw unreadable(WHAT, "signed data", `content type ${contentInfo.contentType}`);
  }
  const [, wrapped] = der.children;
  // pkijs writes the version that the content needs, which is 3 (RFC 5652 section 5.1): no other passes.
  const { value, der: signedData } = readPki(SignedData, wrapped!.contents, WHAT);
  const { eContentType } = value.encapContentInfo;
  if (eContentType !== TST_INFO) throw unreadable(WHAT, "a TSTInfo", `type ${eContentType}`);
  const content = signedData.children[2]?.children[1]?.children[0];
  if (content?.tag !== TAG.octetString) throw unreadable(WHAT, "a TSTInfo", "none");

  const [signerInfo, ...others] = signedData.children.at(-1)!.children;
  if (!signerInfo || others.length > 0) {
    throw unreadable(WHAT, "one signer", `${signerInfo ? others.length + 1 : 0}`);
  }
  const signer = readSigner(signerInfo);
  const { algorithmId } = signer.digestAlgorithm;
  if (!value.digestAlgorithms.some((each) => each.algorithmId === algorithmId)) {
    throw unreadable(WHAT, "the signer's digest algorithm in its list", "others");
  }
  const info = readTimeStampInfo(content.contents);
  return { info, content: content.contents, signer, certificates: readCertificates(signedData) };
}

function readCertificates(signedData: DerValue): readonly Certificate[] {
  const set = signedData.children.find(({ tag }) => tag === TAG.constructed(0))?.children ?? [];
  if (set.length > MAX_CERTIFICATES) {
    throw unreadable(WHAT, `at most ${MAX_CERTIFICATES} certificates`, `${set.length}`);
  }
  return set.map(({ tag, bytes }) => {
    if (tag !== TAG.sequence) throw unreadable(WHAT, "X.509 certificates alone", "others");
    return readCertificate(bytes, "certificate of the token");
  });
}

function readSigner({ bytes }: DerValue): TokenSigner {
  const { value, der } = readPki(SignerInfo, bytes, "signer of the token");
  const set = der.children[3];
  if (!value.signedAttrs || set?.tag !== TAG.constructed(0)) {
    throw unreadable(WHAT, "signed attributes", "none");
  }
  requireAscending(set.children);
  const attributes = new Map<string, DerValue>();
  for (const [place, { type }] of value.signedAttrs.attributes.entries()) {
    // RFC 5652 sections 5.3 and 11: an attribute once, and those used here with one value.
    if (attributes.has(type)) throw unreadable(WHAT, `attribute ${type} once`, "it twice");
    attributes.set(type, set.children[place]!.children[1]!);
  }
  return {
    id: signerIdOf(value.version, der.children[1]!),
    digestAlgorithm: value.digestAlgorithm,
    signatureAlgorithm: value.signatureAlgorithm,
    signature: value.signature.valueBlock.valueHexView.slice(),
    // RFC 5652 section 5.4: what is signed has the tag of a set in place of the implicit one.
    signed: concat(Uint8Array.of(TAG.set), set.bytes.subarray(1)),
    messageDigest: messageDigestOf(attributes),
    references: referencesOf(attributes),
  };
}

/** RFC 5652 section 5.4 and X.690 section 11.6: the DER of a set is in ascending order. */
function requireAscending(values: readonly DerValue[]): void {
  for (const [place, { bytes }] of values.entries()) {
    const before = values[place - 1]?.bytes;
    if (before && hexOf(before) >= hexOf(bytes)) {
      throw unreadable(WHAT, "signed attributes in ascending order", "another order");
    }
  }
}

/** RFC 5652 section 5.3: version 1 goes with a name and a number, version 3 with a key. */
function signerIdOf(version: number, { tag, children, contents }: DerValue): SignerId {
  if (version === 1 && tag === TAG.sequence) {
    const [issuer, serial] = children;
    return { issuer: issuer!.bytes, serial: serial!.contents };
  }
  if (version === 3 && tag === TAG.primitive(0)) return { keyId: contents };
  throw unreadable(WHAT, "a signer of version 1 or 3", "another");
}

/** The value of a required attribute. */
function onlyValue(attributes: ReadonlyMap<string, DerValue>, type: string): DerValue {
  const [value, ...others] = attributes.get(type)?.children ?? [];
  if (value === undefined || others.length > 0) {
    throw unreadable(WHAT, `attribute ${type} with one value`, `${value ? "more" : "none"}`);
  }
  return value;
}

/** RFC 5652 sections 11.1 and 11.2: the digest of content of the type that is signed beside it. */
function messageDigestOf(attributes: ReadonlyMap<string, DerValue>): Bytes {
  const type = onlyValue(attributes, ATTRIBUTE.contentType);
  const required = new Uint8Array(new asn1js.ObjectIdentifier({ value: TST_INFO }).toBER());
  if (!equalBytes(type.bytes, required)) throw unreadable(WHAT, "a signed TSTInfo", "another type");
  const digest = onlyValue(attributes, ATTRIBUTE.messageDigest);
  if (digest.tag !== TAG.octetString) throw unreadable(WHAT, "a message digest", "another value");
  return digest.contents;
}

/** RFC 3161 section 2.4.2, RFC 5816 section 2.2.1: one of either kind, or both. */
function referencesOf(
  attributes: ReadonlyMap<string, DerValue>,
): readonly (readonly CertificateReference[])[] {
  const references = ([
    [ATTRIBUTE.signingCertificate, 1],
    [ATTRIBUTE.signingCertificateV2, 2],
  ] as const).flatMap(([type, version]) =>
    attributes.has(type) ? [readSigningCertificate(onlyValue(attributes, type).bytes, version)] : []
  );
  if (references.length === 0) throw unreadable(WHAT, "a signing certificate attribute", "none");
  return references;
}
