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
 * @module
 */

import { base64Of, type Bytes } from "../../bytes.ts";
import { portableKernels } from "../../crypto/portable_kernels.ts";
import { CountersignError } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../../format/strict_json.ts";
import { readLogEntry } from "./answer.ts";
import { decodeEntryBody, ENTRY_KIND, type HashedRecord, type RekorEntry } from "./entry.ts";
import { encodeSpki } from "./keys.ts";

/** An entry, and the record in its body. */
export interface RekorProof {
  readonly entry: RekorEntry;
  readonly record: HashedRecord;
}

const MEDIA_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";
const DIGEST_ALGORITHM = "SHA2_256";
const CODE = "malformed_bundle";
const LENIENT = { ignoreUnknown: true } as const;

/** The identifier of a key for standard tools. */
function keyHint(publicKey: Bytes): string {
  return base64Of(portableKernels.sha256(encodeSpki({ algorithm: "p256", publicKey })));
}

/** Encodes the bundle of an entry. */
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
  // Parsed again, since a strict parser makes objects without prototypes.
  return parseStrictJson(JSON.stringify(bundle), "internal");
}

/** Reads the bundle of an entry and verifies nothing; `malformed_bundle` for any other input. */
export function parseRekorBundle(bundle: JsonValue): RekorProof {
  const context = { where: "proof", code: CODE } as const;
  const material = new Fields(bundle, context, ["verificationMaterial"], LENIENT)
    .object("verificationMaterial", ["tlogEntries"], LENIENT);
  const [value] = material.list("tlogEntries");
  const kindVersion = material.within(value, "tlogEntries[0]", ["kindVersion"], LENIENT)
    .object("kindVersion", ["version"], LENIENT);
  const version = kindVersion.text("version");
  if (version !== "0.0.1" && version !== "0.0.2") {
    throw malformed(`entries of version ${version} are unknown`);
  }
  const entry = readLogEntry(value, version, CODE);
  // In version 0.0.1 one index counts over all shards of a log, the other within one.
  if (version === "0.0.2" && entry.inclusion.index !== entry.logIndex) {
    throw malformed("the two indexes differ");
  }
  const proof = { entry, record: decodeEntryBody(version, entry.body) };
  // Refuses every other member and spelling, and values that contradict the entry.
  if (textOf(encodeRekorBundle(proof)) !== textOf(bundle)) {
    throw malformed("it is not the bundle of its entry");
  }
  return proof;
}

/** One text for JSON values that differ in the order of members alone. */
function textOf(value: JsonValue): string {
  return JSON.stringify(value, (_, member) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}

function malformed(reason: string): CountersignError {
  return new CountersignError(CODE, `Cannot read Rekor proof: ${reason}`);
}
