/**
 * Writes numbered texts, the leaves of a round.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, hexOf, utf8 } from "../../base/bytes.ts";
import type { NumberedTexts } from "./kernels.ts";

/** Numbered texts in the form that {@linkcode Kernels.leafHashes} takes. */
export function writeNumbered(texts: NumberedTexts): { entries: Bytes; ends: Uint32Array } {
  const { before, digests, between, first, after } = texts;
  const count = digests.length / HASH_LENGTH;
  const hex = utf8(hexOf(digests));
  const ends = new Uint32Array(count);
  const fixed = before.length + 2 * HASH_LENGTH + between.length + after.length;
  const entries = new Uint8Array(count * (fixed + String(first + count).length));
  let end = 0;
  const write = (part: Uint8Array) => {
    entries.set(part, end);
    end += part.length;
  };
  for (let i = 0; i < count; i++) {
    write(before);
    write(hex.subarray(i * 2 * HASH_LENGTH, (i + 1) * 2 * HASH_LENGTH));
    write(between);
    const digits = String(first + i);
    for (let at = 0; at < digits.length; at++) entries[end++] = digits.charCodeAt(at);
    write(after);
    ends[i] = end;
  }
  return { entries: entries.subarray(0, end), ends };
}
