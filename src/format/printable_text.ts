/**
 * Text of strangers on lines of ours: file names, a gateway's words and a witness's must not move the
 * cursor, end a line or reorder it.
 *
 * @module
 */

/** `text` with control characters and those of direction and of line ends spelled out. */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return printableJson(text.replace(/[\u0000-\u001f]/g, spelledOut));
}

/**
 * The same for JSON, where such characters stand in strings alone, and for lines of a log: white space
 * and the sequences that colour a terminal are themselves.
 */
export function printableJson(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    spelledOut,
  );
}

function spelledOut(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
