/**
 * Writes signed notes (c2sp.org/signed-note) and the lines of a checkpoint.
 *
 * @module
 */

import { base64Of, type Bytes, concat, uint64 } from "../bytes.ts";
import type { Aggregate, AggregateKey } from "./aggregate_line.ts";
import type { Note, NoteSignature } from "./note.ts";
import { type NoteKey, noteKeyId } from "./note_key.ts";

/** A signature line, newline included. */
export function encodeSignatureLine(signature: NoteSignature): string {
  const { name, keyId, payload } = signature;
  return `\u2014 ${name} ${base64Of(concat(keyId, payload))}\n`;
}

/** The signature line of `key` over a note's text. */
export function noteSignature(key: NoteKey, signature: Uint8Array): NoteSignature {
  return { name: key.name, keyId: noteKeyId(key), payload: concat(signature) };
}

/** The signature line of a witness's cosignature made at `timestamp`, Unix seconds. */
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

/** The bitmap of ascending `places`, each below `count`: as many bytes as `count` bits need. */
export function encodeSignerBitmap(places: readonly number[], count: number): Bytes {
  const bitmap = new Uint8Array(Math.ceil(count / 8));
  for (const place of places) bitmap[place >>> 3]! |= 0x80 >>> (place & 7);
  return bitmap;
}
