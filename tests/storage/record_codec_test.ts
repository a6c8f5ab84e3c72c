import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bytes, concat } from "../../src/base/bytes.ts";
import {
  decodeRound,
  decodeSth,
  encodeRound,
  encodeSth,
} from "../../src/proof/format/record_codec.ts";
import {
  decodeIntakeRow,
  decodeSpentRow,
  decodeStoredRound,
  decodeStoredSth,
  encodeIntakeRow,
  encodeSpentRow,
  encodeStoredRound,
  encodeStoredSth,
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
}, { noNullPrototype: true });

interface Codec<T> {
  readonly encode: (record: T) => Bytes;
  readonly decode: (key: number, value: Bytes) => T;
}

/** Decoding inverts encoding and rejects other lengths. */
function checkCodec<T>(
  records: fc.Arbitrary<T>,
  keyOf: (record: T) => number,
  codec: Codec<T>,
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

Deno.test("decodeStoredRound() and decodeStoredSth() undo their encoders, and refuse any change", () => {
  const check = <Stored>(
    records: fc.Arbitrary<Stored>,
    keyOf: (record: Stored) => number,
    codec: Codec<Stored>,
  ) => {
    checkCodec(records, keyOf, codec);
    const damage = fc.record({ record: records, at: fc.nat(), bit: fc.nat(7), other: count });
    fc.assert(fc.property(damage, ({ record, at, bit, other }) => {
      const key = keyOf(record);
      const value = codec.encode(record);
      const refuses = (key: number, value: Bytes) =>
        assert.throws(() => codec.decode(key, value), { code: "store_corrupt" });
      // The record of another round or head in its place.
      refuses(other === key ? key + 1 : other, value);
      refuses(key, value.slice(0, at % value.length));
      value[at % value.length]! ^= 1 << bit;
      refuses(key, value);
    }));
  };
  check(rounds, (round) => round.first, { encode: encodeStoredRound, decode: decodeStoredRound });
  check(sths, (sth) => sth.size, { encode: encodeStoredSth, decode: decodeStoredSth });
});

Deno.test("decodeSth() undoes encodeSth()", () => {
  checkCodec(sths, (sth) => sth.size, { encode: encodeSth, decode: decodeSth });
});

Deno.test("decodeRound() and decodeSth() reject other versions and kinds", () => {
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
  const sth = encodeSth({
    size: 0,
    root: new Uint8Array(32),
    timestamp: 1,
    logSignature: new Uint8Array(64),
    receiptSignature: new Uint8Array(64),
    signatures: [],
  });
  assert.equal(decodeSth(0, sth).timestamp, 1);
  const changed = (value: Bytes, at: number, byte: number) => value.with(at, byte) as Bytes;
  for (const version of [0, 2, 3, 4, 255]) {
    assert.throws(() => decodeRound(0, changed(round, 0, version)), { code: "store_corrupt" });
    assert.throws(() => decodeSth(0, changed(sth, 0, version)), { code: "store_corrupt" });
  }
  // The bytes for a beacon and for the kind of signatures.
  for (const kind of [1, 2, 255]) {
    for (const at of [15, 16]) {
      assert.throws(() => decodeRound(0, changed(round, at, kind)), { code: "store_corrupt" });
    }
    assert.throws(() => decodeSth(0, changed(sth, 169, kind)), { code: "store_corrupt" });
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
  assert.equal(value.subarray(15, 22).toHex(), "00010002a04007");
  assert.deepEqual(decodeRound(0, value), record);
  const longer = concat(
    value.subarray(0, 17),
    Uint8Array.of(0, 3, 0xa0, 0x40, 0),
    value.subarray(21),
  );
  assert.throws(() => decodeRound(0, longer), { code: "store_corrupt" });
  const nobody = concat(value.subarray(0, 17), Uint8Array.of(0, 0), value.subarray(21));
  assert.throws(() => decodeRound(0, nobody), { code: "store_corrupt" });
});

Deno.test("encodeRound() adds 88 bytes only for a beacon", () => {
  const beacon = { chain_hash: "c1".repeat(32), round: 0x0102_0304, signature: "5e".repeat(48) };
  const list = [{ witness: 1, signature: new Uint8Array(64).fill(8) }];
  const aggregate = { witnesses: [0, 1], signature: new Uint8Array(48).fill(9) };
  for (const signatures of [list, aggregate]) {
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
    const value = encodeRound({ ...record, beacon });
    assert.equal(
      value.toHex(),
      without.subarray(0, 15).toHex() + "01" +
        "c1".repeat(32) + "0000000001020304" + "5e".repeat(48) + without.subarray(16).toHex(),
    );
    assert.deepEqual(decodeRound(0, value), { ...record, beacon });
  }
});
