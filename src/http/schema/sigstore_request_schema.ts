/**
 * The request for a time stamp that Sigstore's JavaScript client sends, JSON in place of a TimeStampReq, as
 * Sigstore's timestamp-authority takes it.
 *
 * @module
 */

import { type Bytes, bytesOfBase64 } from "../../base/bytes.ts";
import type { HashName } from "../../proof/timestamp/algorithms.ts";
import { COUNT, FLAG, object, type Of, oneOf, pattern } from "../../proof/format/schema.ts";
import { encodeInteger, encodeObjectIdentifier } from "../../proof/timestamp/asn1.ts";
import { encodeDer, TAG } from "../../proof/timestamp/der.ts";
import { encodeImprint } from "../../proof/timestamp/message_imprint.ts";

const HASHES = {
  sha256: "SHA-256",
  sha384: "SHA-384",
  sha512: "SHA-512",
} as const satisfies Record<string, HashName>;

const BASE64 = pattern(/^([A-Za-z0-9+\/]{4})*([A-Za-z0-9+\/]{2}==|[A-Za-z0-9+\/]{3}=)?$/);

export const SIGSTORE_REQUEST = object({
  artifactHash: BASE64.map(bytesOfBase64, "base64").with({ description: "The digest" }),
  hashAlgorithm: oneOf(["sha256", "sha384", "sha512"]),
  certificates: FLAG.with({ description: "Whether the token has the certificates" }).optional(),
  nonce: COUNT.optional(),
  tsaPolicyOID: pattern(/^[0-2](\.(0|[1-9][0-9]{0,9})){1,30}$/)
    .with({ description: "The policy, a dotted object identifier" }).optional(),
}, "allowed").named("SigstoreTimestampRequest");

const VERSION = 1;

/** The same request as a TimeStampReq, which the authority reads and rejects like any other. */
export function queryOf(request: Of<typeof SIGSTORE_REQUEST>): Bytes {
  const { artifactHash, hashAlgorithm, certificates = false, nonce, tsaPolicyOID } = request;
  return encodeDer(
    TAG.sequence,
    encodeInteger(VERSION),
    encodeImprint({ hash: HASHES[hashAlgorithm], digest: artifactHash }),
    ...tsaPolicyOID === undefined ? [] : [encodeObjectIdentifier(tsaPolicyOID)],
    ...nonce === undefined ? [] : [encodeInteger(nonce)],
    ...certificates ? [encodeDer(TAG.boolean, Uint8Array.of(0xff))] : [],
  );
}
