/**
 * Base64 by the engine, or by a few lines in Node before 25 and browsers before 2024 or 2025. Nothing
 * global is changed, since the verifier is a library.
 *
 * @module
 */

export type Base64Alphabet = "base64" | "base64url";

/** The newer members of `Uint8Array`. */
const newer = Uint8Array as unknown as {
  fromBase64?(text: string, options: { alphabet: Base64Alphabet }): Uint8Array<ArrayBuffer>;
  prototype: { toBase64?(options: { alphabet: Base64Alphabet }): string };
};

/** Padded base64 of `bytes`. */
export function toBase64(bytes: Uint8Array, alphabet: Base64Alphabet): string {
  if (newer.prototype.toBase64) return newer.prototype.toBase64.call(bytes, { alphabet });
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return alphabet === "base64" ? text : text.replaceAll("+", "-").replaceAll("/", "_");
}

/** Bytes of base64 with or without padding; `undefined` for most other texts. */
export function fromBase64(text: string, alphabet: Base64Alphabet) {
  try {
    if (newer.fromBase64) return newer.fromBase64(text, { alphabet });
    const plain = alphabet === "base64" ? text : text.replaceAll("-", "+").replaceAll("_", "/");
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
