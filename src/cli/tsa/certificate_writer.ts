/**
 * Writes X.509 certificates (RFC 5280) and requests for them (PKCS#10, RFC 2986).
 *
 * @module
 */

import { type Bytes, concat, hexOf, utf8 } from "../../base/bytes.ts";
import type { Hashing } from "../../proof/crypto/hashing.ts";
import { encodeInteger, encodeObjectIdentifier } from "../../proof/timestamp/asn1.ts";
import { encodeDer, readDer, TAG } from "../../proof/timestamp/der.ts";
import type { TimestampSigner } from "../../gateway/timestamping/timestamp_signer.ts";
import { SIGNATURE_ALGORITHMS } from "../../gateway/timestamping/token_writer.ts";

const [VERSION_1, VERSION_3] = [0, 2];
const SERIAL_BITS = 127;
const TRUE = encodeDer(TAG.boolean, Uint8Array.of(0xff));

/** Extensions by object identifier (RFC 5280 section 4.2.1), and PKCS #9 extensionRequest (RFC 2985). */
const OID = {
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extendedKeyUsage: "2.5.29.37",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  extensionRequest: "1.2.840.113549.1.9.14",
} as const;

/** The number of unused bits, and the bits (RFC 5280 section 4.2.1.3). */
const DIGITAL_SIGNATURE = Uint8Array.of(7, 0x80);
const KEY_CERT_SIGN = Uint8Array.of(2, 0x04);

/** The signer of tokens needs these, and no other purpose (RFC 3161 section 2.3). */
const SIGNER_EXTENSIONS: readonly Bytes[] = [
  extension(OID.keyUsage, encodeDer(TAG.bitString, DIGITAL_SIGNATURE), "critical"),
  extension(
    OID.extendedKeyUsage,
    encodeDer(TAG.sequence, encodeObjectIdentifier(OID.timeStamping)),
    "critical",
  ),
];

/** A subject that signs. */
export interface NamedKey {
  /** DER of its Name. */
  readonly name: Bytes;
  readonly signer: TimestampSigner;
}

/** Unix seconds, both inclusive. */
export interface Validity {
  readonly notBefore: number;
  readonly notAfter: number;
}

type Sha256 = Pick<Hashing, "sha256">;

/** DER of the certificate of a root, which signs it itself and issues only signers of tokens. */
export function writeRoot(root: NamedKey, validity: Validity, kernels: Sha256): Promise<Bytes> {
  const constraints = encodeDer(TAG.sequence, TRUE, encodeInteger(0));
  return writeCertificate(root, root, validity, [
    extension(OID.basicConstraints, constraints, "critical"),
    extension(OID.keyUsage, encodeDer(TAG.bitString, KEY_CERT_SIGN), "critical"),
    subjectKey(root, kernels),
  ]);
}

/** DER of a certificate with which `subject` signs tokens, by `issuer`. */
export function writeSigner(
  subject: NamedKey,
  issuer: NamedKey,
  validity: Validity,
  kernels: Sha256,
): Promise<Bytes> {
  const issuerKey = encodeDer(TAG.primitive(0), keyIdentifier(issuer, kernels));
  return writeCertificate(subject, issuer, validity, [
    ...SIGNER_EXTENSIONS,
    subjectKey(subject, kernels),
    extension(OID.authorityKeyIdentifier, encodeDer(TAG.sequence, issuerKey)),
  ]);
}

/** DER of a CertificationRequest for a certificate with which `subject` signs tokens. */
export function writeRequest({ name, signer }: NamedKey): Promise<Bytes> {
  const extensions = encodeDer(TAG.sequence, ...SIGNER_EXTENSIONS);
  const attribute = encodeDer(
    TAG.sequence,
    encodeObjectIdentifier(OID.extensionRequest),
    encodeDer(TAG.set, extensions),
  );
  const info = encodeDer(
    TAG.sequence,
    encodeInteger(VERSION_1),
    name,
    signer.publicKey,
    encodeDer(TAG.constructed(0), attribute),
  );
  return signed(info, signer);
}

function writeCertificate(
  { name, signer }: NamedKey,
  issuer: NamedKey,
  { notBefore, notAfter }: Validity,
  extensions: readonly Bytes[],
): Promise<Bytes> {
  const content = encodeDer(
    TAG.sequence,
    encodeDer(TAG.constructed(0), encodeInteger(VERSION_3)),
    encodeInteger(randomSerial()),
    SIGNATURE_ALGORITHMS[issuer.signer.scheme],
    issuer.name,
    encodeDer(TAG.sequence, encodeTime(notBefore), encodeTime(notAfter)),
    name,
    signer.publicKey,
    encodeDer(TAG.constructed(3), encodeDer(TAG.sequence, ...extensions)),
  );
  return signed(content, issuer.signer);
}

/** `content` with its signature, in the form that certificates and requests share. */
async function signed(content: Bytes, signer: TimestampSigner): Promise<Bytes> {
  const signature = concat(Uint8Array.of(0), await signer.sign(content));
  return encodeDer(
    TAG.sequence,
    content,
    SIGNATURE_ALGORITHMS[signer.scheme],
    encodeDer(TAG.bitString, signature),
  );
}

function extension(id: string, value: Bytes, critical?: "critical"): Bytes {
  return encodeDer(
    TAG.sequence,
    encodeObjectIdentifier(id),
    ...(critical === undefined ? [] : [TRUE]),
    encodeDer(TAG.octetString, value),
  );
}

function subjectKey(subject: NamedKey, kernels: Sha256): Bytes {
  const identifier = encodeDer(TAG.octetString, keyIdentifier(subject, kernels));
  return extension(OID.subjectKeyIdentifier, identifier);
}

/** The first 160 bits of the SHA-256 of the key (RFC 7093 section 2, method 1). */
function keyIdentifier({ signer: { publicKey } }: NamedKey, kernels: Sha256): Bytes {
  const [, bits] = readDer(publicKey, "public key").children;
  return kernels.sha256(bits!.contents.subarray(1)).slice(0, 20);
}

/** Positive, so that no encoding is longer than others. */
function randomSerial(): bigint {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return BigInt.asUintN(SERIAL_BITS, BigInt(`0x${hexOf(bytes)}`)) | 1n;
}

/** UTCTime until 2049, then GeneralizedTime (RFC 5280 section 4.1.2.5). */
function encodeTime(seconds: number): Bytes {
  const text = new Date(seconds * 1000).toISOString().replace(/\.\d+|[-:T]/g, "");
  return text < "2050"
    ? encodeDer(TAG.utcTime, utf8(text.slice(2)))
    : encodeDer(TAG.generalizedTime, utf8(text));
}
