/**
 * What the certificates of a token may do, at the time of the token: the authority's own (RFC 3161
 * section 2.3) and those that vouch for it (RFC 5280 sections 4.2 and 6.1.4).
 *
 * @module
 */

import { BasicConstraints, ExtKeyUsage } from "pkijs";
import type { Bytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import type { Certificate } from "./certificate.ts";
import { readDer, TAG, unreadable } from "./der.ts";
import { readPki } from "./pki.ts";

/** Extensions by object identifier (RFC 5280 section 4.2.1). */
export const EXTENSION = {
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
 * Extensions that may be critical: those that are enforced here, and those on policies, which
 * decide nothing while no policy is required (RFC 5280 section 6.1.1). The one that requires a
 * policy, policyConstraints, is not among them.
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

/** What one certificate lacks. */
export function unfit(
  certificate: Certificate,
  required: string,
  found: string,
): CountersignError {
  return new CountersignError(
    "anchor_refused",
    `Cannot trust certificate of ${certificate.subjectText}: ${required} required, found ${found}`,
  );
}

/** Refuses what may not sign tokens at `time`, Unix seconds. */
export function checkSignerCertificate(certificate: Certificate, time: number): void {
  checkAnyCertificate(certificate, time);
  const usage = certificate.extensions.get(EXTENSION.extendedKeyUsage);
  if (!usage?.critical) throw unfit(certificate, "a critical extended key usage", "none");
  const purposes = purposesOf(usage.value);
  // RFC 3161 section 2.3: time stamping, and nothing beside it.
  if (purposes.length !== 1 || purposes[0] !== TIME_STAMPING) {
    throw unfit(certificate, "time stamping as its one purpose", purposes.join(" "));
  }
  const bits = keyUsageOf(certificate);
  const signing = DIGITAL_SIGNATURE | NON_REPUDIATION;
  if (bits !== undefined && ((bits & signing) === 0 || (bits & ~signing) !== 0)) {
    throw unfit(certificate, "signing as its only key usage", "another");
  }
}

/**
 * Refuses what may not vouch for certificates at `time`.
 *
 * @param below authorities between it and the signer, which its path length counts
 */
export function checkIssuerCertificate(
  certificate: Certificate,
  time: number,
  below: number,
): void {
  checkAnyCertificate(certificate, time);
  const constraints = certificate.extensions.get(EXTENSION.basicConstraints);
  const { value } = constraints
    ? readPki(BasicConstraints, constraints.value, "basic constraints")
    : { value: undefined };
  if (!value?.cA) throw unfit(certificate, "a certificate authority", "none");
  const { pathLenConstraint: limit } = value;
  if (limit !== undefined && !(typeof limit === "number" && limit >= below)) {
    throw unfit(certificate, `a path length of ${below}`, "a shorter one");
  }
  const bits = keyUsageOf(certificate);
  if (bits !== undefined && (bits & KEY_CERT_SIGN) === 0) {
    throw unfit(certificate, "key usage keyCertSign", "others");
  }
  const usage = certificate.extensions.get(EXTENSION.extendedKeyUsage);
  const purposes = usage && purposesOf(usage.value);
  // An authority that is kept to other purposes vouches for no time stamps.
  if (purposes && !purposes.some((id) => id === TIME_STAMPING || id === ANY_EXTENDED_KEY_USAGE)) {
    throw unfit(certificate, "time stamping among its purposes", purposes.join(" "));
  }
}

function checkAnyCertificate(certificate: Certificate, time: number): void {
  const { notBefore, notAfter, extensions } = certificate;
  if (time < notBefore) throw unfit(certificate, "validity at the time", "a later one");
  if (time > notAfter) throw unfit(certificate, "validity at the time", "an earlier one");
  for (const [id, { critical }] of extensions) {
    if (critical && !UNDERSTOOD.has(id)) throw unfit(certificate, "known critical extensions", id);
  }
}

function purposesOf(value: Bytes): readonly string[] {
  return readPki(ExtKeyUsage, value, "extended key usage").value.keyPurposes;
}

/** Bits of the key usage: those of its first byte as they stand, of a second one above them. */
function keyUsageOf({ extensions }: Certificate): number | undefined {
  const usage = extensions.get(EXTENSION.keyUsage);
  if (usage === undefined) return undefined;
  const { tag, contents } = readDer(usage.value, "key usage");
  const [, bits = 0, more = 0, ...rest] = contents;
  if (tag !== TAG.bitString || rest.length > 0) {
    throw unreadable("key usage", "at most 16 bits", "another value");
  }
  return bits | (more << 8);
}
