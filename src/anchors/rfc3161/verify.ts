/**
 * Verifies a time-stamp token (RFC 3161 section 2.2, RFC 5652 sections 5.4 and 5.6): that its
 * signer, an authority whose one purpose is time stamping, signed this digest and this time.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { hashNameOf, isSignedBy, signatureSchemeOf } from "./algorithms.ts";
import { findPath } from "./chain.ts";
import { checkSignerCertificate, EXTENSION } from "./certificate_checks.ts";
import type { Certificate } from "./certificate.ts";
import { encodeDer, readDer, TAG } from "./der.ts";
import { isReferenceTo } from "./signing_certificate.ts";
import { readToken, type SignerId, type TimeStampToken } from "./token.ts";

/** What a token has to say. */
export interface TokenExpectation {
  /** SHA-256, 32 bytes. */
  readonly digest: Bytes;
  /** Contents of the integer; absent when it is not known any more. */
  readonly nonce?: Bytes;
  /** Dotted object identifier; absent when any will do. */
  readonly policy?: string | undefined;
}

/** A token whose signature verifies. Who vouches for its signer is {@linkcode requireRoot}'s. */
export interface VerifiedToken {
  readonly token: TimeStampToken;
  readonly signer: Certificate;
}

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    "anchor_refused",
    `Cannot verify time-stamp token: ${required} required, found ${found}`,
  );
}

/** The token that `bytes` encode; `anchor_refused` with its first fault. */
export async function verifyToken(
  bytes: Bytes,
  expected: TokenExpectation,
): Promise<VerifiedToken> {
  const token = readToken(bytes);
  const { info } = token;
  if (!equalBytes(info.digest, expected.digest)) throw refused("the anchored digest", "another");
  if (expected.nonce && !(info.nonce && equalBytes(info.nonce, expected.nonce))) {
    throw refused("the nonce of the request", info.nonce ? "another" : "none");
  }
  if (expected.policy !== undefined && info.policy !== expected.policy) {
    throw refused(`policy ${expected.policy}`, info.policy);
  }
  const signer = await findSigner(token);
  checkAuthorityName(token, signer);
  checkSignerCertificate(signer, info.genTime);
  await checkSignature(token, signer);
  return { token, signer };
}

/** Refuses a token for whose signer none of `roots` vouches, at its time. */
export async function requireRoot(
  { token, signer }: VerifiedToken,
  roots: readonly Certificate[],
): Promise<void> {
  const path = await findPath(signer, token.certificates, roots, token.info.genTime);
  await checkOtherReferences(token, path);
}

/** The certificate that the signer and every attribute name; the attributes are signed. */
async function findSigner({ signer, certificates }: TimeStampToken): Promise<Certificate> {
  const named = certificates.filter((certificate) => isNamed(signer.id, certificate));
  if (named.length === 0) throw refused("the signer's certificate", "none");
  for (const certificate of named) {
    const matches = signer.references.map(([first]) => isReferenceTo(first!, certificate));
    if ((await Promise.all(matches)).every((isMatch) => isMatch)) return certificate;
  }
  throw refused("a signing certificate attribute of the signer", "another certificate's");
}

function isNamed(id: SignerId, { issuer, serial, extensions }: Certificate): boolean {
  if ("issuer" in id) return equalBytes(id.issuer, issuer) && equalBytes(id.serial, serial);
  const key = extensions.get(EXTENSION.subjectKeyIdentifier);
  if (key === undefined) return false;
  return equalBytes(readDer(key.value, "subject key identifier").contents, id.keyId);
}

/** RFC 3161 section 2.4.2: a name that the token gives its authority is one of the certificate's. */
function checkAuthorityName({ info: { authority } }: TimeStampToken, signer: Certificate): void {
  if (authority === undefined) return;
  const alternative = signer.extensions.get(EXTENSION.subjectAltName);
  const names = alternative ? readDer(alternative.value, "alternative names").children : [];
  const isSubject = equalBytes(authority, encodeDer(TAG.constructed(4), signer.subject));
  if (!isSubject && !names.some(({ bytes }) => equalBytes(bytes, authority))) {
    throw refused("a name of the signer's certificate", "another");
  }
}

async function checkSignature(token: TimeStampToken, { publicKey }: Certificate): Promise<void> {
  const { content, signer } = token;
  const hash = hashNameOf(signer.digestAlgorithm);
  const digest = new Uint8Array(await crypto.subtle.digest(hash, content));
  if (!equalBytes(digest, signer.messageDigest)) throw refused("the digest of its info", "another");
  const scheme = signatureSchemeOf(signer.signatureAlgorithm, hash);
  // RFC 5652 section 5.4 and RFC 8419 section 3.1: one hash function for both digests.
  if (scheme.hash !== hash) throw refused(`digest algorithm ${scheme.hash}`, hash);
  if (!await isSignedBy(publicKey, scheme, signer.signed, signer.signature)) {
    throw refused("a signature by the signer", "another");
  }
}

/** RFC 5035 section 3: certificates named beside the signer's bound the path. */
async function checkOtherReferences(
  { signer }: TimeStampToken,
  path: readonly Certificate[],
): Promise<void> {
  for (const reference of signer.references.flatMap((references) => references.slice(1))) {
    const matches = path.map((certificate) => isReferenceTo(reference, certificate));
    if (!(await Promise.all(matches)).some((isMatch) => isMatch)) {
      throw refused("every referenced certificate on the path", "another path");
    }
  }
}
