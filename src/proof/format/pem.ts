/**
 * Textual encodings of keys and certificates (RFC 7468).
 *
 * @module
 */

import { base64Of, type Bytes, bytesOfBase64 } from "../../base/bytes.ts";
import { errorBuilder, type ErrorCode } from "../../base/errors.ts";

/** One block of a file. */
export interface PemBlock {
  /** Such as `PUBLIC KEY`. */
  readonly label: string;
  readonly bytes: Bytes;
}

const LINE_LENGTH = 64;
const BEGIN = "-----BEGIN ";
const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,64})-----\r?\n([A-Za-z0-9+/=\r\n]*)-----END \1-----/g;

/**
 * The blocks of `text`, in order. Text around them is ignored (section 2). Errors never quote the
 * text, which may be a secret.
 */
export function parsePem(text: string, code: ErrorCode = "malformed_text"): PemBlock[] {
  const malformed = errorBuilder(code, "Cannot read PEM");
  const blocks = [...text.matchAll(BLOCK)].map(([, label = "", encoded = ""]) => {
    const bytes = bytesOfBase64(encoded.replaceAll(/[\r\n]/g, ""));
    if (bytes === undefined || bytes.length === 0) throw malformed("a block is not base64");
    return { label, bytes };
  });
  if (blocks.length !== text.split(BEGIN).length - 1) throw malformed("a block is damaged");
  return blocks;
}

/** A block in the one spelling of section 3: lines of 64 characters, each ended by a newline. */
export function encodePem({ label, bytes }: PemBlock): string {
  const encoded = base64Of(bytes);
  let lines = "";
  for (let at = 0; at < encoded.length; at += LINE_LENGTH) {
    lines += `${encoded.slice(at, at + LINE_LENGTH)}\n`;
  }
  return `${BEGIN}${label}-----\n${lines}-----END ${label}-----\n`;
}
