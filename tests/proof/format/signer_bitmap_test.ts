import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeSignerBitmap, encodeSignerBitmap } from "../../../src/proof/format/signer_bitmap.ts";

Deno.test("the first witness is the highest bit of the first byte", () => {
  assert.equal(encodeSignerBitmap([0], 3).toHex(), "80");
  assert.equal(encodeSignerBitmap([0, 7, 8], 9).toHex(), "8180");
  assert.equal(encodeSignerBitmap([], 17).toHex(), "000000");
});

Deno.test("places are read as they were written, and every bitmap has one meaning", () => {
  const counts = fc.integer({ min: 1, max: 40 });
  fc.assert(fc.property(counts, fc.uniqueArray(fc.nat(39)), (count, some) => {
    const places = some.filter((place) => place < count).toSorted((a, b) => a - b);
    assert.deepEqual(decodeSignerBitmap(encodeSignerBitmap(places, count), count), places);
  }));
  fc.assert(fc.property(counts, fc.uint8Array({ maxLength: 6 }), (count, bitmap) => {
    const places = decodeSignerBitmap(bitmap, count);
    if (places !== undefined) {
      assert.deepEqual([...encodeSignerBitmap(places, count)], [...bitmap]);
    } else {
      const isLong = bitmap.length !== Math.ceil(count / 8);
      assert.ok(isLong || (bitmap.at(-1)! & (0xff >>> (count % 8))) !== 0);
    }
  }));
});
