/**
 * The path from a token's signer to a root (RFC 5280 section 6.1) at the time of the token.
 * Revocation is not checked: a token does not carry the data for it.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import { CountersignError, hasCode } from "../../errors.ts";
import { isSignedBy, signatureSchemeOf } from "./algorithms.ts";
import { membersOf } from "./asn1.ts";
import { checkIssuerCertificate, extensionOf, subjectKeyOf, unfit } from "./certificate_checks.ts";
import type { Certificate } from "./certificate.ts";
import { checkNameConstraints } from "./name_constraints.ts";

/** Certificates on a path, with signer and root. */
const MAX_PATH = 8;
/** Candidate issuers. Without a bound, certificates of one name make the paths exponentially many. */
const MAX_TRIES = 64;

/** Signer first, root last. */
export type CertificatePath = readonly [signer: Certificate, ...issuers: Certificate[]];

/**
 * Finds a path from `signer` over some of `intermediates` to one of `roots`, all valid at `time`
 * (Unix seconds). Without one, throws `anchor_refused` with the fault of the longest attempt.
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
    // Roots first: a token may carry the root too, and that copy is not trusted.
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

  /** Reports whether `issuer` signed the last certificate of `path` and may stand above all. */
  async function isIssuer(issuer: Certificate, path: CertificatePath): Promise<boolean> {
    const last = path.at(-1)!;
    if (!isNamedIssuer(issuer, last) || path.some(({ der }) => equalBytes(der, issuer.der))) {
      return false;
    }
    if (++tries > MAX_TRIES) throw unfit(last, `more than ${MAX_TRIES} candidate issuers`);
    try {
      await checkIssuance(issuer, path, time);
      return true;
    } catch (error) {
      if (!hasCode(error, "anchor_refused")) throw error;
      recordFault(path.length + 1, error);
      return false;
    }
  }

  function recordFault(length: number, error: CountersignError): void {
    if (length > longest.length) longest = { length, error };
  }
}

/** Reports whether `issuer` has the issuer name of `certificate` and, if both give it, the key. */
function isNamedIssuer(issuer: Certificate, certificate: Certificate): boolean {
  if (!equalBytes(issuer.subject.bytes, certificate.issuer)) return false;
  const authority = extensionOf(certificate, "authorityKeyIdentifier");
  const subjectKey = subjectKeyOf(issuer);
  if (!authority || !subjectKey) return true;
  const [issuerKey] = membersOf(authority, "authorityKeyIdentifier", "(0)? [1]? (2)?");
  return issuerKey === undefined || equalBytes(issuerKey.contents, subjectKey.contents);
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
