/**
 * What a Rekor log answers when an entry is added: of API version 1 an object with the entry under
 * its UUID (sigstore/rekor `openapi.yaml`, LogEntry), of version 2 a TransparencyLogEntry in
 * protobuf's JSON (sigstore/protobuf-specs `sigstore_rekor.proto`). Both may have members that are
 * not known here. Nothing is verified yet.
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
import { CountersignError } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { type JsonObject, type JsonValue, parseStrictJson } from "../../format/strict_json.ts";
import type { EntryInclusion, RekorEntry } from "./entry.ts";

const CODE = "anchor_refused";
const MAX_VALUES = 1_000;
const LENIENT = { ignoreUnknown: true } as const;

/** The entry in an answer of API version 1; `anchor_refused`. */
export function readFirstAnswer(answer: Bytes): RekorEntry {
  const value = parseStrictJson(textOf(answer, CODE), CODE, MAX_VALUES);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refused("an entry under its UUID", "another value");
  }
  const [entry, ...others] = Object.values(value as JsonObject);
  if (others.length > 0) throw refused("one entry", "several");
  const fields = new Fields(entry, { where: "entry", code: CODE }, [
    ...["body", "integratedTime", "logID", "logIndex", "verification"],
  ], LENIENT);
  const members = ["inclusionProof", "signedEntryTimestamp"];
  const verification = fields.object("verification", members, LENIENT);
  return {
    version: "0.0.1",
    logId: Uint8Array.fromHex(fields.hex("logID", HASH_LENGTH)),
    logIndex: fields.count("logIndex"),
    body: fields.base64("body"),
    inclusion: readFirstInclusion(verification),
    promise: {
      integratedTime: fields.count("integratedTime"),
      signature: verification.base64("signedEntryTimestamp"),
    },
  };
}

function readFirstInclusion(verification: Fields): EntryInclusion {
  const fields = verification.object("inclusionProof", [
    ...["checkpoint", "hashes", "logIndex", "rootHash", "treeSize"],
  ], LENIENT);
  return {
    index: fields.count("logIndex"),
    size: fields.count("treeSize"),
    root: hashOf(bytesOfHex(fields.text("rootHash"), HASH_LENGTH)),
    path: fields.texts("hashes").map((hash) => hashOf(bytesOfHex(hash, HASH_LENGTH))),
    checkpoint: fields.text("checkpoint"),
  };
}

/** The entry in an answer of API version 2; `anchor_refused`. */
export function readSecondAnswer(answer: Bytes): RekorEntry {
  const value = parseStrictJson(textOf(answer, CODE), CODE, MAX_VALUES);
  const fields = new Fields(value, { where: "entry", code: CODE }, [
    ...["logId", "inclusionProof", "canonicalizedBody"],
  ], LENIENT);
  const members = ["rootHash", "treeSize", "checkpoint"];
  const proof = fields.object("inclusionProof", members, LENIENT);
  const hashes = proof.has("hashes") ? proof.texts("hashes") : [];
  return {
    version: "0.0.2",
    logId: hashOf(fields.object("logId", ["keyId"], LENIENT).base64("keyId")),
    logIndex: int64Of(fields.value("logIndex")),
    body: fields.base64("canonicalizedBody"),
    inclusion: {
      index: int64Of(proof.value("logIndex")),
      size: int64Of(proof.value("treeSize")),
      root: hashOf(proof.base64("rootHash")),
      path: hashes.map((hash) => hashOf(bytesOfBase64(hash))),
      checkpoint: proof.object("checkpoint", ["envelope"], LENIENT).text("envelope"),
    },
  };
}

/** Protobuf's JSON has 64-bit integers as texts, and leaves out zeros. */
function int64Of(value: JsonValue | undefined): number {
  const integer = value === undefined ? 0 : typeof value === "string" ? integerOf(value) : value;
  if (typeof integer !== "number") throw refused("a decimal integer below 2^53", "another value");
  return integer;
}

function hashOf(bytes: Bytes | undefined): Bytes {
  if (bytes?.length !== HASH_LENGTH) throw refused("hashes of 32 bytes", "another value");
  return bytes;
}

function refused(required: string, found: string): CountersignError {
  return new CountersignError(
    CODE,
    `Cannot read answer of Rekor log: ${required} required, found ${found}`,
  );
}
