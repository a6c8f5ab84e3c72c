/**
 * Which of a network's witnesses are in an aggregate: a bit for each, in the order of their ids,
 * the first in the highest bit of the first byte.
 *
 * @module
 */

/** The ascending places of a bitmap of `count` witnesses; `undefined` where it names another. */
export function decodeSignerBitmap(bitmap: Uint8Array, count: number): number[] | undefined {
  if (bitmap.length !== Math.ceil(count / 8)) return undefined;
  const places: number[] = [];
  for (let place = 0; place < 8 * bitmap.length; place++) {
    if ((bitmap[place >>> 3]! & (0x80 >>> (place & 7))) === 0) continue;
    if (place >= count) return undefined;
    places.push(place);
  }
  return places;
}
