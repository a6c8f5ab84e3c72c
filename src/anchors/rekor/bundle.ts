/**
 * The proof of a Rekor anchor: a Sigstore bundle v0.3 (sigstore/protobuf-specs
 * `sigstore_bundle.proto`, as JSON) of a message signature under a public key, with the one entry
 * that logs it, so that Sigstore's own tools verify it too.
 *
 *     {"mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
 *      "verificationMaterial": {
 *        "publicKey": {"hint": base64 of SHA-256 of the SubjectPublicKeyInfo},
 *        "tlogEntries": [{"logIndex", "logId": {"keyId"}, "kindVersion": {"kind", "version"},
 *          "integratedTime", "inclusionPromise": {"signedEntryTimestamp"},
 *          "inclusionProof": {"logIndex", "rootHash", "treeSize", "hashes", "checkpoint": {"envelope"}},
 *          "canonicalizedBody"}]},
 *      "messageSignature": {"messageDigest": {"algorithm": "SHA2_256", "digest"}, "signature"}}
 *
 * Integers are decimal texts, bytes are base64. Time and promise are there in entries of version
 * 0.0.1 and in no others; the bundle holds nothing that is not verified.
 *
 * @module
 */

import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  equalBytes,
  HASH_LENGTH,
  integerOf,
} from "../../bytes.ts";
import { portableKernels } from "../../crypto/portable_kernels.ts";
import { CountersignError } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../../format/strict_json.ts";
import {
  decodeEntryBody,
  ENTRY_KIND,
  type EntryInclusion,
  type EntryVersion,
  type HashedRecord,
  type RekorEntry,
} from "./entry.ts";
import { encodeSpki } from "./keys.ts";

/** An entry and what its body says. */
export interface RekorProof {
  readonly entry: RekorEntry;
  readonly record: HashedRecord;
}

const MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";
const DIGEST_ALGORITHM = "SHA2_256";
const CODE = "malformed_bundle";

/** The path of a tree of 2^53 leaves. */
const MAX_PATH_LENGTH = 53;

/** How standard tools name the key that they are given. */
function keyHint(publicKey: Bytes): string {
  return base64Of(portableKernels.sha256(encodeSpki({ algorithm: "p256", publicKey })));
}

/** The bundle of an entry. */
export function encodeRekorBundle({ entry, record }: RekorProof): JsonValue {
  const { version, logId, logIndex, body, inclusion, promise } = entry;
  const bundle = {
    mediaType: MEDIA_TYPE,
    verificationMaterial: {
      publicKey: { hint: keyHint(record.publicKey) },
      tlogEntries: [{
        logIndex: String(logIndex),
        logId: { keyId: base64Of(logId) },
        kindVersion: { kind: ENTRY_KIND, version },
        ...(promise === undefined ? {} : {
          integratedTime: String(promise.integratedTime),
          inclusionPromise: { signedEntryTimestamp: base64Of(promise.signature) },
        }),
        inclusionProof: {
          logIndex: String(inclusion.index),
          rootHash: base64Of(inclusion.root),
          treeSize: String(inclusion.size),
          hashes: inclusion.path.map((hash) => base64Of(hash)),
          checkpoint: { envelope: inclusion.checkpoint },
        },
        canonicalizedBody: base64Of(body),
      }],
    },
    messageSignature: {
      messageDigest: { algorithm: DIGEST_ALGORITHM, digest: base64Of(record.digest) },
      signature: base64Of(record.signature),
    },
  };
  // Read back, for values as a strict parser gives them: without prototypes.
  return parseStrictJson(JSON.stringify(bundle), "internal");
}

/**
 * The entry of a bundle, in which everything that is said twice agrees; nothing is verified yet.
 *
 * @throws CountersignError `malformed_bundle`
 */
export function parseRekorBundle(bundle: JsonValue): RekorProof {
  const members = ["mediaType", "verificationMaterial", "messageSignature"];
  const fields = new Fields(bundle, { where: "proof", code: CODE }, members);
  demand(fields.text("mediaType") === MEDIA_TYPE, `media type ${MEDIA_TYPE}`);
  const material = fields.object("verificationMaterial", ["publicKey", "tlogEntries"]);
  const [value, ...others] = material.list("tlogEntries");
  demand(value !== undefined && others.length === 0, "one entry");
  const entry = readEntry(material, value);
  const record = decodeEntryBody(entry.version, entry.body);
  const message = fields.object("messageSignature", ["messageDigest", "signature"]);
  const digest = message.object("messageDigest", ["algorithm", "digest"]);
  demand(digest.text("algorithm") === DIGEST_ALGORITHM, `digest algorithm ${DIGEST_ALGORITHM}`);
  demand(equalBytes(digest.base64("digest"), record.digest), "the digest of the entry");
  demand(equalBytes(message.base64("signature"), record.signature), "the signature of the entry");
  const hint = material.object("publicKey", ["hint"]).text("hint");
  demand(hint === keyHint(record.publicKey), "the hint of the entry's key");
  return { entry, record };
}

function readEntry(material: Fields, value: JsonValue | undefined): RekorEntry {
  const optional = ["integratedTime", "inclusionPromise"];
  const fields = material.within(value, "tlogEntries[0]", [
    ...["logIndex", "logId", "kindVersion", "inclusionProof", "canonicalizedBody"],
  ], { optional });
  const kindVersion = fields.object("kindVersion", ["kind", "version"]);
  demand(kindVersion.text("kind") === ENTRY_KIND, `kind ${ENTRY_KIND}`);
  const version = versionOf(kindVersion.text("version"));
  const isFirst = version === "0.0.1";
  demand(
    optional.every((name) => fields.has(name) === isFirst),
    "a time and a promise in entries of version 0.0.1 alone",
  );
  const logIndex = integerIn(fields, "logIndex");
  const inclusion = readInclusion(fields);
  // Of version 0.0.1 one counts over all shards of a log, and the other within one.
  demand(isFirst || inclusion.index === logIndex, "one index");
  const logId = hashIn(fields.object("logId", ["keyId"]), "keyId");
  const body = fields.base64("canonicalizedBody");
  if (!isFirst) return { version, logId, logIndex, body, inclusion };
  const signature = fields.object("inclusionPromise", ["signedEntryTimestamp"])
    .base64("signedEntryTimestamp");
  const promise = { integratedTime: integerIn(fields, "integratedTime"), signature };
  return { version, logId, logIndex, body, inclusion, promise };
}

function readInclusion(entry: Fields): EntryInclusion {
  const fields = entry.object("inclusionProof", [
    ...["logIndex", "rootHash", "treeSize", "hashes", "checkpoint"],
  ]);
  const hashes = fields.texts("hashes");
  demand(hashes.length <= MAX_PATH_LENGTH, `at most ${MAX_PATH_LENGTH} hashes`);
  return {
    index: integerIn(fields, "logIndex"),
    size: integerIn(fields, "treeSize"),
    root: hashIn(fields, "rootHash"),
    path: hashes.map(hashOf),
    checkpoint: fields.object("checkpoint", ["envelope"]).text("envelope"),
  };
}

function versionOf(text: string): EntryVersion {
  demand(text === "0.0.1" || text === "0.0.2", "version 0.0.1 or 0.0.2");
  return text;
}

function integerIn(fields: Fields, name: string): number {
  const value = integerOf(fields.text(name));
  demand(value !== undefined, `a decimal integer below 2^53 in ${name}`);
  return value;
}

function hashIn(fields: Fields, name: string): Bytes {
  return hashOf(fields.text(name));
}

function hashOf(text: string): Bytes {
  const hash = bytesOfBase64(text);
  demand(hash?.length === HASH_LENGTH, `${HASH_LENGTH} bytes in base64 in each hash`);
  return hash;
}

function demand(holds: boolean, required: string): asserts holds {
  if (holds) return;
  throw new CountersignError(
    CODE,
    `Cannot read Rekor proof: ${required} required, found otherwise`,
  );
}
