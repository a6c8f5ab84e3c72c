/**
 * Key files: one line, a C2SP signer key ({@linkcode encodeNoteSecret}).
 *
 * @module
 */

import { type Bytes, equalBytes } from "../bytes.ts";
import type { Bls } from "../crypto/bls.ts";
import { BlsSigner } from "../crypto/bls_signer.ts";
import { Ed25519Signer } from "../crypto/ed25519_native.ts";
import { CountersignError } from "../errors.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../format/note_key.ts";
import { parseNoteSecret } from "../format/note_secret.ts";
import { readPrivateFile } from "./private_file.ts";

/** The key that a file must hold. */
export interface ExpectedKey {
  readonly name: string;
  /** Checked if the configuration names it. */
  readonly publicKey?: Bytes;
}

/**
 * The signer of the log's key in the file at `path`. `file_failed` if it cannot be read or others may
 * read it, `invalid_key` if it is not the `expected` key.
 */
export async function readLogSigner(path: string, expected: NoteKey): Promise<Ed25519Signer> {
  const text = await readPrivateFile(path);
  const { name, type, seed } = parseNoteSecret(text, (seed) => new Ed25519Signer(seed).publicKey);
  const signer = new Ed25519Signer(seed);
  seed.fill(0);
  const isOfType = type === NOTE_TYPE.ed25519;
  requireExpected(path, expected, { name, isOfType, publicKey: signer.publicKey });
  return signer;
}

/**
 * The signer of a witness's key, of the scheme that the file's type names. Errors as
 * {@linkcode readLogSigner}.
 */
export async function readWitnessSigner(
  path: string,
  expected: ExpectedKey,
  bls: Bls,
): Promise<Ed25519Signer | BlsSigner> {
  const { name, type, signer } = await readSigner(path, bls);
  const isOfType = type !== NOTE_TYPE.ed25519;
  requireExpected(path, expected, { name, isOfType, publicKey: signer.publicKey });
  return signer;
}

/** A key of any kind; its name and kind are those that the file states. */
export interface AnySigner {
  readonly kind: "witness" | "log";
  readonly name: string;
  readonly publicKey: Bytes;
  /** The verifier key of a log's key. */
  readonly vkey?: string;
  sign(message: Uint8Array): Bytes;
}

/** The signer of the key in the file at `path`; `file_failed` or `invalid_key`. */
export async function readAnySigner(path: string, bls: Bls): Promise<AnySigner> {
  const { name, type, signer } = await readSigner(path, bls);
  const { publicKey } = signer;
  const sign = (message: Uint8Array) => signer.sign(message);
  if (type !== NOTE_TYPE.ed25519) return { kind: "witness", name, publicKey, sign };
  return { kind: "log", name, publicKey, vkey: encodeVkey({ name, type, publicKey }), sign };
}

async function readSigner(
  path: string,
  bls: Bls,
): Promise<{ name: string; type: number; signer: Ed25519Signer | BlsSigner }> {
  const { name, type, seed } = parseNoteSecret(
    await readPrivateFile(path),
    (seed, type) =>
      type === NOTE_TYPE.private ? bls.skToPk(seed) : new Ed25519Signer(seed).publicKey,
  );
  const signer = type === NOTE_TYPE.private ? new BlsSigner(bls, seed) : new Ed25519Signer(seed);
  seed.fill(0);
  return { name, type, signer };
}

function requireExpected(
  path: string,
  expected: ExpectedKey,
  found: Required<ExpectedKey> & { readonly isOfType: boolean },
): void {
  const isExpected = found.isOfType && found.name === expected.name &&
    (expected.publicKey === undefined || equalBytes(found.publicKey, expected.publicKey));
  if (isExpected) return;
  throw new CountersignError(
    "invalid_key",
    `Cannot use key file "${path}": it holds another key than the configured one of ${expected.name}`,
  );
}
