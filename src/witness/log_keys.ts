/**
 * The keys of one log, and the checkpoint that they verified last.
 *
 * @module
 */

import { equalBytes, utf8 } from "../base/bytes.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import { CountersignError } from "../base/errors.ts";
import type { Note, NoteSignature } from "../proof/format/note.ts";
import { type NoteKey, noteKeyId } from "../proof/format/note_key.ts";

export class LogKeys {
  #keys: readonly NoteKey[];
  #verified: { readonly note: Note; readonly lines: readonly NoteSignature[] } | undefined;

  /** At least one key, all of type 0x01. */
  constructor(keys: readonly NoteKey[]) {
    this.#keys = keys;
  }

  get first(): NoteKey {
    return this.#keys[0]!;
  }

  /** `key` becomes the only one. */
  replace(key: NoteKey): void {
    if (this.#keys.length === 1 && equalBytes(key.publicKey, this.first.publicKey)) return;
    this.#keys = [key];
    this.#verified = undefined;
  }

  /**
   * The note with the first line of each of the log's keys. `log_signature_refused` without any, or if
   * one of the lines by these keys does not verify (c2sp.org/signed-note). Other lines are ignored.
   */
  check({ text, signatures }: Note): Note {
    const lines: NoteSignature[] = [];
    const first: NoteSignature[] = [];
    const signed = utf8(text);
    const keys = this.#keys.map((key) => ({ key, id: noteKeyId(key) }));
    for (const line of signatures) {
      const known = keys.filter(({ key, id }) =>
        key.name === line.name && equalBytes(id, line.keyId)
      );
      if (known.length === 0 || lines.some((other) => isEqual(other, line))) continue;
      if (!this.#isVerified(text, line)) {
        const isValid = known.some(({ key }) => verifyNative(key.publicKey, signed, line.payload));
        if (!isValid) throw refused();
      }
      if (!first.some((other) => isSameKey(other, line))) first.push(line);
      lines.push(line);
    }
    if (lines.length === 0) throw refused();
    const note = { text, signatures: first };
    this.#verified = { note, lines };
    return note;
  }

  #isVerified(text: string, line: NoteSignature): boolean {
    const last = this.#verified;
    return last?.note.text === text && last.lines.some((other) => isEqual(other, line));
  }
}

function isSameKey(a: NoteSignature, b: NoteSignature): boolean {
  return a.name === b.name && equalBytes(a.keyId, b.keyId);
}

function isEqual(a: NoteSignature, b: NoteSignature): boolean {
  return isSameKey(a, b) && equalBytes(a.payload, b.payload);
}

function refused(): CountersignError {
  return new CountersignError(
    "log_signature_refused",
    "Cannot cosign tree head: it needs a signature by the log's key, and none of its keys that fails",
  );
}
