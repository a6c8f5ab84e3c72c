/**
 * Texts of an authority as a person may see them.
 *
 * @module
 */

/** `text` without what could move a terminal's cursor, and no longer than `length`. */
export function printable(text: string, length: number): string {
  return text.slice(0, length).replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, "?");
}
