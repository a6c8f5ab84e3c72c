/**
 * A time-stamp authority (RFC 3161) with every field of its tokens adjustable. Written from the
 * standards, with nothing of the program.
 *
 * @module
 */

import { TimeStampReq } from "pkijs";
import { type Bytes, concat } from "../../../src/base/bytes.ts";
import * as der from "./der.ts";
import {
  DIGITAL_SIGNATURE,
  EXTENSIONS,
  GENERAL_NAME,
  issue,
  KEY_CERT_SIGN,
  nameOf,
  type TestCertificate,
  TIME_STAMPING,
} from "./test_certificates.ts";
import { hashAlgorithm, type TestHash, testKey, type TestKeyKind } from "./test_keys.ts";

/** Of the tokens, unless a test says another: 2026-11-21 12:00:00. */
export const GEN_TIME = 1_795_262_400;
export const GEN_TIME_TEXT = "20261121120000Z";
export const POLICY = "1.3.6.1.4.1.57264.2";

const OID = {
  signedData: "1.2.840.113549.1.7.2",
  tstInfo: "1.2.840.113549.1.9.16.1.4",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.12",
  signingCertificateV2: "1.2.840.113549.1.9.16.2.47",
} as const;

/** What is signed: DER of the members of a TSTInfo, in order, each under its name. */
export interface InfoParts {
  readonly version: Bytes;
  readonly policy: Bytes;
  readonly imprint: Bytes;
  readonly serial: Bytes;
  readonly genTime: Bytes;
  readonly accuracy: Bytes;
  readonly ordering: Bytes;
  readonly nonce: Bytes;
  readonly authority: Bytes;
  readonly extensions: Bytes;
}

/** How a token differs from a good one. */
export interface TokenChange {
  readonly info?: Partial<InfoParts>;
  readonly signer?: TestCertificate;
  readonly certificates?: readonly Bytes[];
  /** Of the digest algorithm. */
  readonly hash?: TestHash;
  readonly digestAlgorithms?: readonly Bytes[];
  readonly contentType?: string;
  readonly infoType?: string;
  /** Wraps the TSTInfo, which is otherwise an octet string in its tag. */
  readonly wrapped?: (info: Bytes) => Bytes;
  readonly version?: number;
  readonly signerVersion?: number;
  readonly signerId?: Bytes;
  readonly signatureAlgorithm?: Bytes;
  /** Content type, message digest and signing certificate, in the order that DER has. */
  readonly attributes?: (good: GoodAttributes) => readonly Bytes[];
  readonly isUnordered?: boolean;
  readonly hasNoAttributes?: boolean;
  /** Takes the SignerInfo as often as it stands here. */
  readonly signerCount?: number;
  readonly unsigned?: readonly Bytes[];
}

export interface GoodAttributes {
  readonly contentType: Bytes;
  readonly messageDigest: Bytes;
  readonly signingCertificate: Bytes;
}

export const NOTHING: Bytes = new Uint8Array();

export function attribute(type: string, ...values: readonly Bytes[]): Bytes {
  return der.sequence(der.objectId(type), der.set(...values));
}

/** MessageImprint. */
export function imprintOf(digest: Bytes, algorithm = hashAlgorithm("SHA-256")): Bytes {
  return der.sequence(algorithm, der.octets(digest));
}

async function digestOf(hash: TestHash, bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, bytes));
}

function issuerSerial({ issuer, serial }: TestCertificate): Bytes {
  return der.sequence(der.sequence(GENERAL_NAME.directory(issuer)), serial);
}

/** The attribute of RFC 2634 (SHA-1) that names each of `certificates`. */
export async function signingCertificateV1(
  ...certificates: readonly TestCertificate[]
): Promise<Bytes> {
  const references = await Promise.all(
    certificates.map(async (certificate) =>
      der.sequence(der.octets(await digestOf("SHA-1", certificate.der)), issuerSerial(certificate))
    ),
  );
  return attribute(OID.signingCertificate, der.sequence(der.sequence(...references)));
}

/** One ESSCertIDv2 (RFC 5035); `like` is whose issuer and serial number it names. */
export async function referenceV2(
  certificate: TestCertificate,
  { hash, like = certificate }: { hash?: TestHash; like?: TestCertificate | null } = {},
): Promise<Bytes> {
  return der.sequence(
    hash ? hashAlgorithm(hash) : NOTHING,
    der.octets(await digestOf(hash ?? "SHA-256", certificate.der)),
    like ? issuerSerial(like) : NOTHING,
  );
}

/** The attribute of RFC 5816 with `references`. */
export function signingCertificateV2(...references: readonly Bytes[]): Bytes {
  return signingCertificateOf(der.sequence(der.sequence(...references)));
}

/** The attribute of RFC 5816 with any value. */
export function signingCertificateOf(value: Bytes): Bytes {
  return attribute(OID.signingCertificateV2, value);
}

/** An authority with its chain: root, intermediate, signer. */
export class TestAuthority {
  readonly root: TestCertificate;
  readonly intermediate: TestCertificate;
  readonly signer: TestCertificate;

  constructor(root: TestCertificate, intermediate: TestCertificate, signer: TestCertificate) {
    this.root = root;
    this.intermediate = intermediate;
    this.signer = signer;
  }

  static async create(kind: TestKeyKind = "P-256", hash: TestHash = "SHA-256") {
    const root = await issue(await testKey("P-256", "root"), undefined, {
      subject: nameOf("Root"),
      extensions: [EXTENSIONS.authority(), EXTENSIONS.keyUsage(KEY_CERT_SIGN)],
    });
    const intermediate = await issue(await testKey("P-384", "intermediate", "SHA-384"), root, {
      subject: nameOf("Intermediate"),
      serial: 2,
      extensions: [EXTENSIONS.authority(0), EXTENSIONS.keyUsage(KEY_CERT_SIGN)],
    });
    const signer = await issue(await testKey(kind, "signer", hash), intermediate, {
      subject: nameOf("Stamps"),
      serial: 3,
      extensions: signerExtensions(),
    });
    return new TestAuthority(root, intermediate, signer);
  }

  /** DER of the ContentInfo of a token of `digest`. */
  async token(digest: Bytes, change: TokenChange = {}): Promise<Bytes> {
    const { signer = this.signer, contentType = OID.signedData, version = 3 } = change;
    const { certificates = [signer.der, this.intermediate.der] } = change;
    const info = der.sequence(...Object.values({ ...goodInfo(digest), ...change.info }));
    const hash = change.hash ?? signer.key.hash;
    const signerInfo = await signerInfoOf(signer, info, hash, change);
    const signedData = der.sequence(
      der.integer(version),
      der.set(...change.digestAlgorithms ?? [hashAlgorithm(hash)]),
      der.sequence(
        der.objectId(change.infoType ?? OID.tstInfo),
        change.wrapped?.(info) ?? der.explicit(0, der.octets(info)),
      ),
      certificates.length === 0 ? NOTHING : der.explicit(0, ...certificates),
      der.set(...Array<Bytes>(change.signerCount ?? 1).fill(signerInfo)),
    );
    return der.sequence(der.objectId(contentType), der.explicit(0, signedData));
  }

  /** The reply to a request, DER, as an HTTP server of an authority gives it. */
  async reply(request: Bytes, change: TokenChange = {}): Promise<Bytes> {
    const { messageImprint, nonce } = TimeStampReq.fromBER(request);
    const digest = messageImprint.hashedMessage.valueBlock.valueHexView.slice();
    const repeated = nonce && { nonce: der.integer(nonce.toBigInt()) };
    const token = await this.token(digest, { ...change, info: { ...repeated, ...change.info } });
    return replyOf(0, [], token);
  }
}

/** TimeStampResp. */
export function replyOf(status: number, said: readonly Bytes[], token = NOTHING): Bytes {
  return der.sequence(der.sequence(der.integer(status), ...said), token);
}

/** The extensions of a good signer. */
export function signerExtensions(): readonly Bytes[] {
  return [EXTENSIONS.keyUsage(DIGITAL_SIGNATURE), EXTENSIONS.purposes([TIME_STAMPING])];
}

function goodInfo(digest: Bytes): InfoParts {
  return {
    version: der.integer(1),
    policy: der.objectId(POLICY),
    imprint: imprintOf(digest),
    serial: der.integer(77),
    genTime: der.generalizedTime(GEN_TIME_TEXT),
    accuracy: NOTHING,
    ordering: NOTHING,
    nonce: NOTHING,
    authority: NOTHING,
    extensions: NOTHING,
  };
}

async function signerInfoOf(
  signer: TestCertificate,
  info: Bytes,
  hash: TestHash,
  change: TokenChange,
): Promise<Bytes> {
  const good: GoodAttributes = {
    contentType: attribute(OID.contentType, der.objectId(OID.tstInfo)),
    messageDigest: attribute(OID.messageDigest, der.octets(await digestOf(hash, info))),
    signingCertificate: signingCertificateV2(await referenceV2(signer)),
  };
  const attributes = change.attributes?.(good) ?? Object.values(good);
  // A set with its tag is what is signed, and the same with an implicit one what is sent.
  const set = change.isUnordered ? der.value(0x31, ...attributes) : der.set(...attributes);
  const signature = await signer.key.sign(change.hasNoAttributes ? info : set);
  const { unsigned = [] } = change;
  return der.sequence(
    der.integer(change.signerVersion ?? 1),
    change.signerId ?? der.sequence(signer.issuer, signer.serial),
    hashAlgorithm(hash),
    change.hasNoAttributes ? NOTHING : concat(Uint8Array.of(0xa0), set.subarray(1)),
    change.signatureAlgorithm ?? signer.key.algorithm,
    der.octets(signature),
    unsigned.length === 0 ? NOTHING : der.explicit(1, ...unsigned),
  );
}
