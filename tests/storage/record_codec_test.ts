import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bytes, concat } from "../../src/bytes.ts";
import { decodeRound, decodeSth, encodeRound, encodeSth } from "../../src/format/record_codec.ts";
import {
  decodeIntakeRow,
  decodeSpentRow,
  encodeIntakeRow,
  encodeSpentRow,
} from "../../src/storage/log/record_codec.ts";

const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const bytes = (length: number): fc.Arbitrary<Bytes> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((value) => new Uint8Array(value));
const list = fc.array(
  fc.record({
    witness: fc.integer({ min: 0, max: 0xffff }),
    signature: fc.integer({ min: 0, max: 255 }).chain(bytes),
  }, { noNullPrototype: true }),
  { maxLength: 4 },
);
const aggregate = fc.record({
  witnesses: fc.uniqueArray(fc.nat(300), { minLength: 1, maxLength: 20 })
    .map((offsets) => offsets.toSorted((a, b) => a - b)),
  signature: bytes(48),
}, { noNullPrototype: true });
const signatures = fc.oneof(list, aggregate);

const beacons = fc.record({
  chain_hash: bytes(32).map((hash) => hash.toHex()),
  round: count,
  signature: bytes(48).map((signature) => signature.toHex()),
}, { noNullPrototype: true });

const rows = fc.integer({ min: 1, max: 28 }).chain((size) =>
  fc.record({ first: count, acceptedAt: count, digests: bytes(32 * size) }, {
    noNullPrototype: true,
  })
);
const spentRows = fc.uniqueArray(fc.nat(27), { minLength: 1, maxLength: 28 }).chain((offsets) =>
  fc.record({
    first: count,
    intakeRow: count,
    offsets: fc.constant(offsets.toSorted((a, b) => a - b)),
    ids: bytes(32 * offsets.length),
  }, { noNullPrototype: true })
);
const rounds = fc.integer({ min: 1, max: 512 }).chain((size) =>
  fc.record({
    first: count,
    size: fc.constant(size),
    timestamp: count,
    attempts: fc.integer({ min: 0, max: 0xffff_ffff }),
    beacon: fc.option(beacons),
    signatures,
    upperNodes: bytes(32 * Math.ceil(size / 32)),
  }, { noNullPrototype: true })
);
const sths = fc.record({
  size: count,
  root: bytes(32),
  timestamp: count,
  logSignature: bytes(64),
  receiptSignature: bytes(64),
  signatures,
}, {
  noNullPrototype: true,
  requiredKeys: ["size", "root", "timestamp", "logSignature", "signatures"],
});

/** Decoding inverts encoding and rejects other lengths. */
function checkCodec<T>(
  records: fc.Arbitrary<T>,
  keyOf: (record: T) => number,
  codec: { encode: (record: T) => Bytes; decode: (key: number, value: Bytes) => T },
): void {
  fc.assert(fc.property(records, fc.nat(), (record, at) => {
    const value = codec.encode(record);
    assert.deepEqual(codec.decode(keyOf(record), value), record);
    const cut = value.slice(0, at % value.length);
    assert.throws(() => assert.deepEqual(codec.decode(keyOf(record), cut), record));
    const longer = concat(value, Uint8Array.of(0));
    assert.throws(() => codec.decode(keyOf(record), longer), { code: "store_corrupt" });
  }));
}

Deno.test("decodeIntakeRow() undoes encodeIntakeRow()", () => {
  checkCodec(rows, (row) => row.first, { encode: encodeIntakeRow, decode: decodeIntakeRow });
});

Deno.test("decodeSpentRow() undoes encodeSpentRow()", () => {
  checkCodec(spentRows, (row) => row.first, { encode: encodeSpentRow, decode: decodeSpentRow });
});

Deno.test("decodeSpentRow() rejects a row without an offset or with one beyond the row", () => {
  const ids = new Uint8Array(32 * 28);
  const offsets = Array.from({ length: 28 }, (_, place) => place);
  const row = { first: 0, intakeRow: 2 ** 53 - 1, offsets, ids };
  const value = encodeSpentRow(row);
  assert.deepEqual(decodeSpentRow(0, value), row);
  // The first bit of the offsets, and of the sequence the lowest beyond 2^53.
  for (const [at, bit] of [[8, 0x10], [8, 0x80], [1, 0x20]] as const) {
    const damaged = value.slice();
    damaged[at]! ^= bit;
    assert.throws(
      () => decodeSpentRow(0, damaged),
      { code: "store_corrupt" },
      `bit ${bit} at ${at}`,
    );
  }
  // Valid except for the offset: an id for a digest beyond the row.
  for (const bit of [0x10, 0x80]) {
    const beyond = concat(value, new Uint8Array(32));
    beyond[8]! ^= bit;
    assert.throws(() => decodeSpentRow(0, beyond), { code: "store_corrupt" });
  }
  const none = value.slice(0, 12).fill(0, 8);
  assert.throws(() => decodeSpentRow(0, none), { code: "store_corrupt" });
});

Deno.test("decodeRound() undoes encodeRound()", () => {
  checkCodec(rounds, (round) => round.first, { encode: encodeRound, decode: decodeRound });
});

Deno.test("decodeSth() undoes encodeSth()", () => {
  checkCodec(sths, (sth) => sth.size, { encode: encodeSth, decode: decodeSth });
});

Deno.test("decodeRound() and decodeSth() reject other versions", () => {
  const round = encodeRound({
    first: 0,
    size: 1,
    timestamp: 1,
    attempts: 1,
    beacon: null,
    signatures: [],
    upperNodes: new Uint8Array(32),
  });
  assert.equal(decodeRound(0, round).size, 1);
  for (const version of [0, 3, 4, 5, 255]) {
    round[0] = version;
    assert.throws(() => decodeRound(0, round), { code: "store_corrupt" });
    const sth = new Uint8Array(107);
    sth[0] = version;
    assert.throws(() => decodeSth(0, sth), { code: "store_corrupt" });
  }
});

Deno.test("decodeRound() rejects a second encoding of an aggregate", () => {
  const record = {
    first: 0,
    size: 1,
    timestamp: 1,
    attempts: 1,
    beacon: null,
    signatures: { witnesses: [0, 2, 9], signature: new Uint8Array(48).fill(7) },
    upperNodes: new Uint8Array(32),
  };
  const value = encodeRound(record);
  assert.equal(value.subarray(15, 20).toHex(), "0002a04007");
  assert.deepEqual(decodeRound(0, value), record);
  const longer = concat(
    value.subarray(0, 15),
    Uint8Array.of(0, 3, 0xa0, 0x40, 0),
    value.subarray(19),
  );
  assert.throws(() => decodeRound(0, longer), { code: "store_corrupt" });
  const nobody = concat(value.subarray(0, 15), Uint8Array.of(0, 0), value.subarray(19));
  assert.throws(() => decodeRound(0, nobody), { code: "store_corrupt" });
});

Deno.test("encodeRound() adds 88 bytes only for a beacon", () => {
  const beacon = { chain_hash: "c1".repeat(32), round: 0x0102_0304, signature: "5e".repeat(48) };
  const list = [{ witness: 1, signature: new Uint8Array(64).fill(8) }];
  const aggregate = { witnesses: [0, 1], signature: new Uint8Array(48).fill(9) };
  for (const [signatures, version] of [[list, 1], [aggregate, 2]] as const) {
    const record = {
      first: 0,
      size: 1,
      timestamp: 1,
      attempts: 1,
      beacon: null,
      signatures,
      upperNodes: new Uint8Array(32),
    };
    const without = encodeRound(record);
    assert.equal(without[0], version);
    const value = encodeRound({ ...record, beacon });
    assert.equal(
      value.toHex(),
      `0${version + 2}` + without.subarray(1, 15).toHex() +
        "c1".repeat(32) + "0000000001020304" + "5e".repeat(48) + without.subarray(15).toHex(),
    );
    assert.deepEqual(decodeRound(0, value), { ...record, beacon });
  }
});

Deno.test("decodeRound() reads rounds of earlier versions", () => {
  // Of two leaves at second 5, tried once, signed by witness 1 in 2 bytes; and by witnesses 0 and 2.
  const nodes = "07".repeat(32);
  const list = Uint8Array.fromHex(`0100020000000000000005000000010001000102abcd${nodes}`);
  const aggregate = Uint8Array.fromHex(
    `0200020000000000000005000000010001a0${"05".repeat(48)}${nodes}`,
  );
  const record = {
    first: 9,
    size: 2,
    timestamp: 5,
    attempts: 1,
    beacon: null,
    signatures: [{ witness: 1, signature: Uint8Array.of(0xab, 0xcd) }],
    upperNodes: Uint8Array.fromHex(nodes),
  };
  assert.deepEqual(decodeRound(9, list), record);
  assert.deepEqual(encodeRound(record), list);
  const signatures = { witnesses: [0, 2], signature: new Uint8Array(48).fill(5) };
  assert.deepEqual(decodeRound(9, aggregate), { ...record, signatures });
  assert.deepEqual(encodeRound({ ...record, signatures }), aggregate);
});
