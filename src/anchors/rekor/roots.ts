/**
 * Reads the logs that a user trusts from one of two files:
 *
 * - a Sigstore trusted root (`trusted_root.json`, sigstore/protobuf-specs `sigstore_trustroot.proto`):
 *   every log in `tlogs` with a P-256 or Ed25519 key;
 * - the PEM of one log's public key below a line `Origin: <name>`, where the name is the log's URL
 *   without its scheme.
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

/** A log and its key. */
export interface TrustedLog extends RekorKey {
  /** The name of its signature lines in checkpoints. */
  readonly origin: string;
  /** 32 bytes: the `logId` of entries. A signature line has the first four. */
  readonly keyId: Bytes;
  /** Unix seconds, inclusive. */
  readonly validFrom: number;
  /** Unix seconds, inclusive. */
  readonly validTo: number;
}

const CODE = "malformed_text";
const LENIENT = { ignoreUnknown: true } as const;
const MAX_VALUES = 10_000;
const KEY_DETAILS = { PKIX_ECDSA_P256_SHA_256: "p256", PKIX_ED25519: "ed25519" } as const;
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

/** Parses either file; `malformed_text` for any other. */
export function parseTrustedLogs(file: Bytes): TrustedLog[] {
  const text = textOf(file, CODE);
  return text.trimStart().startsWith("{") ? logsOfTrustedRoot(text) : [logOfKey(text)];
}

/** Verifies a log's signature: Ed25519, or ECDSA with SHA-256 in DER. */
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

/** A log of a trusted root; `undefined` if its key has another algorithm. */
function logOf(fields: Fields): TrustedLog | undefined {
  const key = fields.object("publicKey", ["rawBytes", "keyDetails", "validFor"], LENIENT);
  const details = key.text("keyDetails");
  if (!Object.hasOwn(KEY_DETAILS, details)) return undefined;
  const decoded = decodeSpki(key.base64("rawBytes"));
  if (decoded?.algorithm !== KEY_DETAILS[details as keyof typeof KEY_DETAILS]) {
    throw malformed("a key is not of its keyDetails");
  }
  // The log ID of API version 2 is the checkpoint key ID. In version 1 both are the same.
  const id = isSet(fields, "checkpointKeyId") ? "checkpointKeyId" : "logId";
  const keyId = fields.object(id, ["keyId"], LENIENT).base64("keyId");
  if (keyId.length !== 32) throw malformed("a key ID is not 32 bytes");
  const validFor = key.object("validFor", ["start"], LENIENT);
  return {
    ...decoded,
    origin: originOf(fields.text("baseUrl")),
    keyId,
    validFrom: secondsOf(validFor.text("start")),
    validTo: isSet(validFor, "end") ? secondsOf(validFor.text("end")) : Infinity,
  };
}

/** Protobuf's JSON may write an absent member as null. */
function isSet(fields: Fields, name: string): boolean {
  return (fields.value(name) ?? null) !== null;
}

function originOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined) throw malformed("a baseUrl is not a URL");
  return `${url.host}${url.pathname.replace(/\/$/, "")}`;
}

function secondsOf(time: string): number {
  const ms = TIME.test(time) ? Date.parse(time) : NaN;
  if (Number.isNaN(ms)) throw malformed("a time is not RFC 3339 in UTC");
  return ms / 1000;
}

/** The log of a PEM file, with the key ID of `sigstore_trustroot.proto`. */
function logOfKey(text: string): TrustedLog {
  const blocks = parsePem(text, CODE);
  const [, origin] = /^Origin: (\S+)\r?$/m.exec(text) ?? [];
  const key = decodeSpki(blocks[0]?.bytes ?? new Uint8Array());
  if (key === undefined || blocks.length !== 1 || blocks[0]!.label !== "PUBLIC KEY") {
    throw malformed("neither a trusted root nor the PEM of one P-256 or Ed25519 public key");
  }
  if (origin === undefined) throw malformed("no line `Origin: <name>` above the key");
  const named = key.algorithm === "p256"
    ? encodeSpki(key)
    : concat(utf8(`${origin}\n`), Uint8Array.of(NOTE_TYPE.ed25519), key.publicKey);
  const keyId = portableKernels.sha256(named);
  return { ...key, origin, keyId, validFrom: 0, validTo: Infinity };
}

function malformed(reason: string): CountersignError {
  return new CountersignError(CODE, `Cannot read roots of Rekor logs: ${reason}`);
}
