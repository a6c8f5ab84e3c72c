import assert from "node:assert/strict";
import { decode, encode, rfc8949EncodeOptions, Tagged } from "cborg";
import fc from "fast-check";
import { fromHex } from "../../../src/base/bytes.ts";
import { CborTag, type CborValue, encodeCbor } from "../../../src/proof/format/cbor.ts";
import { decodeCbor } from "../../../src/proof/format/cbor_reader.ts";

const DECODING = { strict: true, useMaps: true, tags: { 18: Tagged.decoder(18) } };

const { value: values } = fc.letrec<{ value: CborValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: -(2 ** 53 - 1), max: 2 ** 53 - 2 }),
    fc.integer({ min: -300, max: 300 }),
    fc.constantFrom(23, 24, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => bytes.slice()),
    fc.string({ unit: "grapheme", maxLength: 30 }),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.uniqueArray(
      fc.tuple(
        fc.oneof(fc.integer({ min: -300, max: 300 }), fc.string({ maxLength: 9 })),
        tie("value"),
      ),
      { maxLength: 5, selector: ([label]) => label },
    ).map((members) => new Map(members)),
  ),
}));

Deno.test("encodeCbor() writes what cborg writes by RFC 8949 4.2.1, and decodeCbor() reads it", () => {
  fc.assert(fc.property(values, (value) => {
    const bytes = encodeCbor(value);
    assert.deepEqual(Buffer.from(bytes), Buffer.from(encode(value, rfc8949EncodeOptions)));
    assert.deepEqual(decodeCbor(bytes), decode(bytes, DECODING));
  }));
  const tagged = encodeCbor(new CborTag(18, [1]));
  assert.deepEqual(decode(tagged, DECODING).value, [1]);
  assert.deepEqual(decodeCbor(tagged), new CborTag(18, [1]));
});

Deno.test("decodeCbor() refuses every other encoding", () => {
  const refused = {
    "nothing": "",
    "a longer head": "1817",
    "a longer length": "580100",
    "more bytes": "0000",
    "a cut string": "4200",
    "a cut array": "8201",
    "a huge array": "9b0000ffffffffffff",
    "an indefinite string": "5f4100ff",
    "an indefinite array": "9fff",
    "2^53": "1b0020000000000000",
    "2^53 - 1, whose negative is not exact": "1b001fffffffffffff",
    "a float": "f90000",
    "a boolean": "f5",
    "undefined": "f7",
    "unordered keys": "a202000100",
    "repeated keys": "a201000100",
    "a key that is bytes": "a1410000",
    "a text that is not UTF-8": "61ff",
    "too deep": "81".repeat(10) + "00",
    "too many items": "9a00030d40" + "00".repeat(200_000),
  };
  for (const [name, hex] of Object.entries(refused)) {
    assert.throws(() => decodeCbor(fromHex(hex)), { code: "malformed_text" }, name);
  }
});
