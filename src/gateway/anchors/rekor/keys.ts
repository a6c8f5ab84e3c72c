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
  bytesOfBase64,
  bytesOfBase64Url,
  concat,
  equalBytes,
  fromHex,
  HASH_LENGTH,
  textOf,
  utf8,
} from "../../../base/bytes.ts";
import { verifyPortable } from "../../../proof/crypto/ed25519.ts";
import { ED25519_KEY_LENGTH } from "../../../proof/crypto/ed25519_rule.ts";
import { P256_KEY_LENGTH, p256PublicKey, verifyP256 } from "../../../proof/crypto/p256.ts";
import { portableKernels } from "../../../proof/crypto/portable_kernels.ts";
import { CountersignError, errorBuilder } from "../../../base/errors.ts";
import { NOTE_TYPE } from "../../../proof/format/note_key.ts";
import { parsePem } from "../../../proof/format/pem.ts";
import {
  list,
  type Members,
  object,
  type ObjectSchema,
  type Of,
  orNull,
  TEXT,
} from "../../../proof/format/schema.ts";
import { urlOf } from "../../../proof/format/service_url.ts";

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
const MAX_VALUES = 10_000;
const KEY_DETAILS = { PKIX_ECDSA_P256_SHA_256: "p256", PKIX_ED25519: "ed25519" } as const;
const RFC_3339 = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$/;

const malformed = errorBuilder(CODE, "Cannot read roots of Rekor logs");

/** An object of Sigstore's formats, which may have unknown members. */
export function lenient<const M extends Members>(members: M): ObjectSchema<M> {
  return object(members, "ignored");
}

export const BASE64 = TEXT.map(bytesOfBase64, "padded base64");

/** Unix seconds of a time in UTC. */
const TIME = TEXT.map((text) => {
  const ms = RFC_3339.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(ms) ? undefined : ms / 1000;
}, "a time of RFC 3339 in UTC");

const KEY_ID = lenient({ keyId: BASE64 });

// Protobuf's JSON may write an absent member as null.
const LOG = lenient({
  baseUrl: TEXT.map(originOf, "a URL"),
  publicKey: lenient({
    rawBytes: BASE64,
    keyDetails: TEXT,
    validFor: lenient({ start: TIME, end: orNull(TIME).optional() }),
  }),
  logId: orNull(KEY_ID),
  checkpointKeyId: orNull(KEY_ID).optional(),
});

const TRUSTED_ROOT = lenient({ tlogs: list(LOG) });

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
  const root = TRUSTED_ROOT.parseText(text, { where: "trusted root", code: CODE }, MAX_VALUES);
  return root.tlogs.flatMap((log) => logOf(log) ?? []);
}

/** A log of a trusted root; `undefined` if its key has another algorithm. */
function logOf({ baseUrl, publicKey, logId, checkpointKeyId }: Of<typeof LOG>) {
  const { keyDetails, rawBytes, validFor } = publicKey;
  if (!Object.hasOwn(KEY_DETAILS, keyDetails)) return undefined;
  const key = decodeSpki(rawBytes);
  if (key?.algorithm !== KEY_DETAILS[keyDetails as keyof typeof KEY_DETAILS]) {
    throw malformed("a key is not of its keyDetails");
  }
  // The log ID of API version 2 is the checkpoint key ID. In version 1 both are the same.
  const keyId = (checkpointKeyId ?? logId)?.keyId;
  if (keyId?.length !== HASH_LENGTH) throw malformed("the keyId of a log is not 32 bytes");
  const { start, end } = validFor;
  return { ...key, origin: baseUrl, keyId, validFrom: start, validTo: end ?? Infinity };
}

function originOf(baseUrl: string): string | undefined {
  const url = urlOf(baseUrl);
  return url && `${url.host}${url.pathname.replace(/\/$/, "")}`;
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
