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

import {
  base64Of,
  type Bytes,
  bytesOfBase64,
  bytesOfHex,
  HASH_LENGTH,
  integerOf,
  textOf,
} from "../../../base/bytes.ts";
import { portableKernels } from "../../../proof/crypto/portable_kernels.ts";
import { CountersignError, type ErrorCode } from "../../../base/errors.ts";
import type { Fields } from "../../../proof/format/fields.ts";
import {
  type JsonObject,
  type JsonValue,
  parseStrictJson,
} from "../../../proof/format/strict_json.ts";
import {
  decodeEntryBody,
  ENTRY_KIND,
  type EntryVersion,
  type HashedRecord,
  type RekorEntry,
} from "./entry.ts";
import { encodeSpki, lenientFields, objectAt } from "./keys.ts";

/** An entry, and the record in its body. */
export interface RekorProof {
  readonly entry: RekorEntry;
  readonly record: HashedRecord;
}

const CODE = "malformed_bundle";
const ANSWER_CODE = "anchor_refused";
const MAX_VALUES = 1_000;

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
  const material = objectAt(lenientFields(bundle, "proof", CODE), "verificationMaterial");
  const [value] = material.list("tlogEntries");
  const version = objectAt(lenientFields(value, "entry", CODE), "kindVersion").text("version");
  if (version !== "0.0.1" && version !== "0.0.2") {
    throw malformed(CODE, `version ${version} is unknown`);
  }
  const entry = readLogEntry(value, version, CODE);
  // In version 0.0.1 one index counts over all shards of a log, the other within one.
  if (version === "0.0.2" && entry.inclusion.index !== entry.logIndex) {
    throw malformed(CODE, "the two indexes differ");
  }
  const proof = { entry, record: decodeEntryBody(version, entry.body) };
  // Refuses every other member and spelling, and values that contradict the entry.
  if (sortedJson(encodeRekorBundle(proof)) !== sortedJson(bundle)) {
    throw malformed(CODE, "the bundle is not that of its entry");
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
  const [entry, ...others] = isObject ? Object.values(value as JsonObject) : [];
  if (others.length > 0) throw malformed(ANSWER_CODE, "the answer has several entries");
  const fields = lenientFields(entry, "entry", ANSWER_CODE);
  const verification = objectAt(fields, "verification");
  const inclusion = objectAt(verification, "inclusionProof");
  const hashOf = (text: string) => requireHash(ANSWER_CODE, bytesOfHex(text, HASH_LENGTH));
  return {
    version: "0.0.1",
    logId: hashOf(fields.text("logID")),
    logIndex: fields.integer("logIndex"),
    body: fields.base64("body"),
    inclusion: {
      index: inclusion.integer("logIndex"),
      size: inclusion.integer("treeSize"),
      root: hashOf(inclusion.text("rootHash")),
      path: inclusion.texts("hashes").map(hashOf),
      checkpoint: inclusion.text("checkpoint"),
    },
    promise: {
      integratedTime: fields.integer("integratedTime"),
      signature: verification.base64("signedEntryTimestamp"),
    },
  };
}

/** The entry in an answer of API version 2; `anchor_refused`. */
export function readSecondAnswer(answer: Bytes): RekorEntry {
  return readLogEntry(parseAnswer(answer), "0.0.2", ANSWER_CODE);
}

function parseAnswer(answer: Bytes): JsonValue {
  return parseStrictJson(textOf(answer, ANSWER_CODE), ANSWER_CODE, MAX_VALUES);
}

/** The entry of a TransparencyLogEntry; version 0.0.1 has a promise. */
export function readLogEntry(
  value: JsonValue | undefined,
  version: EntryVersion,
  code: ErrorCode,
): RekorEntry {
  const fields = lenientFields(value, "entry", code);
  const proof = objectAt(fields, "inclusionProof");
  const hashes = proof.has("hashes") ? proof.texts("hashes") : [];
  const hashOf = (text: string) => requireHash(code, bytesOfBase64(text));
  return {
    version,
    logId: hashOf(objectAt(fields, "logId").text("keyId")),
    logIndex: int64Of(fields, "logIndex", 0),
    body: fields.base64("canonicalizedBody"),
    inclusion: {
      index: int64Of(proof, "logIndex", 0),
      size: int64Of(proof, "treeSize"),
      root: hashOf(proof.text("rootHash")),
      path: hashes.map(hashOf),
      checkpoint: objectAt(proof, "checkpoint").text("envelope"),
    },
    ...(version === "0.0.1" && {
      promise: {
        integratedTime: int64Of(fields, "integratedTime"),
        signature: objectAt(fields, "inclusionPromise").base64("signedEntryTimestamp"),
      },
    }),
  };
}

/** Protobuf's JSON writes 64-bit integers as texts and omits zeros. Absence means `omitted`. */
function int64Of(fields: Fields, name: string, omitted?: 0): number {
  const value = fields.has(name) ? fields.value(name) : omitted;
  const integer = typeof value === "string" ? integerOf(value) : value;
  if (typeof integer === "number") return integer;
  throw malformed(fields.code, `${name} is not a decimal integer below 2^53`);
}

function requireHash(code: ErrorCode, bytes: Bytes | undefined): Bytes {
  if (bytes?.length !== HASH_LENGTH) throw malformed(code, "a hash is not 32 bytes");
  return bytes;
}

function malformed(code: ErrorCode, reason: string): CountersignError {
  return new CountersignError(code, `Cannot read Rekor entry: ${reason}`);
}
