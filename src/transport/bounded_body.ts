/**
 * Reading an answer whose length a stranger chooses.
 *
 * @module
 */

import { type Bytes, concat } from "../bytes.ts";

/** The whole body, or `undefined` when it is longer than `maxBytes`; then the rest is not read. */
export async function readBounded(
  response: Response,
  maxBytes: number,
): Promise<Bytes | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream.
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > maxBytes) return undefined;
    parts.push(part);
  }
  return concat(...parts);
}
