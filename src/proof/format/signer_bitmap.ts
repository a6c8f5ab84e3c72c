/**
 * The witnesses of an aggregate signature as a bitmap: one bit for each witness of the network, in
 * the order of their ids, from the highest bit of the first byte.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";

/** The bitmap of `indexes`, each below `count`. Spare bits of the last byte are zero. */
export function encodeSignerBitmap(indexes: readonly number[], count: number): Bytes {
  const bitmap = new Uint8Array(Math.ceil(count / 8));
  for (const index of indexes) bitmap[index >>> 3]! |= 0x80 >>> (index & 7);
  return bitmap;
}

/** The ascending indexes in a bitmap; `undefined` if a spare bit or the length is wrong. */
export function decodeSignerBitmap(bitmap: Uint8Array, count: number): number[] | undefined {
  if (bitmap.length !== Math.ceil(count / 8)) return undefined;
  const indexes: number[] = [];
  for (let index = 0; index < 8 * bitmap.length; index++) {
    if ((bitmap[index >>> 3]! & (0x80 >>> (index & 7))) === 0) continue;
    if (index >= count) return undefined;
    indexes.push(index);
  }
  return indexes;
}
