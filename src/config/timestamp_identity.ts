/**
 * The key and the certificates of a gateway's time-stamp authority, as `network.json` names them.
 *
 * @module
 */

import { equalBytes } from "../base/bytes.ts";
import { CountersignError, hasCode } from "../base/errors.ts";
import type {
  CertificateChain,
  TimestampIdentity,
} from "../gateway/timestamping/timestamp_signer.ts";
import { parsePem } from "../proof/format/pem.ts";
import { isSignedBy, signatureSchemeOf } from "../proof/timestamp/algorithms.ts";
import { ATTESTED_POLICY } from "../proof/timestamp/attached_proof.ts";
import { type Certificate, readCertificate } from "../proof/timestamp/certificate.ts";
import {
  checkIssuerCertificate,
  checkSignerCertificate,
} from "../proof/timestamp/certificate_checks.ts";
import type { KeyReading } from "./key_file.ts";
import { readTextFile } from "./text_file.ts";
import { readTimestampSigner } from "./timestamp_key_file.ts";
import type { TimestampingSettings } from "./timestamping.ts";
import { invalid, namingFile } from "./validation.ts";

/** Each token that a client asks with `certReq` carries them, without a root. */
const MAX_CERTIFICATES = 8;

const ORDER = "The file needs the certificate of the key first, each followed by its issuer's";

/**
 * The key and the certificates that `settings` name. A certificate that has expired, or is not valid yet,
 * is accepted: the gateway has other work. `file_failed`, `configuration_missing`, `malformed_text`,
 * `invalid_key`; `invalid_configuration` if the certificates are not of this key, not of a time-stamp
 * authority, or not in order.
 */
export async function loadTimestampIdentity(
  { keyFile, certificatesFile, policy = ATTESTED_POLICY }: TimestampingSettings,
  reading: KeyReading,
): Promise<TimestampIdentity & { readonly signer: Partial<Disposable> }> {
  const certificates = await readCertificateChain(certificatesFile);
  const [leaf] = certificates;
  const signer = await readTimestampSigner(keyFile, reading);
  if (!equalBytes(signer.publicKey, leaf.publicKey.spki)) {
    throw invalid(
      `"${certificatesFile}"`,
      `its first certificate, of ${leaf.subjectText}, is not of the key in "${keyFile}"`,
    );
  }
  return { signer, certificates, policy };
}

/** The chain in the PEM file at `path`. Errors as {@linkcode loadTimestampIdentity}. */
export async function readCertificateChain(path: string): Promise<CertificateChain> {
  const text = await readTextFile(path);
  const code = "invalid_configuration";
  const blocks = namingFile(path, () => parsePem(text, code));
  const encoded = blocks.flatMap(({ label, bytes }) => label === "CERTIFICATE" ? [bytes] : []);
  if (encoded.length > MAX_CERTIFICATES) {
    throw invalid(`"${path}"`, `it has more than ${MAX_CERTIFICATES} certificates`);
  }
  try {
    const [leaf, ...issuers] = encoded.map((der, i) =>
      readCertificate(der, `certificate ${i + 1}`)
    );
    if (leaf === undefined) throw invalid(`"${path}"`, "it has no certificate in PEM");
    if (!isOfAuthority(leaf) && issuers.some(isOfAuthority)) {
      throw new CountersignError(
        "timestamp_refused",
        `its first certificate, of ${leaf.subjectText}, is not that of the key. ${ORDER}`,
      );
    }
    // Not at the present time: the caller says what has expired.
    checkSignerCertificate(leaf, leaf.notBefore);
    await checkIssuers([leaf, ...issuers]);
    return [leaf, ...issuers];
  } catch (error) {
    if (!hasCode(error, "timestamp_refused")) throw error;
    throw new CountersignError(code, `Cannot use "${path}": ${error.message}`, { cause: error });
  }
}

function isOfAuthority(certificate: Certificate): boolean {
  try {
    checkSignerCertificate(certificate, certificate.notBefore);
    return true;
  } catch (error) {
    if (!hasCode(error, "timestamp_refused")) throw error;
    return false;
  }
}

/** Each certificate was issued by the next one. */
async function checkIssuers(chain: CertificateChain): Promise<void> {
  for (const [below, issuer] of chain.slice(1).entries()) {
    const certificate = chain[below]!;
    const misplaced = (reason: string) =>
      new CountersignError(
        "timestamp_refused",
        `${issuer.subjectText} ${reason} the certificate of ${certificate.subjectText} before it. ` +
          ORDER,
      );
    if (!equalBytes(issuer.subject.bytes, certificate.issuer)) {
      throw misplaced("is not the issuer of");
    }
    checkIssuerCertificate(issuer, issuer.notBefore, below);
    const scheme = signatureSchemeOf(certificate.signatureAlgorithm);
    if (!await isSignedBy(issuer.publicKey, scheme, certificate.signed, certificate.signature)) {
      throw misplaced("did not sign");
    }
  }
}
