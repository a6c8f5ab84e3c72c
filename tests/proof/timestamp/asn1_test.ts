/**
 * The types of ASN.1 that tokens and certificates use: each value has one encoding.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  encodeObjectIdentifier,
  extensionsOf,
  integerOf,
  membersOf,
  objectIdentifierOf,
  printableText,
  timeOf,
} from "../../../src/proof/timestamp/asn1.ts";
import { readDer } from "../../../src/proof/timestamp/der.ts";
import { type Bytes, utf8 } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import * as der from "./der.ts";

const read = (bytes: Bytes) => readDer(bytes, "input");
const isRefused = (error: unknown) => hasCode(error, "timestamp_refused");

Deno.test("objectIdentifierOf() and encodeObjectIdentifier() are inverse", () => {
  for (
    const [dotted, hex] of [
      ["1.2.840.113549.1.7.2", "06092a864886f70d010702"],
      ["0.39", "060127"],
      ["1.0", "060128"],
      ["2.999.3", "0603883703"],
      ["2.5.29.37.0", "0604551d2500"],
    ] as const
  ) {
    assert.equal(encodeObjectIdentifier(dotted).toHex(), hex);
    assert.equal(objectIdentifierOf(read(Uint8Array.fromHex(hex))), dotted);
  }
  // An arc above 2^53 keeps all its digits.
  const long = read(Uint8Array.fromHex("060b2a83ffffffffffffffff7f"));
  assert.equal(objectIdentifierOf(long), `1.2.${2n ** 65n - 1n}`);
});

Deno.test("integerOf() reads 32 bits in their shortest form", () => {
  const value = (hex: string) => integerOf(read(Uint8Array.fromHex(hex)), "input");
  assert.deepEqual(
    ["020100", "02017f", "020180", "0201ff", "02020080", "02047fffffff"].map(value),
    [0, 127, -128, -1, 128, 2 ** 31 - 1],
  );
  for (const hex of ["02050080000000", "8000", "8002007f"]) {
    assert.throws(() => value(hex), isRefused);
  }
});

Deno.test("timeOf() reads UTCTime and GeneralizedTime in Zulu", () => {
  const seconds = (bytes: Bytes) => timeOf(read(bytes), "input").seconds;
  assert.equal(seconds(der.utcTime("491231235959Z")), Date.UTC(2049, 11, 31, 23, 59, 59) / 1000);
  assert.equal(seconds(der.utcTime("500101000000Z")), Date.UTC(1950, 0, 1) / 1000);
  assert.equal(seconds(der.generalizedTime("20240229000000Z")), Date.UTC(2024, 1, 29) / 1000);
  assert.deepEqual(timeOf(read(der.generalizedTime("20240229000000.25Z")), "input").fraction, "25");
  for (
    const bytes of [
      der.utcTime("230229000000Z"),
      der.utcTime("2401010000Z"),
      der.utcTime("240101000000+0000"),
      der.utcTime("240101000000.5Z"),
      der.utcTime("20240101000000Z"),
      der.generalizedTime("240101000000Z"),
      der.generalizedTime("00000101000000Z"),
      der.generalizedTime("20240101240000Z"),
      der.generalizedTime("\ufeff20240101000000Z"),
      der.text("20240101000000Z"),
    ]
  ) assert.throws(() => seconds(bytes), isRefused);
});

Deno.test("printableText() decodes strings and replaces control characters", () => {
  const text = (tag: number, contents: Bytes) => printableText(read(der.value(tag, contents)), 8);
  assert.equal(text(0x0c, utf8("é\u001b[2J")), "é?[2J");
  assert.equal(text(0x13, utf8("Authority 1")), "Authorit");
  assert.equal(text(0x1e, Uint8Array.of(0x20, 0xac, 0, 0x41)), "€A");
  assert.equal(text(0x04, utf8("octets")), undefined);
});

Deno.test("membersOf() reads every member in order, and no others", () => {
  const [number, flag, tagged] = membersOf(
    read(der.sequence(der.integer(5), der.implicit(1, Uint8Array.of(7)))),
    "input",
    "INTEGER BOOLEAN? (1)?",
  );
  assert.deepEqual([number.contents[0], flag, tagged?.contents[0]], [5, undefined, 7]);
  for (
    const value of [
      der.set(der.integer(5)),
      der.sequence(),
      der.sequence(der.boolean(true)),
      der.sequence(der.integer(5), der.integer(5)),
      der.sequence(der.integer(5), der.explicit(1, der.none())),
      der.sequence(der.integer(5), der.implicit(1, Uint8Array.of(7)), der.boolean(true)),
    ]
  ) assert.throws(() => membersOf(read(value), "input", "INTEGER BOOLEAN? (1)?"), isRefused);
});

Deno.test("extensionsOf() refuses an encoded default and a second instance", () => {
  const extension = (...flag: readonly Bytes[]) =>
    der.sequence(der.objectId("1.2.3"), ...flag, der.octets(der.none()));
  const found = extensionsOf(read(der.sequence(extension(der.boolean(true)))), "input");
  assert.deepEqual([...found], [["1.2.3", { critical: true, value: der.none() }]]);
  for (const list of [[extension(der.boolean(false))], [extension(), extension()]]) {
    assert.throws(() => extensionsOf(read(der.sequence(...list)), "input"), isRefused);
  }
});
