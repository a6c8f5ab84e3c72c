/**
 * What has more than one encoding in BER has one here.
 *
 * @module
 */

import assert from "node:assert/strict";
import { encodeDer, readDer, TAG } from "../../../src/proof/timestamp/der.ts";
import { hasCode } from "../../../src/base/errors.ts";

const GOOD = [
  ["a boolean", "0101ff"],
  ["an integer of one byte", "020180"],
  ["an integer that needs its zero", "02020080"],
  ["a negative integer that needs its byte", "0202ff7f"],
  ["an enumerated value", "0a0105"],
  ["no bits", "030100"],
  ["five bits", "030203f8"],
  ["no octets", "0400"],
  ["nothing", "0500"],
  ["an object identifier", "06092a864886f70d010702"],
  ["an arc with zeros within", "06052a81808001"],
  ["a text", "0c0141"],
  ["an empty sequence", "3000"],
  ["a sequence in a set", "31053003020101"],
  ["a primitive value of its own tag", "8002ffff"],
  ["a constructed value of its own tag", "a003020101"],
] as const;

for (const [name, hex] of GOOD) {
  Deno.test(`readDer() takes ${name}, and it is encoded the same way`, () => {
    const bytes = Uint8Array.fromHex(hex);
    const { tag, contents, bytes: whole } = readDer(bytes, "input");
    assert.deepEqual(whole, bytes);
    assert.deepEqual(encodeDer(tag, contents), bytes);
  });
}

const DEFECTS = [
  ["nothing at all", "", /the input ends within a value/],
  ["a tag alone", "30", /the input ends within a value/],
  ["half a length", "3082", /the input ends within a value/],
  ["fewer bytes than its length", "040201", /a length exceeds its container/],
  ["more bytes than its length", "050000", /bytes follow the DER value/],
  ["a value longer than what holds it", "30030402ff", /a length exceeds its container/],
  ["a length of no end", "30800000", /indefinite or oversized length/],
  ["a length of four bytes", "04840000000101", /indefinite or oversized length/],
  ["a short length in the long form", "04810100", /not in its shortest form/],
  [
    "a long length with a zero before it",
    `04820080${"00".repeat(128)}`,
    /not in its shortest form/,
  ],
  ["a tag number beyond one byte", "bf2000", /a tag number is above 30/],
  ["an octet string in pieces", "2403040101", /unexpected type/],
  ["a sequence that is primitive", "1000", /unexpected type/],
  ["an end of contents", "0000", /unexpected type/],
  ["a real number", "090100", /unexpected type/],
  ["a boolean of another value", "010101", /non-canonical contents/],
  ["a boolean of two bytes", "0102ffff", /non-canonical contents/],
  ["an integer of no bytes", "0200", /non-canonical contents/],
  ["an integer with a zero before it", "0202007f", /non-canonical contents/],
  ["a negative integer with a byte before it", "0202ff80", /non-canonical contents/],
  ["an enumerated value with a zero before it", "0a020001", /non-canonical contents/],
  ["bits without their count", "0300", /non-canonical contents/],
  ["unused bits of none", "030101", /non-canonical contents/],
  ["eight unused bits", "03020800", /non-canonical contents/],
  ["unused bits that are set", "030203ff", /non-canonical contents/],
  ["a null with contents", "050100", /non-canonical contents/],
  ["an object identifier of nothing", "0600", /non-canonical contents/],
  ["an object identifier that does not end", "06022a86", /non-canonical contents/],
  ["an object identifier with a zero before an arc", "06032a8001", /non-canonical contents/],
  ["an object identifier that begins with one", "06028001", /non-canonical contents/],
] as const;

function isRefused(reason: RegExp) {
  return (error: unknown) => hasCode(error, "timestamp_refused") && reason.test(error.message);
}

for (const [name, hex, reason] of DEFECTS) {
  Deno.test(`readDer() refuses ${name}`, () => {
    assert.throws(() => readDer(Uint8Array.fromHex(hex), "input"), isRefused(reason));
  });
}

Deno.test("readDer() bounds depth and number of values", () => {
  const nested = (depth: number) => {
    let value = encodeDer(0x05);
    for (let i = 0; i < depth; i++) value = encodeDer(TAG.sequence, value);
    return value;
  };
  const list = (count: number) => encodeDer(TAG.sequence, ...Array(count).fill(encodeDer(0x05)));
  assert.equal(readDer(list(7_999), "input").children.length, 7_999);
  readDer(nested(24), "input");
  for (const value of [nested(25), list(8_000)]) {
    assert.throws(() => readDer(value, "input"), isRefused(/too many values/));
  }
});

Deno.test("encodeDer() has the shortest length of every size", () => {
  for (const length of [0, 127, 128, 255, 256, 65_535, 65_536]) {
    const value = encodeDer(TAG.octetString, new Uint8Array(length));
    assert.equal(readDer(value, "input").contents.length, length);
  }
});
