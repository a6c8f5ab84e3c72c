/**
 * ESSCertID and ESSCertIDv2 (RFC 2634 section 5.4, RFC 5035 sections 4 and 5, RFC 5816): which
 * certificate a token was signed with. Without it, whoever can have a second certificate for a
 * key could show the token under that one.
 *
 * @module
 */

import { AlgorithmIdentifier } from "pkijs";
import { type Bytes, equalBytes } from "../../bytes.ts";
import { hashNameOf } from "./algorithms.ts";
import type { Certificate } from "./certificate.ts";
import { type DerValue, readDer, TAG, unreadable } from "./der.ts";
import { readPki } from "./pki.ts";

/** One certificate as an attribute names it. */
export interface CertificateReference {
  /** As WebCrypto names it. */
  readonly hash: string;
  readonly digest: Bytes;
  /** DER of the issuer's name, and the contents of the serial number. */
  readonly issuerSerial?: { readonly issuer: Bytes; readonly serial: Bytes };
}

const WHAT = "signing certificate attribute";
/** What no version-1 attribute names differently (RFC 2634 section 5.4.1). */
const VERSION_1_HASH = "SHA-1";
const VERSION_2_HASH = "SHA-256";

/** References of SigningCertificate (`version` 1) or SigningCertificateV2, the signer's first. */
export function readSigningCertificate(
  bytes: Bytes,
  version: 1 | 2,
): readonly CertificateReference[] {
  const attribute = readDer(bytes, WHAT);
  const [references, policies, ...more] = membersOf(attribute);
  if (!references || more.length > 0 || (policies && policies.tag !== TAG.sequence)) {
    throw unreadable(WHAT, "certificates and policies", "other members");
  }
  const found = membersOf(references).map((reference) => referenceOf(reference, version));
  if (found.length === 0) throw unreadable(WHAT, "a certificate", "none");
  return found;
}

function referenceOf(reference: DerValue, version: 1 | 2): CertificateReference {
  let members = membersOf(reference);
  let hash: string = version === 1 ? VERSION_1_HASH : VERSION_2_HASH;
  const [first] = members;
  if (version === 2 && first?.tag === TAG.sequence) {
    hash = hashNameOf(readPki(AlgorithmIdentifier, first.bytes, WHAT).value);
    members = members.slice(1);
  }
  const [digest, issuerSerial, ...more] = members;
  if (digest?.tag !== TAG.octetString || more.length > 0) {
    throw unreadable(WHAT, "a hash and an issuer", "other members");
  }
  return {
    hash,
    digest: digest.contents,
    ...(issuerSerial && { issuerSerial: issuerSerialOf(issuerSerial) }),
  };
}

/** RFC 5035 section 5: of a public key certificate, one directory name. */
function issuerSerialOf(value: DerValue): { issuer: Bytes; serial: Bytes } {
  const [names, serial, ...more] = membersOf(value);
  const [name, ...others] = names ? membersOf(names) : [];
  const isWhole = name?.tag === TAG.constructed(4) && others.length === 0 &&
    serial?.tag === TAG.integer && more.length === 0;
  if (!isWhole) throw unreadable(WHAT, "one directory name and a serial number", "others");
  return { issuer: name.contents, serial: serial.contents };
}

function membersOf(value: DerValue): readonly DerValue[] {
  if (value.tag !== TAG.sequence) throw unreadable(WHAT, "a sequence", "another value");
  return value.children;
}

/** True when `reference` names `certificate`, by its hash and by all else that it says. */
export async function isReferenceTo(
  reference: CertificateReference,
  certificate: Certificate,
): Promise<boolean> {
  const { hash, digest, issuerSerial } = reference;
  const found = new Uint8Array(await crypto.subtle.digest(hash, certificate.der));
  if (!equalBytes(found, digest)) return false;
  return issuerSerial === undefined ||
    (equalBytes(issuerSerial.issuer, certificate.issuer) &&
      equalBytes(issuerSerial.serial, certificate.serial));
}
