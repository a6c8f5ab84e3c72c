/**
 * Key files: one line, a C2SP signer key ({@linkcode encodeNoteSecret}), or a reference to a key that is
 * encrypted or elsewhere (`key_reference.ts`). `timestamp_key_file.ts` reads those of time-stamp authorities.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../base/bytes.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { BlsSigner } from "../proof/crypto/bls_signer.ts";
import { screenPublicKey } from "../proof/crypto/ed25519_key.ts";
import { Ed25519Signer } from "../proof/crypto/ed25519_native.ts";
import type { KeySigner, MlDsaKeySigner } from "../proof/crypto/key_signer.ts";
import { mlDsaPublicKey, MlDsaSigner } from "../proof/crypto/ml_dsa_signer.ts";
import { CountersignError } from "../base/errors.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../proof/format/note_key.ts";
import { type NoteSecret, parseNoteSecret } from "../proof/format/note_secret.ts";
import type { Report } from "../base/report.ts";
import { RemoteSigner } from "./remote_signer.ts";
import type { KeyKind } from "../proof/format/signer_key.ts";
import { loadPassword, loadToken, type SecretReading } from "./bearer_tokens.ts";
import { isAgeText, openAge } from "./encrypted_key.ts";
import {
  type EncryptedKey,
  isKeyReference,
  type KeyElsewhere,
  parseKeyReference,
} from "./key_reference.ts";
import { readPrivateFile } from "./private_file.ts";
import { readBytesFile } from "./text_file.ts";
import { namingFile } from "./validation.ts";

/** The key that a file must hold. */
export interface ExpectedKey {
  readonly name: string;
  /** Checked if the configuration names it. */
  readonly publicKey?: Bytes;
}

export interface KeyReading extends SecretReading {
  readonly bls: Bls;
  /** Receives the failures of a signer, and their end. */
  readonly report: Report;
}

/** A key of any kind; its name and kind are those that the file states. */
export interface NamedSigner {
  readonly kind: Exclude<KeyKind, "cosigner" | "tsa">;
  readonly name: string;
  readonly signer: KeySigner;
  /** The verifier key of a log's key. */
  readonly vkey?: string;
}

/** An ML-DSA-44 key of a witness or a log. */
export interface NamedCosigner {
  readonly kind: "cosigner";
  readonly name: string;
  readonly signer: MlDsaKeySigner;
}

/**
 * The signer of the log's key in the file at `path`. `file_failed` if it cannot be read or others may
 * read it, `invalid_key` if it is not the `expected` key.
 */
export function readLogSigner(
  path: string,
  expected: NoteKey,
  reading: KeyReading,
): Promise<KeySigner> {
  return readExpected(path, "log", expected, reading);
}

/** The signer of a witness's key, of the scheme that the file states. Errors as {@linkcode readLogSigner}. */
export function readWitnessSigner(
  path: string,
  expected: ExpectedKey,
  reading: KeyReading,
): Promise<KeySigner> {
  return readExpected(path, "witness", expected, reading);
}

async function readExpected(
  path: string,
  kind: KeyKind,
  expected: ExpectedKey,
  reading: KeyReading,
): Promise<KeySigner> {
  const { signer, ...found } = await readSigner(path, reading);
  const isExpected = found.kind === kind && found.name === expected.name &&
    (expected.publicKey === undefined || equalBytes(signer.publicKey, expected.publicKey));
  if (isExpected) return signer;
  throw unexpected(path, expected);
}

function unexpected(path: string, { name }: ExpectedKey): CountersignError {
  return new CountersignError(
    "invalid_key",
    `Cannot use key file "${path}": it holds another key than the configured one of ${name}`,
  );
}

/** The signer of the ML-DSA-44 key in the file at `path`. Errors as {@linkcode readLogSigner}. */
export async function readMlDsaSigner(
  path: string,
  expected: ExpectedKey,
  reading: KeyReading,
): Promise<MlDsaKeySigner> {
  const found = await readAnySigner(path, reading);
  const { publicKey = found.signer.publicKey } = expected;
  if (
    found.kind === "cosigner" && found.name === expected.name &&
    equalBytes(found.signer.publicKey, publicKey)
  ) return found.signer;
  throw unexpected(path, expected);
}

/** The signer of the key in the file at `path`; `file_failed`, `invalid_key`, `invalid_configuration`. */
export async function readSigner(path: string, reading: KeyReading): Promise<NamedSigner> {
  const found = await readAnySigner(path, reading);
  if (found.kind !== "cosigner") return found;
  throw new CountersignError(
    "invalid_key",
    `Cannot use key file "${path}": it has an ML-DSA-44 key, which signs only besides another one`,
  );
}

/** {@linkcode readSigner}, also for ML-DSA-44 keys. */
export async function readAnySigner(
  path: string,
  reading: KeyReading,
): Promise<NamedSigner | NamedCosigner> {
  const found = await readKeyText(path, reading);
  return "where" in found ? await remoteSigner(found, reading) : await signerOf(found, reading.bls);
}

/** The text of a key, and the file that has it. */
export interface KeyText {
  readonly text: string;
  readonly path: string;
}

async function readKeyText(path: string, reading: SecretReading): Promise<KeyText | KeyElsewhere> {
  const text = await readPrivateFile(path);
  if (!isKeyReference(text)) return { text, path };
  const reference = parseKeyReference(text, path);
  return reference.where === "signer" ? reference : await readEncryptedKey(reference, reading);
}

/** The decrypted key; errors as {@linkcode readSigner}. */
export async function readEncryptedKey(
  { path, secret: { kind, source } }: EncryptedKey,
  reading: SecretReading,
): Promise<KeyText> {
  const secret = await loadPassword(source, reading);
  const bytes = await readBytesFile(path);
  return { text: await openAge(bytes, { kind, secret }, path), path };
}

async function remoteSigner(
  key: KeyElsewhere,
  reading: KeyReading,
): Promise<NamedSigner | NamedCosigner> {
  const { kind, name, publicKey, scheme } = key;
  if (scheme === "ed25519") screenPublicKey(publicKey);
  const token = await loadToken(key.token, reading);
  if (scheme === "ml-dsa-44") {
    const signer = new RemoteSigner({ ...key, scheme, token }, reading);
    return { kind: "cosigner", name, signer };
  }
  const signer = new RemoteSigner({ ...key, scheme, token }, reading);
  return named({ kind, name, signer });
}

function parseSecret(
  { text, path }: KeyText,
  publicKeyOf: (seed: Bytes, type: number) => Bytes,
): NoteSecret {
  if (isAgeText(text)) {
    throw new CountersignError(
      "invalid_key",
      `Cannot use key file "${path}": it is encrypted. Name it in a key file with age_file and the ` +
        "passphrase or identity",
    );
  }
  return namingFile(path, () => parseNoteSecret(text, publicKeyOf));
}

async function signerOf(key: KeyText, bls: Bls): Promise<NamedSigner | NamedCosigner> {
  const { name, type, seed } = parseSecret(key, (seed, type) => {
    if (type === NOTE_TYPE.mlDsaCosignature) return mlDsaPublicKey(seed);
    return type === NOTE_TYPE.private ? bls.skToPk(seed) : new Ed25519Signer(seed).publicKey;
  });
  if (type === NOTE_TYPE.mlDsaCosignature) {
    const signer = await MlDsaSigner.of(seed);
    seed.fill(0);
    return { kind: "cosigner", name, signer };
  }
  const signer = type === NOTE_TYPE.private ? new BlsSigner(bls, seed) : new Ed25519Signer(seed);
  seed.fill(0);
  return named({ kind: type === NOTE_TYPE.ed25519 ? "log" : "witness", name, signer });
}

function named(key: Pick<NamedSigner, "kind" | "name" | "signer">): NamedSigner {
  if (key.kind === "witness") return key;
  const { name, signer: { publicKey } } = key;
  return { ...key, vkey: encodeVkey({ name, type: NOTE_TYPE.ed25519, publicKey }) };
}
