/**
 * Writes signed notes (c2sp.org/signed-note) and the lines of a checkpoint.
 *
 * @module
 */

import { base64Of, concat, uint64 } from "../../base/bytes.ts";
import type { Aggregate, AggregateKey } from "./aggregate_line.ts";
import type { Note, NoteSignature } from "./note.ts";
import { type NoteKey, noteKeyId } from "./note_key.ts";
import type { WitnessLine } from "./records.ts";
import { encodeSignerBitmap } from "./signer_bitmap.ts";

/** A signature line, newline included. */
export function encodeSignatureLine(signature: NoteSignature): string {
  const { name, keyId, payload } = signature;
  return `\u2014 ${name} ${base64Of(concat(keyId, payload))}\n`;
}

/** The signature line of `key` over a note's text. */
export function noteSignature(key: NoteKey, signature: Uint8Array): NoteSignature {
  return { name: key.name, keyId: noteKeyId(key), payload: concat(signature) };
}

/** The signature line of a witness's cosignature with `timestamp`, Unix seconds. */
export function cosignatureLine(
  key: NoteKey,
  timestamp: number,
  signature: Uint8Array,
): NoteSignature {
  return { name: key.name, keyId: noteKeyId(key), payload: concat(uint64(timestamp), signature) };
}

/** The whole note. */
export function encodeNote(note: Note): string {
  return `${note.text}\n${note.signatures.map(encodeSignatureLine).join("")}`;
}

/** The note `text` followed by `lines`. */
export function withLines(text: string, lines: readonly Pick<WitnessLine, "line">[]): string {
  return text + lines.map(({ line }) => line).join("");
}

/** The signature line of `aggregate`. */
export function aggregateLine(key: AggregateKey, aggregate: Aggregate): NoteSignature {
  const { timestamp, signers, signature } = aggregate;
  const bitmap = encodeSignerBitmap(signers, key.witnesses.length);
  return {
    name: key.name,
    keyId: noteKeyId(key),
    payload: concat(uint64(timestamp), bitmap, signature),
  };
}
