/**
 * Integers in bytes, without a DataView: V8 moves the bytes of a short array out of its heap for a view, and the
 * release of thousands of such buffers at once, after a collection, stops the thread for milliseconds.
 *
 * @module
 */

/** Writes `value`, an integer in [0, 2^53), big-endian into `length` bytes from `at` on. */
export function writeUint(bytes: Uint8Array, at: number, length: number, value: number): void {
  // The array takes each modulo 256.
  for (let i = at + length - 1, rest = value; i >= at; i--, rest = Math.floor(rest / 256)) {
    bytes[i] = rest;
  }
}
