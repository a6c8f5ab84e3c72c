/**
 * Key files: one line, a C2SP signer key ({@linkcode encodeNoteSecret}).
 *
 * @module
 */

import { equalBytes } from "../bytes.ts";
import { Ed25519Signer } from "../crypto/ed25519_native.ts";
import { CountersignError } from "../errors.ts";
import { type NoteKey, parseNoteSecret } from "../format/note_key.ts";
import { readTextFile } from "./text_file.ts";

/** Whose key a file has to hold; `publicKey` where a configuration names it. */
export type ExpectedKey = Omit<NoteKey, "publicKey"> & Partial<Pick<NoteKey, "publicKey">>;

/**
 * The signer of the key in the file at `path`. `file_failed` when it cannot be read, `invalid_key`
 * when it holds no key, or another one than `expected`.
 */
export async function readSigner(path: string, expected: ExpectedKey): Promise<Ed25519Signer> {
  const text = await readTextFile(path);
  const secret = parseNoteSecret(text, (seed) => new Ed25519Signer(seed).publicKey);
  const signer = new Ed25519Signer(secret.seed);
  secret.seed.fill(0);
  const isExpected = secret.name === expected.name && secret.type === expected.type &&
    (expected.publicKey === undefined || equalBytes(signer.publicKey, expected.publicKey));
  if (!isExpected) {
    throw new CountersignError(
      "invalid_key",
      `Cannot use key file "${path}": the configured key of ${expected.name} required, found another`,
    );
  }
  return signer;
}
