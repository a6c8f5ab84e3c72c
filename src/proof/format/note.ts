/**
 * C2SP signed notes (c2sp.org/signed-note): a text, an empty line, and signature lines
 *
 *     — <name> <base64(4-byte key ID || signature)>
 *
 * and the lines of a checkpoint: the log key's first, then the witnesses' cosignatures
 * (c2sp.org/tlog-cosignature), whose payload is an 8-byte big-endian time before the signature.
 *
 * @module
 */

import { type Bytes, bytesOfBase64 } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";

/** One signature line. */
export interface NoteSignature {
  readonly name: string;
  /** Four bytes. */
  readonly keyId: Bytes;
  /** A signature, or a time and a signature. */
  readonly payload: Bytes;
}

/** A parsed note. Its signatures are not verified. */
export interface Note {
  /** Ends in a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

const malformed = errorBuilder("malformed_text", "Cannot read signed note");

const MAX_LENGTH = 1 << 20;
export const MAX_SIGNATURES = 256;
const KEY_ID_LENGTH = 4;
const TIME_LENGTH = 8;
// SPEC: key names MUST be non-empty and MUST NOT contain any Unicode spaces or plus characters.
const LINE = /^\u2014 ([^\p{White_Space}+]+) ([A-Za-z0-9+/=]+)$/u;

/** Splits the payload of a cosignature line; `undefined` if it is too short. */
export function splitCosignature(
  payload: Uint8Array,
): { timestamp: number; signature: Bytes } | undefined {
  if (payload.length <= TIME_LENGTH) return undefined;
  const view = new DataView(payload.buffer, payload.byteOffset, TIME_LENGTH);
  const timestamp = Number(view.getBigUint64(0));
  if (!Number.isSafeInteger(timestamp)) return undefined;
  return { timestamp, signature: payload.slice(TIME_LENGTH) as Bytes };
}

/** Parses a note in its only spelling; `malformed_text`. */
export function parseNote(text: string): Note {
  if (text.length > MAX_LENGTH) throw malformed(`more than ${MAX_LENGTH} characters`);
  // SPEC: signed notes MUST be valid UTF-8. A lone surrogate would be signed as U+FFFD.
  if (!text.isWellFormed()) throw malformed("invalid Unicode");
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text)) throw malformed("control character");
  // The text of a note may have empty lines; the last one separates the signatures.
  const split = text.lastIndexOf("\n\n");
  if (split < 0) throw malformed("no empty line before the signatures");
  const lines = text.slice(split + 2).split("\n");
  if (lines.pop() !== "" || lines.length === 0) {
    throw malformed("no signature line, or no newline at the end");
  }
  if (lines.length > MAX_SIGNATURES) throw malformed(`more than ${MAX_SIGNATURES} signatures`);
  return { text: text.slice(0, split + 1), signatures: lines.map(parseSignatureLine) };
}

/** Parses a signature line without its newline; `malformed_text`. */
export function parseSignatureLine(line: string): NoteSignature {
  const [, name = "", encoded = ""] = LINE.exec(line) ?? [];
  const bytes = bytesOfBase64(encoded);
  if (name === "" || bytes === undefined || bytes.length <= KEY_ID_LENGTH) {
    throw malformed("malformed signature line");
  }
  return {
    name,
    keyId: bytes.slice(0, KEY_ID_LENGTH),
    payload: bytes.slice(KEY_ID_LENGTH),
  };
}
