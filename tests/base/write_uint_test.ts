import assert from "node:assert/strict";
import fc from "fast-check";
import { uint64 } from "../../src/base/bytes.ts";
import { writeUint } from "../../src/base/write_uint.ts";

/** The same by a DataView. */
function referenceOf(value: number): string {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes.toHex();
}

Deno.test("uint64() and writeUint() are big-endian, up to 2^53 - 1, and writeUint() touches no other byte", () => {
  const edges = [0, 1, 255, 256, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1];
  const integers = fc.oneof(fc.constantFrom(...edges), fc.maxSafeNat());
  fc.assert(
    fc.property(integers, fc.integer({ min: 1, max: 8 }), (value, length) => {
      const reference = referenceOf(value);
      assert.equal(uint64(value).toHex(), reference);
      const bytes = new Uint8Array(12).fill(0xaa);
      writeUint(bytes, 2, length, value);
      const expected = "aaaa" + reference.slice(-2 * length) + "aa".repeat(10 - length);
      assert.equal(bytes.toHex(), expected);
    }),
    { numRuns: 2_000 },
  );
});
