/**
 * Readers of OpenTimestamps (`src/gateway/anchors`): files, timestamps of calendars, block headers.
 *
 * @module
 */

import assert from "node:assert/strict";
import { type Bytes, concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import {
  encodeAttestation,
  encodeOperation,
  OPERATION_TAG,
  type OtsAttestation,
  readAttestation,
  readOperation,
} from "../../src/gateway/anchors/opentimestamps/items.ts";
import { BitcoinHeaders } from "../../src/gateway/anchors/opentimestamps/bitcoin.ts";
import {
  decodeTimestamp,
  decodeTimestampFile,
  encodeTimestamp,
  encodeTimestampFile,
  otsProof,
  parseOtsProof,
  timestampOf,
  visitMessages,
} from "../../src/gateway/anchors/opentimestamps/format.ts";
import { OtsReader } from "../../src/gateway/anchors/opentimestamps/reader.ts";
import { verifyOpenTimestamps } from "../../src/gateway/anchors/opentimestamps/verify.ts";
import type { JsonValue } from "../../src/proof/format/strict_json.ts";
import {
  mineChain,
  REGTEST_TARGET,
  shownHash,
} from "../gateway/anchors/opentimestamps/bitcoin_miner.ts";
import type { Target } from "./engine.ts";

const CODES = ["malformed_text"] as const;
const DIGEST = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
const HEIGHT = 900_000;

const ATTESTATIONS: readonly OtsAttestation[] = [
  { kind: "pending", uri: "https://calendar.example" },
  { kind: "bitcoin", height: HEIGHT },
  { kind: "litecoin", height: 127 },
  { kind: "ethereum", height: 128 },
  { kind: "unknown", tag: new Uint8Array(8), payload: utf8("anything") },
];
const FORKED = timestampOf(
  ATTESTATIONS,
  Object.values(OPERATION_TAG).map((tag) => ({
    operation: {
      tag,
      argument: tag === OPERATION_TAG.append || tag === OPERATION_TAG.prepend
        ? utf8("nonce")
        : new Uint8Array(),
    },
    next: timestampOf(ATTESTATIONS),
  })),
);
/** Of this the digest itself is the Merkle root. */
const IN_BLOCK = timestampOf([{ kind: "bitcoin", height: HEIGHT }]);

const file = (timestamp: typeof FORKED): Bytes =>
  encodeTimestampFile({ hash: OPERATION_TAG.sha256, digest: DIGEST, timestamp });

const chain = mineChain([new Uint8Array(32), DIGEST, new Uint8Array(32)], 1_800_000_000);
const headerFile = chain.map((header, i) => `${HEIGHT - 1 + i} ${hexOf(header)}\n`).join("");
const headerLine = `${HEIGHT - 1} ${chain.map(hexOf).join("")}`;

/** Its messages are computed too: each within the limit. */
function visitAll(message: Bytes, timestamp: typeof FORKED): void {
  visitMessages(message, timestamp, (at) => assert.ok(at.length <= 4096));
}

/** `input` as a proof, of whichever digest it says. */
function proofOf(input: Bytes): { readonly digest: Bytes; readonly proof: JsonValue } {
  return { digest: DIGEST, proof: { ots: input.toBase64() } };
}

/** Targets of OpenTimestamps. */
export const OPENTIMESTAMPS_TARGETS: readonly Target[] = [
  {
    name: "decodeTimestampFile",
    covers: ["gateway/anchors/opentimestamps/format.ts#decodeTimestampFile"],
    codes: CODES,
    seeds: [file(FORKED), file(IN_BLOCK)],
    read(input) {
      const read = decodeTimestampFile(input);
      assert.deepEqual(encodeTimestampFile(read), input);
      visitAll(read.digest, read.timestamp);
    },
  },
  {
    name: "decodeTimestamp",
    covers: [
      "gateway/anchors/opentimestamps/format.ts#decodeTimestamp",
      "gateway/anchors/opentimestamps/items.ts#readAttestation",
      "gateway/anchors/opentimestamps/items.ts#readOperation",
    ],
    codes: CODES,
    seeds: [encodeTimestamp(FORKED), encodeTimestamp(IN_BLOCK)],
    read(input) {
      const read = decodeTimestamp(input, DIGEST);
      // Items may be in any order, so the encoding has the same length and meaning.
      const written = encodeTimestamp(read);
      assert.equal(written.length, input.length);
      assert.deepEqual(decodeTimestamp(written, DIGEST), read);
      visitAll(DIGEST, read);
    },
  },
  {
    name: "readAttestation",
    covers: ["gateway/anchors/opentimestamps/items.ts#readAttestation"],
    codes: CODES,
    seeds: ATTESTATIONS.map(encodeAttestation),
    read(input) {
      const reader = new OtsReader(input);
      const read = readAttestation(reader);
      reader.end();
      assert.deepEqual(encodeAttestation(read), input);
    },
  },
  {
    name: "readOperation",
    covers: ["gateway/anchors/opentimestamps/items.ts#readOperation"],
    codes: CODES,
    seeds: FORKED.branches.map(({ operation }) => encodeOperation(operation)),
    read(input) {
      const reader = new OtsReader(input);
      const read = readOperation(reader, reader.byte());
      reader.end();
      assert.deepEqual(encodeOperation(read), input);
    },
  },
  {
    name: "parseOtsProof",
    covers: ["gateway/anchors/opentimestamps/format.ts#parseOtsProof"],
    codes: CODES,
    seeds: [file(FORKED), file(IN_BLOCK)],
    read(input) {
      const { digest, proof } = proofOf(input);
      assert.deepEqual(otsProof(digest, parseOtsProof(digest, proof)), proof);
    },
  },
  {
    name: "parseHeaderFile",
    covers: ["gateway/anchors/opentimestamps/bitcoin.ts#parseHeaderFile"],
    codes: CODES,
    seeds: [headerFile, headerLine],
    read(input) {
      const headers = new BitcoinHeaders([input], REGTEST_TARGET);
      const block = headers.blockAt(HEIGHT);
      if (block === undefined) return false;
      // The header that the input has at this height.
      const stated = new TextDecoder().decode(input).split("\n").flatMap((line) => {
        const [first, hex = ""] = line.split(" ");
        return hex.match(/.{160}/g)?.map((header, i) => [Number(first) + i, header] as const) ?? [];
      });
      const [, header] = stated.find(([height]) => height === HEIGHT)!;
      assert.equal(shownHash(Uint8Array.fromHex(header)), block.hash);
      assert.equal(header.slice(72, 136), hexOf(block.merkleRoot));
      headers.requireChained(HEIGHT);
      return true;
    },
  },
  {
    name: "verifyOpenTimestamps",
    covers: ["gateway/anchors/opentimestamps/verify.ts#verifyOpenTimestamps"],
    codes: CODES,
    // The length of the file, the file, and the headers.
    seeds: [FORKED, IN_BLOCK].map((timestamp) =>
      concat(
        new Uint8Array([file(timestamp).length >> 8, file(timestamp).length & 0xff]),
        file(timestamp),
        utf8(headerFile),
      )
    ),
    read(input) {
      const [high = 0, low = 0] = input;
      const end = 2 + (high << 8 | low);
      const { digest, proof } = proofOf(input.slice(2, end));
      const claim = { digest, proof, status: "confirmed", timestamp: 1 } as const;
      const verdict = verifyOpenTimestamps({ ...claim, roots: [input.slice(end)] }, REGTEST_TARGET);
      if (verdict.status === "failed") return false;
      if (verdict.status === "verified") {
        const root = hexOf(DIGEST);
        assert.ok(new TextDecoder().decode(input).includes(root), "a root that is in no header");
      }
      return verdict.status === "verified";
    },
  },
];
