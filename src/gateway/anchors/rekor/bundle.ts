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
 * Integers are decimal texts, bytes are base64. Only entries of version 0.0.1 have a time and a
 * promise. The bundle has no member that is not verified.
 *
 * A log answers with an entry: API version 1 with an object that has it under its UUID
 * (sigstore/rekor `openapi.yaml`, LogEntry), version 2 with the TransparencyLogEntry that bundles
 * hold (`sigstore_rekor.proto`). The readers ignore unknown members and verify nothing.
 *
 * @module
 */

import { base64Of, type Bytes, fromHex, integerOf, textOf } from "../../../base/bytes.ts";
import { portableKernels } from "../../../proof/crypto/portable_kernels.ts";
import { errorBuilder } from "../../../base/errors.ts";
import {
  COUNT,
  HASH,
  list,
  type OfMembers,
  oneOf,
  Schema,
  TEXT,
  union,
} from "../../../proof/format/schema.ts";
import {
  type JsonObject,
  type JsonValue,
  parseStrictJson,
} from "../../../proof/format/strict_json.ts";
import {
  BASE64_HASH,
  decodeEntryBody,
  ENTRY_KIND,
  type EntryVersion,
  type HashedRecord,
  type RekorEntry,
} from "./entry.ts";
import { BASE64, encodeSpki, lenient } from "./keys.ts";

/** An entry, and the record in its body. */
export interface RekorProof {
  readonly entry: RekorEntry;
  readonly record: HashedRecord;
}

const CODE = "malformed_bundle";
const ANSWER = { where: "answer of Rekor log", code: "anchor_refused" } as const;
const MAX_VALUES = 1_000;
const malformed = errorBuilder(CODE, "Cannot read Rekor bundle");
const refused = errorBuilder(ANSWER.code, `Cannot read ${ANSWER.where}`);

/** Protobuf's JSON writes 64-bit integers as texts, and omits zeros. */
const INT64 = union(COUNT, TEXT.map(integerOf, "a decimal integer below 2^53"));
const INDEX = INT64.withDefault(0);

const LOG_ENTRY = {
  logId: lenient({ keyId: BASE64_HASH }),
  logIndex: INDEX,
  canonicalizedBody: BASE64,
  inclusionProof: lenient({
    logIndex: INDEX,
    treeSize: INT64,
    rootHash: BASE64_HASH,
    hashes: list(BASE64_HASH).withDefault([]),
    checkpoint: lenient({ envelope: TEXT }),
  }),
};

/** A TransparencyLogEntry of version 0.0.2. */
const SECOND_ENTRY = lenient(LOG_ENTRY).convert((entry) => entryOf("0.0.2", entry));

/** A TransparencyLogEntry of version 0.0.1, which has a promise. */
const FIRST_ENTRY = lenient({
  ...LOG_ENTRY,
  integratedTime: INT64,
  inclusionPromise: lenient({ signedEntryTimestamp: BASE64 }),
}).convert((entry): RekorEntry => ({
  ...entryOf("0.0.1", entry),
  promise: {
    integratedTime: entry.integratedTime,
    signature: entry.inclusionPromise.signedEntryTimestamp,
  },
}));

function entryOf(
  version: EntryVersion,
  { logId, logIndex, canonicalizedBody, inclusionProof }: OfMembers<typeof LOG_ENTRY>,
): RekorEntry {
  return {
    version,
    logId: logId.keyId,
    logIndex,
    body: canonicalizedBody,
    inclusion: {
      index: inclusionProof.logIndex,
      size: inclusionProof.treeSize,
      root: inclusionProof.rootHash,
      path: inclusionProof.hashes,
      checkpoint: inclusionProof.checkpoint.envelope,
    },
  };
}

const KIND_VERSION = lenient({
  kindVersion: lenient({ version: oneOf(["0.0.1", "0.0.2"]) }),
});

const BUNDLE = lenient({
  verificationMaterial: lenient({
    tlogEntries: list(
      new Schema((value, path, context) => {
        const { version } = KIND_VERSION.read(value, path, context).kindVersion;
        return (version === "0.0.1" ? FIRST_ENTRY : SECOND_ENTRY).read(value, path, context);
      }, FIRST_ENTRY.describe),
      1,
      1,
    ),
  }),
});

const HASH_BYTES = HASH.convert(fromHex);

/** A LogEntry of API version 1. */
const FIRST_ANSWER = lenient({
  logID: HASH_BYTES,
  logIndex: COUNT,
  body: BASE64,
  integratedTime: COUNT,
  verification: lenient({
    signedEntryTimestamp: BASE64,
    inclusionProof: lenient({
      logIndex: COUNT,
      treeSize: COUNT,
      rootHash: HASH_BYTES,
      hashes: list(HASH_BYTES),
      checkpoint: TEXT,
    }),
  }),
}).convert(({ logID, logIndex, body, integratedTime, verification }): RekorEntry => {
  const { signedEntryTimestamp, inclusionProof } = verification;
  return {
    version: "0.0.1",
    logId: logID,
    logIndex,
    body,
    inclusion: {
      index: inclusionProof.logIndex,
      size: inclusionProof.treeSize,
      root: inclusionProof.rootHash,
      path: inclusionProof.hashes,
      checkpoint: inclusionProof.checkpoint,
    },
    promise: { integratedTime, signature: signedEntryTimestamp },
  };
});

/** Encodes the bundle of an entry. */
export function encodeRekorBundle({ entry, record }: RekorProof): JsonValue {
  const { version, logId, logIndex, body, inclusion, promise } = entry;
  const spki = encodeSpki({ algorithm: "p256", publicKey: record.publicKey });
  const bundle = {
    mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
    verificationMaterial: {
      publicKey: { hint: base64Of(portableKernels.sha256(spki)) },
      tlogEntries: [{
        logIndex: String(logIndex),
        logId: { keyId: base64Of(logId) },
        kindVersion: { kind: ENTRY_KIND, version },
        ...(promise && {
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
      messageDigest: { algorithm: "SHA2_256", digest: base64Of(record.digest) },
      signature: base64Of(record.signature),
    },
  };
  // Parsed again, since a strict parser makes objects without prototypes.
  return parseStrictJson(JSON.stringify(bundle), "internal");
}

/** Reads the bundle of an entry and verifies nothing; `malformed_bundle` for any other input. */
export function parseRekorBundle(bundle: JsonValue): RekorProof {
  const { verificationMaterial } = BUNDLE.parse(bundle, { where: "Rekor bundle", code: CODE });
  const [entry] = verificationMaterial.tlogEntries as [RekorEntry];
  // In version 0.0.1 one index counts over all shards of a log, the other within one.
  if (entry.version === "0.0.2" && entry.inclusion.index !== entry.logIndex) {
    throw malformed("the two indexes differ");
  }
  const proof = { entry, record: decodeEntryBody(entry.version, entry.body) };
  // Refuses every other member and spelling, and values that contradict the entry.
  if (sortedJson(encodeRekorBundle(proof)) !== sortedJson(bundle)) {
    throw malformed("the bundle is not that of its entry");
  }
  return proof;
}

/** One text for JSON values that differ in the order of members alone. */
function sortedJson(value: JsonValue): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}

/** The entry in an answer of API version 1; `anchor_refused`. */
export function readFirstAnswer(answer: Bytes): RekorEntry {
  const value = parseAnswer(answer);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // Its one member is named by the UUID of the entry.
  const [entry, ...others] = isObject ? Object.values(value as JsonObject) : [];
  if (others.length > 0) throw refused("it has several entries");
  return FIRST_ANSWER.parse(entry, ANSWER);
}

/** The entry in an answer of API version 2; `anchor_refused`. */
export function readSecondAnswer(answer: Bytes): RekorEntry {
  return SECOND_ENTRY.parse(parseAnswer(answer), ANSWER);
}

function parseAnswer(answer: Bytes): JsonValue {
  return parseStrictJson(textOf(answer, ANSWER.code), ANSWER.code, MAX_VALUES);
}
