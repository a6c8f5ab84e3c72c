/**
 * Verifies a time-stamp token (RFC 3161 section 2.2, RFC 5652 sections 5.4 and 5.6): an authority
 * whose one purpose is time stamping signed this digest and this time.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { hashNameOf, isSignedBy, signatureSchemeOf } from "./algorithms.ts";
import { findPath } from "./chain.ts";
import { alternativeNamesOf, checkSignerCertificate, subjectKeyOf } from "./certificate_checks.ts";
import type { Certificate } from "./certificate.ts";
import { encodeDer, TAG } from "./der.ts";
import { isSameImprint, type MessageImprint } from "./message_imprint.ts";
import { isReferenceTo, type SignerId, type TimeStampToken } from "./token.ts";

/** Values that a token must state. */
export interface TokenExpectation {
  /** Absent to accept any. */
  readonly imprint?: MessageImprint | undefined;
  /** Contents of the integer; absent when the request is gone. */
  readonly nonce?: Bytes;
  /** Dotted object identifier; absent to accept any policy. */
  readonly policy?: string | undefined;
}

/** A token whose signature verifies. {@linkcode requireRoot} checks its signer. */
export interface VerifiedToken {
  readonly token: TimeStampToken;
  readonly signer: Certificate;
}

const refused = errorBuilder("timestamp_refused", "Cannot verify time-stamp token");

/** Verifies the signature of `token`; `timestamp_refused` with its first fault. */
export async function verifyToken(
  token: TimeStampToken,
  expected: TokenExpectation,
): Promise<VerifiedToken> {
  const { imprint, nonce, policy, genTime } = token.info;
  if (expected.imprint !== undefined && !isSameImprint(imprint, expected.imprint)) {
    throw refused("it is for another digest");
  }
  if (expected.nonce && !(nonce && equalBytes(nonce, expected.nonce))) {
    throw refused(nonce ? "its nonce is not that of the request" : "it has no nonce");
  }
  if (expected.policy !== undefined && policy !== expected.policy) {
    throw refused(`its policy is ${policy}, not ${expected.policy}`);
  }
  const signer = await findSigner(token);
  checkAuthorityName(token, signer);
  checkSignerCertificate(signer, genTime);
  await checkSignature(token, signer);
  return { token, signer };
}

/** Throws unless one of `roots` vouches for the token's signer at the token's time. */
export async function requireRoot(
  { token, signer }: VerifiedToken,
  roots: readonly Certificate[],
): Promise<void> {
  const path = await findPath(signer, token.certificates, roots, token.info.genTime);
  // RFC 5035 section 3: references after the signer's restrict the path.
  for (const reference of token.signer.references.flatMap(([, ...others]) => others)) {
    const matches = path.map((certificate) => isReferenceTo(reference, certificate));
    if (!(await Promise.all(matches)).includes(true)) {
      throw refused("it references a certificate off its path");
    }
  }
}

/** The certificate that the signer identifier and every signing certificate attribute name. */
async function findSigner({ signer, certificates }: TimeStampToken): Promise<Certificate> {
  const named = certificates.filter((certificate) => isNamed(signer.id, certificate));
  if (named.length === 0) throw refused("it lacks its signer's certificate");
  for (const certificate of named) {
    const matches = signer.references.map(([first]) => isReferenceTo(first!, certificate));
    if (!(await Promise.all(matches)).includes(false)) return certificate;
  }
  throw refused("its signing certificate attribute names another certificate");
}

function isNamed(id: SignerId, certificate: Certificate): boolean {
  if ("issuer" in id) {
    return equalBytes(id.issuer, certificate.issuer) && equalBytes(id.serial, certificate.serial);
  }
  const key = subjectKeyOf(certificate);
  return key !== undefined && equalBytes(key.contents, id.keyId);
}

/** RFC 3161 section 2.4.2: a name of the authority in the token is a name of its certificate. */
function checkAuthorityName({ info: { authority } }: TimeStampToken, signer: Certificate): void {
  const names = [
    encodeDer(TAG.constructed(4), signer.subject.bytes),
    ...alternativeNamesOf(signer).map(({ bytes }) => bytes),
  ];
  if (authority !== undefined && !names.some((name) => equalBytes(name, authority))) {
    throw refused("its authority's name is not in the signer's certificate");
  }
}

async function checkSignature(token: TimeStampToken, { publicKey }: Certificate): Promise<void> {
  const { content, signer } = token;
  const hash = hashNameOf(signer.digestAlgorithm);
  const digest = new Uint8Array(await crypto.subtle.digest(hash, content));
  if (!equalBytes(digest, signer.messageDigest)) throw refused("its message digest is wrong");
  const scheme = signatureSchemeOf(signer.signatureAlgorithm, hash);
  // RFC 5652 section 5.4: one hash function for both digests.
  if (scheme.hash !== hash) {
    throw refused(`it is signed with ${scheme.hash} but digested with ${hash}`);
  }
  if (!await isSignedBy(publicKey, scheme, signer.signed, signer.signature)) {
    throw refused("its signature is invalid");
  }
}
