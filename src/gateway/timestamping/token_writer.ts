/**
 * Writes time-stamp tokens: CMS SignedData over a TSTInfo with one signer (RFC 3161 section 2.4.2, RFC
 * 5652 section 5, RFC 5816).
 *
 * @module
 */

import { type Bytes, equalBytes, utf8 } from "../../base/bytes.ts";
import type { Hashing } from "../../proof/crypto/hashing.ts";
import { HASH_OIDS } from "../../proof/timestamp/algorithms.ts";
import { encodeInteger, encodeObjectIdentifier } from "../../proof/timestamp/asn1.ts";
import { encodeAttachedProof, UNSIGNED_TAG } from "../../proof/timestamp/attached_proof.ts";
import type { Certificate } from "../../proof/timestamp/certificate.ts";
import { encodeDer, encodeSetOf, TAG } from "../../proof/timestamp/der.ts";
import { ATTRIBUTE, SIGNED_DATA, TST_INFO } from "../../proof/timestamp/token.ts";
import type { TimestampIdentity, TimestampScheme } from "./timestamp_signer.ts";

/** What a token states. */
export interface TokenContent {
  /** DER of the MessageImprint of the request. */
  readonly imprint: Bytes;
  /** Not negative. */
  readonly serial: bigint;
  /** Unix seconds. */
  readonly time: number;
  readonly accuracySeconds: number;
  /** Contents of the integer. */
  readonly nonce?: Bytes | undefined;
  readonly withCertificates: boolean;
  /** JSON of the bundle that the token carries. */
  readonly proof: string;
}

/** RFC 5758 section 3.2 (without parameters), RFC 5754 section 3.2 (with NULL). */
export const SIGNATURE_ALGORITHMS: Readonly<Record<TimestampScheme, Bytes>> = {
  "ecdsa-p256": encodeDer(TAG.sequence, encodeObjectIdentifier("1.2.840.10045.4.3.2")),
  "rsa-3072": encodeDer(
    TAG.sequence,
    encodeObjectIdentifier("1.2.840.113549.1.1.11"),
    encodeDer(TAG.null),
  ),
};
const SHA256 = encodeDer(TAG.sequence, encodeObjectIdentifier(HASH_OIDS["SHA-256"]));
const CONTENT_TYPE = encodeObjectIdentifier(TST_INFO);

/** RFC 3161 section 2.4.2, RFC 5652 sections 5.1 and 5.3. */
const VERSION = { info: encodeInteger(1), signedData: encodeInteger(3), signer: encodeInteger(1) };

/** Writes the tokens of one authority. */
export class TokenWriter {
  readonly #identity: TimestampIdentity;
  readonly #kernels: Pick<Hashing, "sha256">;
  readonly #policy: Bytes;
  readonly #certificates: Bytes;
  /** IssuerAndSerialNumber of the signer's certificate. */
  readonly #signerId: Bytes;
  readonly #contentType: Bytes;
  readonly #signingCertificate: Bytes;

  constructor(identity: TimestampIdentity, kernels: Pick<Hashing, "sha256">) {
    const { certificates, policy } = identity;
    const [signer] = certificates;
    // Verifiers take a root only from their user.
    const sent = certificates.filter((one) => one === signer || !isRoot(one));
    this.#identity = identity;
    this.#kernels = kernels;
    this.#policy = encodeObjectIdentifier(policy);
    // Sorted: rfc3161-client, and so sigstore-python, refuses a set that is not DER.
    this.#certificates = encodeSetOf(TAG.constructed(0), sent.map(({ der }) => der));
    this.#signerId = encodeDer(
      TAG.sequence,
      signer.issuer,
      encodeDer(TAG.integer, signer.serial),
    );
    this.#contentType = attribute(ATTRIBUTE.contentType, CONTENT_TYPE);
    // RFC 5035 section 4: without an algorithm, the hash is SHA-256.
    const reference = encodeDer(
      TAG.sequence,
      encodeDer(TAG.octetString, kernels.sha256(signer.der)),
    );
    this.#signingCertificate = attribute(
      ATTRIBUTE.signingCertificateV2,
      encodeDer(TAG.sequence, encodeDer(TAG.sequence, reference)),
    );
  }

  /** The DER of a ContentInfo. */
  async write(content: TokenContent): Promise<Bytes> {
    const { signer } = this.#identity;
    const info = this.#info(content);
    const digest = this.#kernels.sha256(info);
    const attributes = [
      this.#contentType,
      this.#signingCertificate,
      attribute(ATTRIBUTE.messageDigest, encodeDer(TAG.octetString, digest)),
    ];
    // RFC 5652 section 5.4: the signed encoding has the tag of a set.
    const signature = await signer.sign(encodeSetOf(TAG.set, attributes));
    const signerInfo = encodeDer(
      TAG.sequence,
      VERSION.signer,
      this.#signerId,
      SHA256,
      encodeSetOf(TAG.constructed(0), attributes),
      SIGNATURE_ALGORITHMS[signer.scheme],
      encodeDer(TAG.octetString, signature),
      encodeSetOf(UNSIGNED_TAG, [encodeAttachedProof(content.proof)]),
    );
    const signedData = encodeDer(
      TAG.sequence,
      VERSION.signedData,
      encodeDer(TAG.set, SHA256),
      encodeDer(
        TAG.sequence,
        CONTENT_TYPE,
        encodeDer(TAG.constructed(0), encodeDer(TAG.octetString, info)),
      ),
      content.withCertificates ? this.#certificates : new Uint8Array(),
      encodeDer(TAG.set, signerInfo),
    );
    return encodeDer(
      TAG.sequence,
      encodeObjectIdentifier(SIGNED_DATA),
      encodeDer(TAG.constructed(0), signedData),
    );
  }

  /** DER of the TSTInfo. `ordering` is absent, so false: hashes of one round have the same time. */
  #info({ imprint, serial, time, accuracySeconds, nonce }: TokenContent): Bytes {
    return encodeDer(
      TAG.sequence,
      VERSION.info,
      this.#policy,
      imprint,
      encodeInteger(serial),
      encodeDer(TAG.generalizedTime, utf8(generalizedTime(time))),
      encodeDer(TAG.sequence, encodeInteger(accuracySeconds)),
      nonce === undefined ? new Uint8Array() : encodeDer(TAG.integer, nonce),
    );
  }
}

function isRoot({ issuer, subject }: Certificate): boolean {
  return equalBytes(issuer, subject.bytes);
}

/** X.690 section 11.7. */
function generalizedTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replaceAll(/[-:T]/g, "")}Z`;
}

/** An Attribute with one value. */
function attribute(type: string, value: Bytes): Bytes {
  return encodeDer(TAG.sequence, encodeObjectIdentifier(type), encodeDer(TAG.set, value));
}
