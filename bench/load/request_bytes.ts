/**
 * Requests as bytes: made once for each connection, and changed in place.
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, utf8 } from "../../src/base/bytes.ts";
import { randomDigests } from "../digests.ts";

export const HEX_LENGTH = 2 * HASH_LENGTH;
/** Number of digests made at once. */
const POOL = 2_048;
/** Seconds that a held answer may take. */
export const WAIT_SECONDS = 10;

/** The bytes of a request with an ASCII body. */
export function encodeRequest(
  method: "GET" | "POST",
  path: string,
  options: { readonly prefer?: string; readonly body?: string } = {},
): Bytes {
  const { prefer, body } = options;
  let text = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\n`;
  if (prefer !== undefined) text += `Prefer: ${prefer}\r\n`;
  if (body !== undefined) {
    text += `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  }
  return utf8(`${text}\r\n${body ?? ""}`);
}

/** Uniformly random hashes, as the bytes of their hex digits. */
export class RandomHexPool {
  readonly #encoder = new TextEncoder();
  readonly #pool = new Uint8Array(POOL * HEX_LENGTH);
  #at = this.#pool.length;

  /** Writes a new hash to `target` at `start`. */
  fill(target: Uint8Array, start: number): void {
    if (this.#at === this.#pool.length) {
      this.#encoder.encodeInto(randomDigests(POOL).toHex(), this.#pool);
      this.#at = 0;
    }
    copyHex(this.#pool, this.#at, target, start);
    this.#at += HEX_LENGTH;
  }
}

/** Copies the digits of one hash in a loop, because a view costs more. */
export function copyHex(source: Uint8Array, at: number, target: Uint8Array, start: number): void {
  for (let i = 0; i < HEX_LENGTH; i++) target[start + i] = source[at + i]!;
}

/** Whether the digits at `at` of `a` are those at `start` of `b`. */
export function equalHex(a: Uint8Array, at: number, b: Uint8Array, start: number): boolean {
  for (let i = 0; i < HEX_LENGTH; i++) if (a[at + i] !== b[start + i]) return false;
  return true;
}
