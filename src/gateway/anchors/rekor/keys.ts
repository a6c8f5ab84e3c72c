/**
 * The key that signs submissions to a Rekor log, and the keys of trusted logs. Public keys are
 * SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7), with a fixed prefix for each algorithm (RFC 5480,
 * RFC 8410).
 *
 * A user names trusted logs in one of two files:
 *
 * - a Sigstore trusted root (`trusted_root.json`, sigstore/protobuf-specs `sigstore_trustroot.proto`):
 *   every log in `tlogs` with a P-256 or Ed25519 key;
 * - the PEM of one log's public key below a line `Origin: <name>`, where the name is the log's URL
 *   without its scheme.
 *
 * @module
 */

import {
  type Bytes,
  bytesOfBase64Url,
  concat,
  equalBytes,
  fromHex,
  textOf,
  utf8,
} from "../../../base/bytes.ts";
import { verifyPortable } from "../../../proof/crypto/ed25519.ts";
import { ED25519_KEY_LENGTH } from "../../../proof/crypto/ed25519_rule.ts";
import { P256_KEY_LENGTH, p256PublicKey, verifyP256 } from "../../../proof/crypto/p256.ts";
import { portableKernels } from "../../../proof/crypto/portable_kernels.ts";
import { CountersignError, errorBuilder, type ErrorCode } from "../../../base/errors.ts";
import { Fields } from "../../../proof/format/fields.ts";
import { NOTE_TYPE } from "../../../proof/format/note_key.ts";
import { parsePem } from "../../../proof/format/pem.ts";
import { urlOf } from "../../../proof/format/service_url.ts";
import { type JsonValue, parseStrictJson } from "../../../proof/format/strict_json.ts";

/** A public key of a log or an entry. */
export interface RekorKey {
  readonly algorithm: "p256" | "ed25519";
  /** An uncompressed point, or the 32 bytes of an Ed25519 key. */
  readonly publicKey: Bytes;
}

/** The key that signs submissions. Never logged. */
export interface SubmitterKey {
  /** 32 bytes. */
  readonly secret: Bytes;
  readonly publicKey: Bytes;
}

const ALGORITHMS = [
  {
    algorithm: "p256",
    prefix: fromHex("3059301306072a8648ce3d020106082a8648ce3d030107034200"),
    length: P256_KEY_LENGTH,
  },
  {
    algorithm: "ed25519",
    prefix: fromHex("302a300506032b6570032100"),
    length: ED25519_KEY_LENGTH,
  },
] as const;

/** Encodes a public key in DER. */
export function encodeSpki({ algorithm, publicKey }: RekorKey): Bytes {
  return concat(ALGORITHMS.find((one) => one.algorithm === algorithm)!.prefix, publicKey);
}

/** Decodes a public key; `undefined` for another algorithm or encoding. */
export function decodeSpki(der: Uint8Array): RekorKey | undefined {
  for (const { algorithm, prefix, length } of ALGORITHMS) {
    const isOf = der.length === prefix.length + length &&
      equalBytes(der.subarray(0, prefix.length), prefix);
    if (isOf) return { algorithm, publicKey: der.slice(prefix.length) as Bytes };
  }
  return undefined;
}

/**
 * Reads the key of a file: one PKCS#8 block (RFC 5958) with a P-256 key, as
 * `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` writes it.
 *
 * @throws CountersignError `invalid_configuration`
 */
export async function readSubmitterKey(file: Bytes): Promise<SubmitterKey> {
  try {
    const blocks = parsePem(textOf(file));
    const [block] = blocks;
    if (blocks.length !== 1 || block!.label !== "PRIVATE KEY") throw invalidKey();
    const curve = { name: "ECDSA", namedCurve: "P-256" };
    const key = await crypto.subtle.importKey("pkcs8", block!.bytes, curve, true, ["sign"]);
    const { d = "" } = await crypto.subtle.exportKey("jwk", key);
    const secret = bytesOfBase64Url(d)!;
    return { secret, publicKey: await p256PublicKey(secret) };
  } catch (cause) {
    // The cause is dropped: its message could contain parts of the secret.
    if (cause instanceof CountersignError || cause instanceof DOMException) throw invalidKey();
    throw cause;
  }
}

function invalidKey(): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    "Cannot use key of Rekor anchor: the file is not one PKCS#8 block (PEM) with a P-256 key",
  );
}

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

const malformed = errorBuilder(CODE, "Cannot read roots of Rekor logs");

/** The members of `value`, an object that may have unknown ones. */
export function lenientFields(
  value: JsonValue | undefined,
  where: string,
  code: ErrorCode,
): Fields {
  return new Fields(value, { where, code }, [], LENIENT);
}

/** The object at the end of `path`. All objects on it may have unknown members. */
export function objectAt(fields: Fields, ...path: readonly string[]): Fields {
  return path.reduce((at, name) => at.object(name, [], LENIENT), fields);
}

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
  const root = lenientFields(parseStrictJson(text, CODE, MAX_VALUES), "trusted root", CODE);
  const members = ["baseUrl", "publicKey", "logId"];
  return root.objects("tlogs", members, LENIENT).flatMap((log) => logOf(log) ?? []);
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
  const keyId = objectAt(fields, id).base64("keyId");
  if (keyId.length !== 32) throw malformed("a key ID is not 32 bytes");
  const validFor = objectAt(key, "validFor");
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
  const url = urlOf(baseUrl);
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
