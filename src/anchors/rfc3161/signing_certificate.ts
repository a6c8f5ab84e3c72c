/**
 * ESSCertID and ESSCertIDv2 (RFC 2634 section 5.4, RFC 5035 sections 4 and 5, RFC 5816): the
 * certificate that verifies a token. Without it, the holder of a second certificate for the same key
 * could present the token under that one.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../../bytes.ts";
import { hashNameOf } from "./algorithms.ts";
import { algorithmOf, elementsOf, membersOf } from "./asn1.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, readDer, TAG, unreadable } from "./der.ts";

/** A certificate as an attribute names it. */
export interface CertificateReference {
  /** As WebCrypto names it. */
  readonly hash: string;
  readonly digest: Bytes;
  /** DER of the issuer's name, and the contents of the serial number. */
  readonly issuerSerial?: { readonly issuer: Bytes; readonly serial: Bytes };
}

const WHAT = "signing certificate attribute";

/** The references of SigningCertificate (`version` 1) or SigningCertificateV2, signer first. */
export function readSigningCertificate(
  bytes: Bytes,
  version: 1 | 2,
): readonly CertificateReference[] {
  const [references] = membersOf(readDer(bytes, WHAT), WHAT, "SEQUENCE SEQUENCE?");
  const found = elementsOf(references, WHAT, TAG.sequence)
    .map((reference) => referenceOf(reference, version));
  if (found.length === 0) throw unreadable(WHAT, "it names no certificate");
  return found;
}

function referenceOf(reference: DerValue, version: 1 | 2): CertificateReference {
  // RFC 2634 section 5.4.1 fixes SHA-1; RFC 5035 section 4 defaults to SHA-256.
  const isV2 = version === 2 && reference.children[0]?.tag === TAG.sequence;
  const [algorithm, digest, issuerSerial] = isV2
    ? membersOf(reference, WHAT, "SEQUENCE OCTETS SEQUENCE?")
    : [undefined, ...membersOf(reference, WHAT, "OCTETS SEQUENCE?")];
  return {
    hash: algorithm
      ? hashNameOf(algorithmOf(algorithm, WHAT))
      : version === 1
      ? "SHA-1"
      : "SHA-256",
    digest: digest.contents,
    ...(issuerSerial && { issuerSerial: issuerSerialOf(issuerSerial) }),
  };
}

/** RFC 5035 section 5: a public key certificate has one directory name as its issuer. */
function issuerSerialOf(value: DerValue): { issuer: Bytes; serial: Bytes } {
  const [names, serial] = membersOf(value, WHAT, "SEQUENCE INTEGER");
  const [name] = membersOf(names, WHAT, "[4]");
  return { issuer: name.contents, serial: serial.contents };
}

/** Reports whether `reference` names `certificate` by its hash and, if given, issuer and serial. */
export async function isReferenceTo(
  { hash, digest, issuerSerial }: CertificateReference,
  { der, issuer, serial }: Certificate,
): Promise<boolean> {
  if (!equalBytes(new Uint8Array(await crypto.subtle.digest(hash, der)), digest)) return false;
  return issuerSerial === undefined ||
    equalBytes(issuerSerial.issuer, issuer) && equalBytes(issuerSerial.serial, serial);
}
