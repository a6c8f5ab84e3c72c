/**
 * X.509 certificates of version 3 (RFC 5280 section 4.1), and files of root certificates.
 *
 * @module
 */

import { type Bytes, equalBytes, textOf } from "../../base/bytes.ts";
import { errorBuilder, hasCode, tryParse } from "../../base/errors.ts";
import { parsePem } from "../format/pem.ts";
import {
  type AlgorithmIdentifier,
  algorithmOf,
  type Extension,
  extensionsOf,
  integerOf,
  membersOf,
  nameAttributesOf,
  printableText,
  timeOf,
  untagged,
} from "./asn1.ts";
import { type DerValue, readDer, TAG, unreadable } from "./der.ts";

/** A key that verifies signatures. */
export interface PublicKey {
  readonly algorithm: AlgorithmIdentifier;
  /** Contents of the bit string: the number of unused bits, and the key. */
  readonly bits: Bytes;
  /** DER of SubjectPublicKeyInfo. */
  readonly spki: Bytes;
}

/** A certificate. Byte strings are DER unless noted otherwise. */
export interface Certificate {
  readonly der: Bytes;
  /** TBSCertificate. */
  readonly signed: Bytes;
  /** Contents of the integer. */
  readonly serial: Bytes;
  readonly issuer: Bytes;
  readonly subject: DerValue;
  /** The subject's common name or organization, for people. */
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
  readonly extensions: ReadonlyMap<string, Extension>;
}

/** The encoding of version 3. */
const VERSION_3 = 2;

/** Attributes that name a subject, the best one first (RFC 5280 section 4.1.2.4). */
const NAMING = [["2.5.4.3", "CN"], ["2.5.4.11", "OU"], ["2.5.4.10", "O"]] as const;
const SUBJECT_TEXT_LENGTH = 64;

const invalidRoots = errorBuilder("invalid_configuration", "Cannot use root certificates");

/** Larger than the roots of an operating system. */
export const MAX_ROOTS_FILE_BYTES = 4 * 1024 * 1024;

/** Reads a certificate of version 3; `timestamp_refused` for any other input. */
export function readCertificate(bytes: Bytes, what: string): Certificate {
  const [signed, algorithm, signature] = membersOf(
    readDer(bytes, what),
    what,
    "SEQUENCE SEQUENCE BITS",
  );
  const [version, serial, signedAlgorithm, issuer, validity, subject, spki, , , extensions] =
    membersOf(
      signed,
      what,
      "[0]? INTEGER SEQUENCE SEQUENCE SEQUENCE SEQUENCE SEQUENCE (1)? (2)? [3]?",
    );
  const number = version && untagged(version, what, "INTEGER");
  if (!number || integerOf(number, what) !== VERSION_3) {
    throw unreadable(what, "the certificate is not of version 3");
  }
  // RFC 5280 section 4.1.1.2: the signed algorithm is the algorithm of the signature.
  if (!equalBytes(signedAlgorithm.bytes, algorithm.bytes)) {
    throw unreadable(what, "the signed signature algorithm differs from the one used");
  }
  if (signature.contents[0] !== 0) throw unreadable(what, "the signature is not of whole bytes");
  const [notBefore, notAfter] = membersOf(validity, what, "ANY ANY");
  nameAttributesOf(issuer, what);
  return {
    der: bytes,
    signed: signed.bytes,
    serial: serial.contents,
    issuer: issuer.bytes,
    subject,
    subjectText: subjectTextOf(subject, what),
    notBefore: secondsOf(notBefore, what),
    notAfter: secondsOf(notAfter, what),
    publicKey: publicKeyOf(spki, what),
    signatureAlgorithm: algorithmOf(algorithm, what),
    signature: signature.contents.subarray(1),
    extensions: extensions ? extensionsOf(untagged(extensions, what, "SEQUENCE"), what) : new Map(),
  };
}

/** The key in a SubjectPublicKeyInfo; `timestamp_refused`. */
export function publicKeyOf(value: DerValue, what: string): PublicKey {
  const [algorithm, { contents: bits }] = membersOf(value, what, "SEQUENCE BITS");
  return { algorithm: algorithmOf(algorithm, what), bits, spki: value.bytes };
}

function secondsOf(value: DerValue, what: string): number {
  const { seconds, fraction } = timeOf(value, what);
  // RFC 5280 section 4.1.2.5.2.
  if (fraction !== "") throw unreadable(what, "a validity time has fractional seconds");
  return seconds;
}

function subjectTextOf(subject: DerValue, what: string): string {
  const attributes = nameAttributesOf(subject, what);
  for (const [type, label] of NAMING) {
    const attribute = attributes.find((each) => each.type === type);
    const text = attribute && printableText(attribute.value, SUBJECT_TEXT_LENGTH);
    if (text !== undefined) return `${label}=${text}`;
  }
  return "an authority without a name";
}

/**
 * The certificates of a file, at least one: a file in DER has one, a file in PEM any number (RFC
 * 7468 section 5). `invalid_configuration` for any other file.
 */
export function readRoots(file: Bytes): readonly Certificate[] {
  if (file.length > MAX_ROOTS_FILE_BYTES) {
    throw invalidRoots(`the file is larger than ${MAX_ROOTS_FILE_BYTES} bytes`);
  }
  const encoded = file[0] === TAG.sequence ? [file] : pemCertificates(file);
  if (encoded.length === 0) throw invalidRoots("the file has no certificate in PEM or DER");
  return encoded.map((bytes, i) => {
    try {
      return readCertificate(bytes, `certificate ${i + 1}`);
    } catch (error) {
      if (!hasCode(error, "timestamp_refused")) throw error;
      throw invalidRoots(error.message, { cause: error });
    }
  });
}

function pemCertificates(file: Bytes): readonly Bytes[] {
  const code = "invalid_configuration";
  const text = tryParse(() => textOf(file, code));
  if (text === undefined) return [];
  return parsePem(text, code)
    .flatMap(({ label, bytes }) => label === "CERTIFICATE" ? [bytes] : []);
}
