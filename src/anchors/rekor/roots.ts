/**
 * The logs that a user trusts, of one of two files:
 *
 * - a Sigstore trusted root (`trusted_root.json`, sigstore/protobuf-specs `sigstore_trustroot.proto`),
 *   of whose `tlogs` those are taken that have a P-256 or an Ed25519 key;
 * - the PEM of one log's public key, above which a line says whose it is: `Origin: <name>`, the
 *   log's URL without its scheme.
 *
 * @module
 */

import { type Bytes, concat, textOf, utf8 } from "../../bytes.ts";
import { verifyPortable } from "../../crypto/ed25519.ts";
import { verifyP256 } from "../../crypto/p256.ts";
import { portableKernels } from "../../crypto/portable_kernels.ts";
import { CountersignError } from "../../errors.ts";
import { Fields } from "../../format/fields.ts";
import { NOTE_TYPE } from "../../format/note_key.ts";
import { parsePem } from "../../format/pem.ts";
import { parseStrictJson } from "../../format/strict_json.ts";
import { decodeSpki, encodeSpki, type RekorKey } from "./keys.ts";

/** A log under its key. */
export interface TrustedLog extends RekorKey {
  /** The name of its lines in checkpoints. */
  readonly origin: string;
  /** 32 bytes, of which a line has the first four: the `logId` of entries. */
  readonly keyId: Bytes;
  /** Unix seconds: between both, inclusive, the key signs. */
  readonly validFrom: number;
  readonly validTo: number;
}

const CODE = "malformed_text";
const LENIENT = { ignoreUnknown: true } as const;
const MAX_VALUES = 10_000;
const KEY_DETAILS = { PKIX_ECDSA_P256_SHA_256: "p256", PKIX_ED25519: "ed25519" } as const;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

/** The logs of a file; `malformed_text` unless it is one of the two. */
export function parseTrustedLogs(file: Bytes): TrustedLog[] {
  const text = textOf(file, CODE);
  return text.trimStart().startsWith("{") ? logsOfTrustedRoot(text) : [logOfKey(text)];
}

/** True when `signature` over `message` is the log's: Ed25519, or ECDSA with SHA-256 as DER. */
export function verifyLogSignature(
  log: TrustedLog,
  message: Bytes,
  signature: Bytes,
): boolean | Promise<boolean> {
  return log.algorithm === "ed25519"
    ? verifyPortable(log.publicKey, message, signature)
    : verifyP256(log.publicKey, portableKernels.sha256(message), signature);
}

function logsOfTrustedRoot(text: string): TrustedLog[] {
  const value = parseStrictJson(text, CODE, MAX_VALUES);
  const root = new Fields(value, { where: "trusted root", code: CODE }, ["tlogs"], LENIENT);
  return root.list("tlogs").flatMap((value, i) => {
    const members = ["baseUrl", "publicKey", "logId"];
    return logOf(root.within(value, `tlogs[${i}]`, members, LENIENT)) ?? [];
  });
}

/** A log of a trusted root, or `undefined` when its key is of another algorithm. */
function logOf(fields: Fields): TrustedLog | undefined {
  const key = fields.object("publicKey", ["rawBytes", "keyDetails", "validFor"], LENIENT);
  const details = key.text("keyDetails");
  if (!Object.hasOwn(KEY_DETAILS, details)) return undefined;
  const decoded = decodeSpki(key.base64("rawBytes"));
  if (decoded?.algorithm !== KEY_DETAILS[details as keyof typeof KEY_DETAILS]) {
    throw malformed("the key that keyDetails says", "another");
  }
  // The log ID of a version 2 log is its checkpoint key ID; one of version 1 has the same for both.
  const id = isSet(fields, "checkpointKeyId") ? "checkpointKeyId" : "logId";
  const keyId = fields.object(id, ["keyId"], LENIENT).base64("keyId");
  if (keyId.length !== 32) throw malformed("key IDs of 32 bytes", "another");
  // Without its begin a key is of no known time, and no key of a trusted root.
  const validFor = key.object("validFor", ["start"], LENIENT);
  return {
    ...decoded,
    origin: originOf(fields.text("baseUrl")),
    keyId,
    validFrom: secondsOf(validFor.text("start")),
    validTo: isSet(validFor, "end") ? secondsOf(validFor.text("end")) : Infinity,
  };
}

/** Protobuf's JSON may spell an absent member as null. */
function isSet(fields: Fields, name: string): boolean {
  return (fields.value(name) ?? null) !== null;
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined) throw malformed("URLs in baseUrl", "another text");
  return `${url.host}${url.pathname.replace(/\/$/, "")}`;
}

function secondsOf(time: string): number {
  const ms = TIME.test(time) ? Date.parse(time) : NaN;
  if (Number.isNaN(ms)) throw malformed("times of RFC 3339 in UTC", "another text");
  return ms / 1000;
}

/** The key of a PEM file; its ID is as `sigstore_trustroot.proto` computes it. */
function logOfKey(text: string): TrustedLog {
  const blocks = parsePem(text, CODE);
  const [, origin] = /^Origin: (\S+)\r?$/m.exec(text) ?? [];
  const key = decodeSpki(blocks[0]?.bytes ?? new Uint8Array());
  if (key === undefined || blocks.length !== 1 || blocks[0]!.label !== "PUBLIC KEY") {
    throw malformed("a trusted root, or the PEM of a P-256 or Ed25519 public key", "another file");
  }
  if (origin === undefined) throw malformed("a line `Origin: <name>` above the key", "none");
  const named = key.algorithm === "p256"
    ? encodeSpki(key)
    : concat(utf8(`${origin}\n`), Uint8Array.of(NOTE_TYPE.ed25519), key.publicKey);
  const keyId = portableKernels.sha256(named);
  return { ...key, origin, keyId, validFrom: 0, validTo: Infinity };
}

function malformed(required: string, found: string): CountersignError {
  return new CountersignError(
    CODE,
    `Cannot read roots of Rekor logs: ${required} required, found ${found}`,
  );
}
