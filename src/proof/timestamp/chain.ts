/**
 * The path from a token's signer to a root (RFC 5280 section 6.1) at the time of the token.
 * Revocation is not checked: a token does not carry the data for it.
 *
 * Of name constraints (section 4.2.1.10), only permitted subtrees of directory names are checked. The
 * section asks to refuse what a verifier does not check, so these are refused:
 *
 * - a constraint that excludes directory names: a subject could vary the spelling of its name
 * - a constraint on another form of name, if a certificate below has a name of that form
 *
 * @module
 */

import { equalBytes } from "../../base/bytes.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { isSignedBy, signatureSchemeOf } from "./algorithms.ts";
import { elementsOf, membersOf, nameAttributesOf, untagged } from "./asn1.ts";
import type { Certificate } from "./certificate.ts";
import {
  alternativeNamesOf,
  checkIssuerCertificate,
  extensionOf,
  subjectKeyOf,
  unfit,
} from "./certificate_checks.ts";
import { type DerValue, TAG } from "./der.ts";

/** Certificates on a path, with signer and root. */
const MAX_PATH = 8;
/** Candidate issuers. The bound is needed: many certificates of one name have exponentially many paths. */
const MAX_TRIES = 64;

/** Signer first, root last. */
export type CertificatePath = readonly [signer: Certificate, ...issuers: Certificate[]];

/**
 * Finds a path from `signer` over some of `intermediates` to one of `roots`, all valid at `time`
 * (Unix seconds). If there is none, throws `timestamp_refused` with the fault of the longest path that was tried.
 */
export async function findPath(
  signer: Certificate,
  intermediates: readonly Certificate[],
  roots: readonly Certificate[],
  time: number,
): Promise<CertificatePath> {
  let tries = 0;
  let longest = { length: 0, error: unfit(signer, "no issuer leads to a root") };
  const path = await extend([signer]);
  if (path) return path;
  throw longest.error;

  async function extend(path: CertificatePath): Promise<CertificatePath | undefined> {
    // Roots first: a token may contain a copy of the root, which is not trusted as a root.
    for (const root of roots) {
      if (await isIssuer(root, path)) return [...path, root];
    }
    for (const issuer of path.length + 1 < MAX_PATH ? intermediates : []) {
      if (equalBytes(issuer.subject.bytes, issuer.issuer)) continue;
      const found = await isIssuer(issuer, path) && await extend([...path, issuer]);
      if (found) return found;
    }
    recordFault(path.length, unfit(path.at(-1)!, "no issuer leads to a root"));
    return undefined;
  }

  /** Reports whether `issuer` signed the last certificate of `path` and its constraints permit the whole path. */
  async function isIssuer(issuer: Certificate, path: CertificatePath): Promise<boolean> {
    const last = path.at(-1)!;
    const isOnPath = path.some(({ der }) => equalBytes(der, issuer.der));
    if (isOnPath || !equalBytes(issuer.subject.bytes, last.issuer)) return false;
    if (tries === MAX_TRIES) throw unfit(last, `more than ${MAX_TRIES} candidate issuers`);
    try {
      if (!isIssuerKey(issuer, last)) return false;
      tries++;
      await checkIssuance(issuer, path, time);
      return true;
    } catch (error) {
      if (!hasCode(error, "timestamp_refused")) throw error;
      recordFault(path.length + 1, error);
      return false;
    }
  }

  function recordFault(length: number, error: CountersignError): void {
    if (length > longest.length) longest = { length, error };
  }
}

/** Reports whether `certificate` has the key identifier of `issuer`, if both have one. */
function isIssuerKey(issuer: Certificate, certificate: Certificate): boolean {
  const authority = extensionOf(certificate, "authorityKeyIdentifier");
  if (authority === undefined) return true;
  const [issuerKey] = membersOf(authority, "authorityKeyIdentifier", "(0)? [1]? (2)?");
  const subjectKey = issuerKey && subjectKeyOf(issuer);
  return !issuerKey || !subjectKey || equalBytes(issuerKey.contents, subjectKey.contents);
}

async function checkIssuance(
  issuer: Certificate,
  path: CertificatePath,
  time: number,
): Promise<void> {
  const last = path.at(-1)!;
  checkIssuerCertificate(issuer, time, path.length - 1);
  checkNameConstraints(issuer, path);
  const scheme = signatureSchemeOf(last.signatureAlgorithm);
  if (!await isSignedBy(issuer.publicKey, scheme, last.signed, last.signature)) {
    throw unfit(last, "its issuer did not sign it");
  }
}

const WHAT = "nameConstraints";
const DIRECTORY_NAME = TAG.constructed(4);
const EMAIL_NAME = TAG.primitive(1);
/** PKCS #9 emailAddress in a subject. Constraints on email names cover it. */
const EMAIL_ATTRIBUTE = "1.2.840.113549.1.9.1";

/** Throws if `issuer` does not permit the names of a certificate of `below`, or may not. */
function checkNameConstraints(issuer: Certificate, below: readonly Certificate[]): void {
  const constraints = extensionOf(issuer, "nameConstraints");
  if (constraints === undefined) return;
  const [permitted = [], excluded = []] = membersOf(constraints, WHAT, "[0]? [1]?").map(basesOf);
  const subtrees = permitted.filter(({ tag }) => tag === DIRECTORY_NAME)
    .map((base) => untagged(base, WHAT, "SEQUENCE"));
  for (const certificate of below) {
    const names = namesOf(certificate);
    const hasUncheckedForm = [...permitted, ...excluded].some(({ tag }) =>
      tag !== DIRECTORY_NAME && names.some((name) => name.tag === tag)
    );
    if (hasUncheckedForm) {
      throw unfit(certificate, "an issuer constrains another form of its names");
    }
    if (excluded.some(({ tag }) => tag === DIRECTORY_NAME)) {
      throw unfit(certificate, "an issuer excludes directory names");
    }
    if (subtrees.length === 0) continue;
    for (const { directoryName } of names) {
      if (directoryName === undefined) continue;
      const isPermitted = subtrees.some((subtree) => isWithin(directoryName, subtree));
      if (!isPermitted) throw unfit(certificate, "an issuer does not permit its name");
    }
  }
}

/** The base names of GeneralSubtrees. DER omits `minimum`; RFC 5280 forbids `maximum`. */
function basesOf(subtrees: DerValue | undefined): readonly DerValue[] {
  if (subtrees === undefined) return [];
  return elementsOf(subtrees, WHAT, TAG.sequence, subtrees.tag)
    .flatMap((subtree) => membersOf(subtree, WHAT, "ANY"));
}

interface CertificateName {
  /** The form of the name: its tag as a GeneralName. */
  readonly tag: number;
  readonly directoryName?: DerValue;
}

/** The subject and the alternative names of a certificate. */
function namesOf(certificate: Certificate): readonly CertificateName[] {
  const { subject } = certificate;
  const hasEmail = nameAttributesOf(subject, "subject").some(({ type }) =>
    type === EMAIL_ATTRIBUTE
  );
  return [
    { tag: DIRECTORY_NAME, directoryName: subject },
    ...hasEmail ? [{ tag: EMAIL_NAME }] : [],
    ...alternativeNamesOf(certificate).map(({ tag, children: [name] }) =>
      tag === DIRECTORY_NAME && name ? { tag, directoryName: name } : { tag }
    ),
  ];
}

/** Reports whether `name` begins with all of `subtree`, byte for byte. */
function isWithin(name: DerValue, subtree: DerValue): boolean {
  return subtree.children.every(({ bytes }, i) => {
    const found = name.children[i];
    return found !== undefined && equalBytes(found.bytes, bytes);
  });
}
