/**
 * Whether a certificate may sign tokens (RFC 3161 section 2.3) or issue certificates (RFC 5280
 * sections 4.2 and 6.1.4) at the time of a token.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { elementsOf, integerOf, membersOf, objectIdentifierOf } from "./asn1.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, readDer, TAG, unreadable } from "./der.ts";

/** Extensions by object identifier (RFC 5280 section 4.2.1). */
const EXTENSION = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  nameConstraints: "2.5.29.30",
  certificatePolicies: "2.5.29.32",
  policyMappings: "2.5.29.33",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  inhibitAnyPolicy: "2.5.29.54",
} as const;

/**
 * Extensions that may be critical: those that the checks enforce, and those on policies, which
 * decide nothing unless a policy is required (RFC 5280 section 6.1.1). policyConstraints can
 * require a policy, so it is absent.
 */
const UNDERSTOOD = new Set<string>([
  EXTENSION.keyUsage,
  EXTENSION.subjectAltName,
  EXTENSION.basicConstraints,
  EXTENSION.nameConstraints,
  EXTENSION.certificatePolicies,
  EXTENSION.policyMappings,
  EXTENSION.extendedKeyUsage,
  EXTENSION.inhibitAnyPolicy,
]);

const TIME_STAMPING = "1.3.6.1.5.5.7.3.8";
const ANY_EXTENDED_KEY_USAGE = "2.5.29.37.0";

/** Bits of KeyUsage, the first one highest (RFC 5280 section 4.2.1.3). */
const DIGITAL_SIGNATURE = 0x80;
const NON_REPUDIATION = 0x40;
const KEY_CERT_SIGN = 0x04;

/** The error for a certificate that may not be trusted. */
export function unfit(certificate: Certificate, reason: string): CountersignError {
  const message = `Cannot trust certificate of ${certificate.subjectText}: ${reason}`;
  return new CountersignError("timestamp_refused", message);
}

/** The DER of an extension, or `undefined` when `certificate` lacks it. */
export function extensionOf(
  { extensions }: Certificate,
  name: keyof typeof EXTENSION,
): DerValue | undefined {
  const extension = extensions.get(EXTENSION[name]);
  return extension && readDer(extension.value, name);
}

/** The key identifier of a certificate's subject. */
export function subjectKeyOf(certificate: Certificate): DerValue | undefined {
  const key = extensionOf(certificate, "subjectKeyIdentifier");
  if (key && key.tag !== TAG.octetString) throw unfit(certificate, "its key identifier is invalid");
  return key;
}

/** The alternative names of a certificate's subject, each a GeneralName. */
export function alternativeNamesOf(certificate: Certificate): readonly DerValue[] {
  const names = extensionOf(certificate, "subjectAltName");
  if (names && names.tag !== TAG.sequence) {
    throw unfit(certificate, "its alternative names are invalid");
  }
  return names?.children ?? [];
}

/** Throws unless `certificate` may sign tokens at `time`, Unix seconds. */
export function checkSignerCertificate(certificate: Certificate, time: number): void {
  checkAnyCertificate(certificate, time);
  const purposes = purposesOf(certificate);
  if (!purposes || !certificate.extensions.get(EXTENSION.extendedKeyUsage)!.critical) {
    throw unfit(certificate, "it has no critical extended key usage");
  }
  // RFC 3161 section 2.3.
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING) {
    throw unfit(certificate, `time stamping is not its only purpose: ${purposes.join(" ")}`);
  }
  const bits = keyUsageOf(certificate);
  const signing = DIGITAL_SIGNATURE | NON_REPUDIATION;
  if (bits !== undefined && ((bits & signing) === 0 || (bits & ~signing) !== 0)) {
    throw unfit(certificate, "signing is not its only key usage");
  }
}

/**
 * Throws unless `certificate` may issue certificates at `time`.
 *
 * @param below number of authorities between it and the signer
 */
export function checkIssuerCertificate(
  certificate: Certificate,
  time: number,
  below: number,
): void {
  checkAnyCertificate(certificate, time);
  const constraints = extensionOf(certificate, "basicConstraints");
  const [isAuthority, limit] = constraints
    ? membersOf(constraints, "basicConstraints", "BOOLEAN? INTEGER?")
    : [];
  if (!isAuthority?.contents[0]) throw unfit(certificate, "it is not a certificate authority");
  if (limit && integerOf(limit, "path length") < below) {
    throw unfit(certificate, `its path length is below ${below}`);
  }
  const bits = keyUsageOf(certificate);
  if (bits !== undefined && (bits & KEY_CERT_SIGN) === 0) {
    throw unfit(certificate, "its key usage lacks keyCertSign");
  }
  const purposes = purposesOf(certificate);
  if (purposes && !purposes.some((id) => id === TIME_STAMPING || id === ANY_EXTENDED_KEY_USAGE)) {
    throw unfit(certificate, `time stamping is not among its purposes: ${purposes.join(" ")}`);
  }
}

function checkAnyCertificate(certificate: Certificate, time: number): void {
  const { notBefore, notAfter, extensions } = certificate;
  if (time < notBefore) throw unfit(certificate, "it was not valid yet at the token's time");
  if (time > notAfter) throw unfit(certificate, "it had expired at the token's time");
  for (const [id, { critical }] of extensions) {
    if (critical && !UNDERSTOOD.has(id)) {
      throw unfit(certificate, `unknown critical extension ${id}`);
    }
  }
}

function purposesOf(certificate: Certificate): readonly string[] | undefined {
  const usage = extensionOf(certificate, "extendedKeyUsage");
  return usage && elementsOf(usage, "extendedKeyUsage", TAG.objectIdentifier)
    .map(objectIdentifierOf);
}

/** The first eight bits of the key usage as a byte, and the next eight above them. */
function keyUsageOf(certificate: Certificate): number | undefined {
  const usage = extensionOf(certificate, "keyUsage");
  if (usage === undefined) return undefined;
  const [, bits = 0, more = 0, ...rest] = usage.contents;
  if (usage.tag !== TAG.bitString || rest.length > 0) {
    throw unreadable("keyUsage", "it is not a bit string of at most 16 bits");
  }
  return bits | (more << 8);
}
