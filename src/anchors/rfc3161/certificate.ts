/**
 * X.509 certificates (RFC 5280 section 4.1) as the checks of tokens and chains see them.
 *
 * @module
 */

import { type AlgorithmIdentifier, Certificate as PkiCertificate } from "pkijs";
import { type Bytes, equalBytes } from "../../bytes.ts";
import { unreadable } from "./der.ts";
import { readPki } from "./pki.ts";
import { printable } from "./text.ts";

/** An extension that pkijs found; `value` is the DER inside of its octet string. */
export interface CertificateExtension {
  readonly critical: boolean;
  readonly value: Bytes;
}

/** A key with which signatures are verified. */
export interface PublicKey {
  readonly algorithm: AlgorithmIdentifier;
  /** DER of SubjectPublicKeyInfo. */
  readonly spki: Bytes;
}

/** A certificate of version 3. Byte strings are DER where nothing else is said. */
export interface Certificate {
  readonly der: Bytes;
  /** TBSCertificate. */
  readonly signed: Bytes;
  /** Contents of the integer. */
  readonly serial: Bytes;
  readonly issuer: Bytes;
  readonly subject: Bytes;
  /** Its common name or organization, for a person. */
  readonly subjectText: string;
  /** Unix seconds, inclusive. */
  readonly notBefore: number;
  /** Unix seconds, inclusive. */
  readonly notAfter: number;
  readonly publicKey: PublicKey;
  readonly signatureAlgorithm: AlgorithmIdentifier;
  /** Contents of the bit string. */
  readonly signature: Bytes;
  /** By object identifier. */
  readonly extensions: ReadonlyMap<string, CertificateExtension>;
}

/** Value of pkijs for version 3. */
const VERSION_3 = 2;

/** Places in a TBSCertificate of version 3. */
const SERIAL = 1;
const ISSUER = 3;
const SUBJECT = 5;
const PUBLIC_KEY = 6;

/** Attributes that name a subject for a person, the best one first (RFC 5280 section 4.1.2.4). */
const NAMING = [["2.5.4.3", "CN"], ["2.5.4.11", "OU"], ["2.5.4.10", "O"]] as const;
const SUBJECT_TEXT_LENGTH = 64;

/** The certificate that `bytes` encode; `anchor_refused` when they are none of version 3. */
export function readCertificate(bytes: Bytes, what: string): Certificate {
  const { value, der } = readPki(PkiCertificate, bytes, what, (found) => found.toSchema(true));
  const [signed, , signature] = der.children;
  const members = signed?.children ?? [];
  if (value.version !== VERSION_3 || !signed || !signature) {
    throw unreadable(what, "a certificate of version 3", `version ${value.version + 1}`);
  }
  // RFC 5280 section 4.1.1.2: the algorithm that is signed is the one that signs.
  if (!equalBytes(members[2]!.bytes, der.children[1]!.bytes)) {
    throw unreadable(what, "the signed signature algorithm", "another one");
  }
  if (signature.contents[0] !== 0) throw unreadable(what, "a signature of whole bytes", "bits");
  return {
    der: bytes,
    signed: signed.bytes,
    serial: members[SERIAL]!.contents,
    issuer: members[ISSUER]!.bytes,
    subject: members[SUBJECT]!.bytes,
    subjectText: subjectTextOf(value),
    notBefore: value.notBefore.value.getTime() / 1000,
    notAfter: value.notAfter.value.getTime() / 1000,
    publicKey: {
      algorithm: value.subjectPublicKeyInfo.algorithm,
      spki: members[PUBLIC_KEY]!.bytes,
    },
    signatureAlgorithm: value.signatureAlgorithm,
    signature: signature.contents.subarray(1),
    extensions: extensionsOf(value, what),
  };
}

function extensionsOf(
  { extensions = [] }: PkiCertificate,
  what: string,
): ReadonlyMap<string, CertificateExtension> {
  const found = new Map<string, CertificateExtension>();
  for (const { extnID, critical, extnValue } of extensions) {
    // RFC 5280 section 4.2: at most one instance of an extension.
    if (found.has(extnID)) throw unreadable(what, `extension ${extnID} once`, "it twice");
    found.set(extnID, { critical, value: extnValue.valueBlock.valueHexView.slice() });
  }
  return found;
}

function subjectTextOf({ subject }: PkiCertificate): string {
  for (const [type, label] of NAMING) {
    const attribute = subject.typesAndValues.find((each) => each.type === type);
    // Whatever type an attribute's value is of: only that of a string type is a text.
    const value: unknown = attribute?.value.valueBlock.value;
    if (typeof value === "string") return `${label}=${printable(value, SUBJECT_TEXT_LENGTH)}`;
  }
  return "an authority without a name";
}
