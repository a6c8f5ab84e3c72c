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

import { base64Of, type Bytes, equalBytes, HASH_LENGTH, textOf, utf8 } from "../../bytes.ts";
import { CountersignError } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { encodePem, parsePem } from "../../format/pem.ts";
import { parseStrictJson } from "../../format/strict_json.ts";
import { decodeSpki, encodeSpki } from "./keys.ts";

/** `apiVersion` of a body. */
export type EntryVersion = "0.0.1" | "0.0.2";

/** What an entry says: that this key signed this digest. */
export interface HashedRecord {
  /** SHA-256, 32 bytes. */
  readonly digest: Bytes;
  /** ECDSA, DER. */
  readonly signature: Bytes;
  /** P-256, an uncompressed point. */
  readonly publicKey: Bytes;
}

/** How an entry lies in the tree of a log, or of the shard of one. */
export interface EntryInclusion {
  readonly index: number;
  readonly size: number;
  readonly root: Bytes;
  readonly path: readonly Bytes[];
  /** A signed note over size and root. */
  readonly checkpoint: string;
}

/** An entry as a log answers it. */
export interface RekorEntry {
  readonly version: EntryVersion;
  /** SHA-256 that names the log's key, 32 bytes. */
  readonly logId: Bytes;
  /** Of version 0.0.1 counted over all shards of the log, and covered by the promise. */
  readonly logIndex: number;
  readonly body: Bytes;
  readonly inclusion: EntryInclusion;
  /** The log's signed time, of version 0.0.1 and there alone. */
  readonly promise?: { readonly integratedTime: number; readonly signature: Bytes };
}

/** The only kind of entry that is used here: a signature over a digest. */
export const ENTRY_KIND = "hashedrekord";

const KEY_DETAILS = "PKIX_ECDSA_P256_SHA_256";
const PEM_LABEL = "PUBLIC KEY";

/** The PEM text of a submitter's public key. */
export function publicKeyPem(publicKey: Bytes): string {
  return encodePem({ label: PEM_LABEL, bytes: encodeSpki({ algorithm: "p256", publicKey }) });
}

/** The signature as version 0.0.2 has it, in a request and in a body. */
function signatureOf({ signature, publicKey }: HashedRecord) {
  const rawBytes = base64Of(encodeSpki({ algorithm: "p256", publicKey }));
  return {
    content: base64Of(signature),
    verifier: { keyDetails: KEY_DETAILS, publicKey: { rawBytes } },
  };
}

/** The body of a record. Members stand in the order that RFC 8785 section 3.2.3 gives them. */
export function encodeEntryBody(version: EntryVersion, record: HashedRecord): Bytes {
  const { digest, signature, publicKey } = record;
  const spec = version === "0.0.1"
    ? {
      data: { hash: { algorithm: "sha256", value: digest.toHex() } },
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

/** What is sent to have a record logged: of version 0.0.1 the body itself. */
export function encodeEntryRequest(version: EntryVersion, record: HashedRecord): Bytes {
  if (version === "0.0.1") return encodeEntryBody(version, record);
  const digest = base64Of(record.digest);
  return utf8(JSON.stringify({
    hashedRekordRequestV002: { digest, signature: signatureOf(record) },
  }));
}

/** The record of a body in its only spelling; `malformed_bundle` for any other bytes. */
export function decodeEntryBody(version: EntryVersion, body: Bytes): HashedRecord {
  const code = "malformed_bundle";
  const value = parseStrictJson(textOf(body, code), code, 32);
  const entry = new Fields(value, { where: "body", code }, ["apiVersion", "kind", "spec"]);
  if (entry.text("kind") !== ENTRY_KIND || entry.text("apiVersion") !== version) {
    throw malformed(`a ${ENTRY_KIND} of version ${version}`, "another kind of entry");
  }
  const record = version === "0.0.1" ? readFirst(entry) : readSecond(entry);
  // Re-encoding catches every other spelling, algorithm and member at once.
  if (!equalBytes(encodeEntryBody(version, record), body)) {
    throw malformed("canonical JSON", "another spelling");
  }
  return record;
}

function readFirst(entry: Fields): HashedRecord {
  const spec = entry.object("spec", ["data", "signature"]);
  const hash = spec.object("data", ["hash"]).object("hash", ["algorithm", "value"]);
  const signature = spec.object("signature", ["content", "publicKey"]);
  const pem = signature.object("publicKey", ["content"]).base64("content");
  const [block] = parsePem(textOf(pem, entry.code), entry.code);
  return recordOf(
    Uint8Array.fromHex(hash.hex("value", HASH_LENGTH)),
    signature.base64("content"),
    block?.bytes ?? new Uint8Array(),
  );
}

function readSecond(entry: Fields): HashedRecord {
  const spec = entry.object("spec", ["hashedRekordV002"])
    .object("hashedRekordV002", ["data", "signature"]);
  const data = spec.object("data", ["algorithm", "digest"]);
  const signature = spec.object("signature", ["content", "verifier"]);
  const verifier = signature.object("verifier", ["keyDetails", "publicKey"]);
  return recordOf(
    data.base64("digest"),
    signature.base64("content"),
    verifier.object("publicKey", ["rawBytes"]).base64("rawBytes"),
  );
}

function recordOf(digest: Bytes, signature: Bytes, spki: Bytes): HashedRecord {
  const key = decodeSpki(spki);
  if (key?.algorithm !== "p256") throw malformed("a P-256 public key", "another");
  if (digest.length !== HASH_LENGTH) throw malformed("a digest of 32 bytes", "another");
  return { digest, signature, publicKey: key.publicKey };
}

function malformed(required: string, found: string): CountersignError {
  return new CountersignError(
    "malformed_bundle",
    `Cannot read body of Rekor entry: ${required} required, found ${found}`,
  );
}
