/**
 * Readers of stored records (`src/storage`), which a bad disk or a restored copy may have changed,
 * and of a client's files.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { firstEntries, splitEntries } from "../../src/proof/format/entry_bundle.ts";
import { type Bytes, concat, utf8 } from "../../src/base/bytes.ts";
import { encodeGatewayRecord, parseGatewayRecord } from "../../src/cli/gateway_record.ts";
import { fileNameOf } from "../../src/server/files.ts";
import { TrustFolder } from "../../src/cli/trust_folder.ts";
import type {
  IntakeRow,
  RoundRecord,
  SpentRow,
  SthRecord,
} from "../../src/proof/format/records.ts";
import {
  decodeRound,
  decodeSth,
  encodeRound,
  encodeSth,
} from "../../src/proof/format/record_codec.ts";
import {
  decodeBucket,
  decodeHead,
  decodeIntakeRow,
  decodeSpentRow,
  decodeStoredRound,
  decodeStoredSth,
  encodeBucket,
  encodeHead,
  encodeIntakeRow,
  encodeSpentRow,
  encodeStoredRound,
  encodeStoredSth,
} from "../../src/storage/log/record_codec.ts";
import {
  decodeSegment,
  encodeFrame,
  encodeSegmentHeader,
  newSegmentHeader,
  SEGMENT_HEADER_LENGTH,
} from "../../src/storage/witness/round_journal_codec.ts";
import { decodeKey, encodeKey } from "../../src/storage/key_encoding.ts";
import { decodeValue, encodeValue } from "../../src/storage/postgres/postgres_values.ts";
import { QUICKNET_BEACONS } from "../beacons.ts";
import { bls } from "../schemes.ts";
import { ofText, type Target } from "./engine.ts";
import { sides } from "./valid_inputs.ts";

const filled = (length: number) => new Uint8Array(length).fill(7);

const list = [{ witness: 0, signature: filled(64) }, { witness: 2, signature: filled(64) }];
const aggregate = { witnesses: [0, 9], signature: filled(48) };
const row: IntakeRow = { first: 5, acceptedAt: 1_766_275_200_000, digests: filled(28 * 32) };
const spentRows: SpentRow[] = [[0, 9, 27], Array.from({ length: 28 }, (_, place) => place)].map(
  (offsets) => ({ first: 5, intakeRow: 2 ** 40, offsets, ids: filled(32 * offsets.length) }),
);
const rounds: RoundRecord[] = [list, aggregate].flatMap((signatures) =>
  [null, QUICKNET_BEACONS[0]].map((beacon) => ({
    first: 5,
    size: 40,
    timestamp: 1_766_275_200,
    attempts: 3,
    beacon,
    signatures,
    upperNodes: filled(64),
  }))
);
const heads: SthRecord[] = [list, aggregate].map((signatures) => ({
  size: 5,
  root: filled(32),
  timestamp: 1_766_275_200,
  logSignature: filled(64),
  receiptSignature: filled(64),
  signatures,
}));

/** A record with one spelling. */
function record<T>(
  name: string,
  values: readonly T[],
  codec: { readonly encode: (value: T) => Bytes; readonly decode: (value: Bytes) => T },
  file = "storage/log/record_codec.ts",
): Target {
  return {
    name,
    covers: [`${file}#${name}`],
    codes: ["store_corrupt"],
    seeds: values.map(codec.encode),
    read: (input) => assert.deepEqual(codec.encode(codec.decode(input)), input),
  };
}

/** The remembered head and the pin of a folder whose one file holds the input. */
function trustFile(
  name: "pin" | "head",
  seeds: readonly string[],
  codes: Target["codes"],
): Target {
  const { id } = sides[0].network;
  return {
    name: `TrustFolder.${name}()`,
    covers: [],
    codes,
    seeds,
    share: 0.1,
    async read(input) {
      const folder = await Deno.makeTempDir();
      try {
        const below = join(folder, name === "pin" ? "networks" : "heads");
        await Deno.mkdir(below);
        await Deno.writeFile(join(below, `${fileNameOf(id)}.json`), input);
        const trust = new TrustFolder(folder, bls);
        const read = name === "pin" ? await trust.pin(id) : await trust.head(id);
        assert.ok(read !== undefined);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  };
}

/** Entries as a gateway's tiles hold them: any texts, each after its length. */
const entryBundle = concat(
  ...["first", "second", ""].map((text) => concat(Uint8Array.of(0, text.length), utf8(text))),
);

const segmentHeader = newSegmentHeader(3, SEGMENT_HEADER_LENGTH);
const journalSegment = concat(
  encodeSegmentHeader(segmentHeader),
  encodeFrame(segmentHeader.salt, SEGMENT_HEADER_LENGTH, [
    { first: 5, digests: filled(64), timestamp: 7, beacon: null },
    {
      first: 7,
      digests: filled(32),
      timestamp: 8,
      beacon: { chain_hash: "01".repeat(32), round: 9, signature: "02".repeat(48) },
    },
    { releasedFrom: 6 },
  ]),
);

export const STORED_TARGETS: readonly Target[] = [
  {
    name: "decodeKey",
    covers: ["storage/key_encoding.ts#decodeKey"],
    codes: ["store_corrupt"],
    seeds: [["in", 5], ["t", 0, 2 ** 40], ["head"]].map((key) => encodeKey(key) as Bytes),
    read: (input) => assert.deepEqual(encodeKey(decodeKey(input)), input),
  },
  {
    name: "splitEntries",
    covers: ["proof/format/entry_bundle.ts#splitEntries"],
    codes: [],
    seeds: [entryBundle, new Uint8Array(), Uint8Array.of(0, 0)],
    read(input) {
      const entries = splitEntries(input);
      if (entries === undefined) return false;
      assert.equal(entries.reduce((total, { length }) => total + 2 + length, 0), input.length);
      assert.deepEqual(firstEntries(input, entries.length), input);
      assert.equal(firstEntries(input, entries.length + 1), undefined);
      return true;
    },
  },
  {
    name: "decodeValue",
    covers: ["storage/postgres/postgres_values.ts#decodeValue"],
    codes: ["store_corrupt"],
    seeds: [filled(40), { format_version: 1 }, true].map((value) => encodeValue(value) as Bytes),
    read(input) {
      const value = decodeValue(`\\x${input.toHex()}`);
      if (value instanceof Uint8Array) assert.deepEqual(encodeValue(value), input);
    },
  },
  record("decodeIntakeRow", [row], {
    encode: encodeIntakeRow,
    decode: (value) => decodeIntakeRow(5, value),
  }),
  record("decodeStoredRound", rounds, {
    encode: encodeStoredRound,
    decode: (value) => decodeStoredRound(5, value),
  }),
  record("decodeStoredSth", heads, {
    encode: encodeStoredSth,
    decode: (value) => decodeStoredSth(5, value),
  }),
  record("decodeSpentRow", spentRows, {
    encode: encodeSpentRow,
    decode: (value) => decodeSpentRow(5, value),
  }),
  record("decodeBucket", [filled(64)], {
    encode: (entries) => encodeBucket(2, 5, entries),
    decode: (value) => decodeBucket(2, 5, value),
  }),
  record("decodeHead", [{ size: 5, root: filled(32) }], { encode: encodeHead, decode: decodeHead }),
  record(
    "decodeRound",
    rounds,
    { encode: encodeRound, decode: (value) => decodeRound(5, value) },
    "proof/format/record_codec.ts",
  ),
  {
    name: "decodeSegment",
    covers: ["storage/witness/round_journal_codec.ts#decodeSegment"],
    codes: [],
    seeds: [journalSegment],
    read(input): false | void {
      const segment = decodeSegment(input);
      if (segment === undefined) return false;
      assert.deepEqual(encodeSegmentHeader(segment), input.subarray(0, SEGMENT_HEADER_LENGTH));
      // Bytes after the last whole frame are ignored.
      assert.deepEqual(decodeSegment(input.subarray(0, segment.length)), segment);
    },
  },
  record(
    "decodeSth",
    heads,
    { encode: encodeSth, decode: (value) => decodeSth(5, value) },
    "proof/format/record_codec.ts",
  ),
  trustFile("pin", [JSON.stringify(sides[0].network.configuration)], [
    "malformed_configuration",
    "invalid_configuration",
    "invalid_key",
  ]),
  trustFile("head", [JSON.stringify(sides[0].sth)], ["file_failed"]),
  {
    name: "parseGatewayRecord",
    covers: ["cli/gateway_record.ts#parseGatewayRecord"],
    codes: ["malformed_configuration", "format_unsupported"],
    seeds: [encodeGatewayRecord({ gateway: "https://log.example/", networkId: "log.example/A~1" })],
    read: ofText((text) => {
      const record = parseGatewayRecord(text);
      return assert.deepEqual(parseGatewayRecord(encodeGatewayRecord(record)), record);
    }),
  },
  {
    name: "fileNameOf",
    covers: ["server/files.ts#fileNameOf"],
    codes: [],
    seeds: ["net.example/Home~1"],
    read: ofText((text) => assert.match(fileNameOf(text), /^[a-z0-9.%-]*$/)),
  },
];
