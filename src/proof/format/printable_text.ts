/**
 * Escapes text of others for a terminal or log: file names and messages of gateways and witnesses must
 * not move the cursor, end a line or reorder it.
 *
 * @module
 */

/** Escapes control characters, line ends and direction marks. */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return printableJson(text.replace(/[\u0000-\u001f]/g, escapeCharacter));
}

/** The same for JSON and log lines: keeps white space and the escape sequences of colours. */
export function printableJson(text: string): string {
  return text.replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    escapeCharacter,
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
