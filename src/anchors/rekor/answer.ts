/**
 * Reads an entry of a Rekor log from an answer. API version 1 answers an object with the entry under
 * its UUID (sigstore/rekor `openapi.yaml`, LogEntry), version 2 a TransparencyLogEntry in protobuf's
 * JSON (sigstore/protobuf-specs `sigstore_rekor.proto`), which bundles use for both versions. The
 * readers ignore unknown members and verify nothing.
 *
 * @module
 */

import {
  type Bytes,
  bytesOfBase64,
  bytesOfHex,
  HASH_LENGTH,
  integerOf,
  textOf,
} from "../../bytes.ts";
import { CountersignError, type ErrorCode } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { type JsonObject, type JsonValue, parseStrictJson } from "../../format/strict_json.ts";
import type { EntryVersion, RekorEntry } from "./entry.ts";

const CODE = "anchor_refused";
const MAX_VALUES = 1_000;
const LENIENT = { ignoreUnknown: true } as const;

/** The entry in an answer of API version 1; `anchor_refused`. */
export function readFirstAnswer(answer: Bytes): RekorEntry {
  const value = parseStrictJson(textOf(answer, CODE), CODE, MAX_VALUES);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const [entry, ...others] = isObject ? Object.values(value as JsonObject) : [];
  if (!isObject || others.length > 0) throw malformed(CODE, "it is not one entry under its UUID");
  const fields = new Fields(entry, { where: "entry", code: CODE }, [
    ...["body", "integratedTime", "logID", "logIndex", "verification"],
  ], LENIENT);
  const members = ["inclusionProof", "signedEntryTimestamp"];
  const verification = fields.object("verification", members, LENIENT);
  const inclusion = verification.object("inclusionProof", [
    ...["checkpoint", "hashes", "logIndex", "rootHash", "treeSize"],
  ], LENIENT);
  const hashOf = (text: string) => requireHash(CODE, bytesOfHex(text, HASH_LENGTH));
  return {
    version: "0.0.1",
    logId: Uint8Array.fromHex(fields.hex("logID", HASH_LENGTH)),
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
  return readLogEntry(parseStrictJson(textOf(answer, CODE), CODE, MAX_VALUES), "0.0.2", CODE);
}

/** The entry of a TransparencyLogEntry; version 0.0.1 has a promise. */
export function readLogEntry(
  value: JsonValue | undefined,
  version: EntryVersion,
  code: ErrorCode,
): RekorEntry {
  const isFirst = version === "0.0.1";
  const fields = new Fields(value, { where: "entry", code }, [
    ...["logId", "inclusionProof", "canonicalizedBody"],
    ...isFirst ? ["integratedTime", "inclusionPromise"] : [],
  ], LENIENT);
  const proof = fields.object("inclusionProof", ["rootHash", "treeSize", "checkpoint"], LENIENT);
  const hashes = proof.has("hashes") ? proof.texts("hashes") : [];
  const hashOf = (text: string) => requireHash(code, bytesOfBase64(text));
  return {
    version,
    logId: hashOf(fields.object("logId", ["keyId"], LENIENT).text("keyId")),
    logIndex: int64Of(fields, "logIndex"),
    body: fields.base64("canonicalizedBody"),
    inclusion: {
      index: int64Of(proof, "logIndex"),
      size: int64Of(proof, "treeSize"),
      root: hashOf(proof.text("rootHash")),
      path: hashes.map(hashOf),
      checkpoint: proof.object("checkpoint", ["envelope"], LENIENT).text("envelope"),
    },
    ...(isFirst && {
      promise: {
        integratedTime: int64Of(fields, "integratedTime"),
        signature: fields.object("inclusionPromise", ["signedEntryTimestamp"], LENIENT)
          .base64("signedEntryTimestamp"),
      },
    }),
  };
}

/** Protobuf's JSON writes 64-bit integers as texts and omits zeros. */
function int64Of(fields: Fields, name: string): number {
  const value = fields.value(name) === undefined ? 0 : fields.value(name);
  const integer = typeof value === "string" ? integerOf(value) : value;
  if (typeof integer === "number") return integer;
  throw malformed(fields.code, `${name} is not a decimal integer below 2^53`);
}

function requireHash(code: ErrorCode, bytes: Bytes | undefined): Bytes {
  if (bytes?.length !== HASH_LENGTH) throw malformed(code, "a hash is not 32 bytes");
  return bytes;
}

function malformed(code: ErrorCode, reason: string): CountersignError {
  return new CountersignError(code, `Cannot read entry of Rekor log: ${reason}`);
}
