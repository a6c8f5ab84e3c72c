/**
 * An entry of a Rekor log: a `hashedrekord`, of version 0.0.1 in logs of API version 1 and of 0.0.2
 * in those of version 2. Its body is canonical JSON (RFC 8785), and the leaf of the log's tree:
 *
 *     {"apiVersion":"0.0.1","kind":"hashedrekord","spec":{
 *       "data":{"hash":{"algorithm":"sha256","value":"<hex>"}},
 *       "signature":{"content":"<base64>","publicKey":{"content":"<base64 of PEM>"}}}}
 *     {"apiVersion":"0.0.2","kind":"hashedrekord","spec":{"hashedRekordV002":{
 *       "data":{"algorithm":"SHA2_256","digest":"<base64>"},
 *       "signature":{"content":"<base64>","verifier":{
 *         "keyDetails":"PKIX_ECDSA_P256_SHA_256","publicKey":{"rawBytes":"<base64>"}}}}}}
 *
 * Sources: sigstore/rekor `pkg/types/hashedrekord`, sigstore/rekor-tiles `CLIENTS.md`.
 *
 * @module
 */

import {
  base64Of,
  type Bytes,
  equalBytes,
  fromHex,
  HASH_LENGTH,
  hexOf,
  textOf,
  utf8,
} from "../../../base/bytes.ts";
import { errorBuilder } from "../../../base/errors.ts";
import { encodePem, parsePem } from "../../../proof/format/pem.ts";
import { HASH, type Schema } from "../../../proof/format/schema.ts";
import { BASE64, decodeSpki, encodeSpki, lenient } from "./keys.ts";

/** `apiVersion` of a body. */
export type EntryVersion = "0.0.1" | "0.0.2";

/** The statement of an entry: this key signed this digest. */
export interface HashedRecord {
  /** SHA-256, 32 bytes. */
  readonly digest: Bytes;
  /** ECDSA, DER. */
  readonly signature: Bytes;
  /** P-256, an uncompressed point. */
  readonly publicKey: Bytes;
}

/** The inclusion proof of an entry in the tree of a log, or of one of its shards. */
export interface EntryInclusion {
  readonly index: number;
  readonly size: number;
  readonly root: Bytes;
  readonly path: readonly Bytes[];
  /** A signed note over size and root. */
  readonly checkpoint: string;
}

/** An entry of a log. */
export interface RekorEntry {
  readonly version: EntryVersion;
  /** SHA-256 of the log's key, 32 bytes. */
  readonly logId: Bytes;
  /** In version 0.0.1 it counts over all shards of the log, and the promise covers it. */
  readonly logIndex: number;
  readonly body: Bytes;
  readonly inclusion: EntryInclusion;
  /** The log's signed time; only version 0.0.1 has one. */
  readonly promise?: { readonly integratedTime: number; readonly signature: Bytes };
}

/** The one kind of entry in use: a signature over a digest. */
export const ENTRY_KIND = "hashedrekord";

const CODE = "malformed_bundle";
const MAX_BODY_VALUES = 32;
const malformed = errorBuilder(CODE, "Cannot read body of Rekor entry");

const KEY_DETAILS = "PKIX_ECDSA_P256_SHA_256";
const PEM_LABEL = "PUBLIC KEY";

/** The PEM text of a submitter's public key. */
export function publicKeyPem(publicKey: Bytes): string {
  return encodePem({ label: PEM_LABEL, bytes: encodeSpki({ algorithm: "p256", publicKey }) });
}

/** The signature in requests and bodies of version 0.0.2. */
function signatureOf({ signature, publicKey }: HashedRecord) {
  const rawBytes = base64Of(encodeSpki({ algorithm: "p256", publicKey }));
  return {
    content: base64Of(signature),
    verifier: { keyDetails: KEY_DETAILS, publicKey: { rawBytes } },
  };
}

/** Encodes the body of a record, with members in the order of RFC 8785 section 3.2.3. */
export function encodeEntryBody(version: EntryVersion, record: HashedRecord): Bytes {
  const { digest, signature, publicKey } = record;
  const spec = version === "0.0.1"
    ? {
      data: { hash: { algorithm: "sha256", value: hexOf(digest) } },
      signature: {
        content: base64Of(signature),
        publicKey: { content: base64Of(utf8(publicKeyPem(publicKey))) },
      },
    }
    : {
      hashedRekordV002: {
        data: { algorithm: "SHA2_256", digest: base64Of(digest) },
        signature: signatureOf(record),
      },
    };
  return utf8(JSON.stringify({ apiVersion: version, kind: ENTRY_KIND, spec }));
}

/** Encodes the request that logs a record. In version 0.0.1 it is the body. */
export function encodeEntryRequest(version: EntryVersion, record: HashedRecord): Bytes {
  if (version === "0.0.1") return encodeEntryBody(version, record);
  const digest = base64Of(record.digest);
  return utf8(JSON.stringify({
    hashedRekordRequestV002: { digest, signature: signatureOf(record) },
  }));
}

/** The key in a SubjectPublicKeyInfo. */
function publicKeyOf(spki: Bytes = new Uint8Array()): Bytes {
  const key = decodeSpki(spki);
  if (key?.algorithm !== "p256") throw malformed("its public key is not on P-256");
  return key.publicKey;
}

/** 32 bytes. */
export const BASE64_HASH = BASE64.map(
  (bytes) => bytes.length === HASH_LENGTH ? bytes : undefined,
  "32 bytes in padded base64",
);

/** The record in a body, by version. */
const RECORDS: Readonly<Record<EntryVersion, Schema<HashedRecord>>> = {
  "0.0.1": lenient({
    spec: lenient({
      data: lenient({ hash: lenient({ value: HASH.convert(fromHex) }) }),
      signature: lenient({
        content: BASE64,
        publicKey: lenient({
          content: BASE64.convert((pem) =>
            publicKeyOf(parsePem(textOf(pem, CODE), CODE)[0]?.bytes)
          ),
        }),
      }),
    }),
  }).convert(({ spec: { data, signature } }) => ({
    digest: data.hash.value,
    signature: signature.content,
    publicKey: signature.publicKey.content,
  })),
  "0.0.2": lenient({
    spec: lenient({
      hashedRekordV002: lenient({
        data: lenient({ digest: BASE64_HASH }),
        signature: lenient({
          content: BASE64,
          verifier: lenient({ publicKey: lenient({ rawBytes: BASE64.convert(publicKeyOf) }) }),
        }),
      }),
    }),
  }).convert(({ spec: { hashedRekordV002: { data, signature } } }) => ({
    digest: data.digest,
    signature: signature.content,
    publicKey: signature.verifier.publicKey.rawBytes,
  })),
};

/** Decodes a body in its one spelling; `malformed_bundle` for any other bytes. */
export function decodeEntryBody(version: EntryVersion, body: Bytes): HashedRecord {
  const context = { where: "body of Rekor entry", code: CODE } as const;
  const record = RECORDS[version].parseText(textOf(body, CODE), context, MAX_BODY_VALUES);
  // Refuses every other version, kind, algorithm, member and spelling.
  if (!equalBytes(encodeEntryBody(version, record), body)) {
    throw malformed(`it is not a ${ENTRY_KIND} of version ${version} in canonical JSON`);
  }
  return record;
}
