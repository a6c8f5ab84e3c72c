import assert from "node:assert/strict";
import { concat, utf8 } from "../../../src/base/bytes.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { aggregateKey, splitAggregate } from "../../../src/proof/format/aggregate_line.ts";
import { type NoteSignature, parseNote } from "../../../src/proof/format/note.ts";
import { encodeNote, noteSignature } from "../../../src/proof/format/note_writer.ts";
import { encodeCheckpointBody } from "../../../src/proof/format/tree_head.ts";
import { verifyCheckpoint } from "../../../src/proof/verify/checkpoint.ts";
import { portableCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { makeLog, nativeCrypto, TestNetwork } from "./fixture.ts";

const network = new TestNetwork("net.example/aggregates", {
  scheme: "bls",
  witnesses: 10,
  threshold: 3,
});
const { configuration } = network;
const log = makeLog(network);
const head = log.head(12, 0);

/** A note over `head` with the log's own line before `lines`. */
function noteOf(...lines: readonly NoteSignature[]): string {
  const text = encodeCheckpointBody(head);
  return encodeNote({
    text,
    signatures: [noteSignature(network.logKey, network.log.sign(utf8(text))), ...lines],
  });
}

async function judge(text: string, pinned = configuration) {
  const { valid, reason, verified, cosigners } = await verifyCheckpoint(nativeCrypto, pinned, text);
  return {
    valid,
    reason,
    verified,
    cosigners: cosigners.map(({ id, timestamp }) => [id, timestamp]),
  };
}

const byId = configuration.witnesses.toSorted((a, b) => a.id < b.id ? -1 : 1);

/** Witness indices in the order of ids, in which `w10` comes after `w1`. */
function idsAt(...places: readonly number[]): string[] {
  return places.map((place) => byId[place]!.id);
}

/** The line by the witnesses at `places` in the order of ids. */
function lineOf(timestamp: number, ...places: readonly number[]): NoteSignature {
  const own = idsAt(...places).map((id) =>
    configuration.witnesses.findIndex((witness) => witness.id === id)
  );
  const { payload } = network.aggregateLine(head, timestamp, own);
  const bitmap = new Uint8Array(2);
  for (const place of places) bitmap[place >> 3]! |= 128 >> (place % 8);
  const key = aggregateKey(configuration);
  return {
    ...noteSignature(key, new Uint8Array()),
    payload: concat(payload.subarray(0, 8), bitmap, payload.subarray(-48)),
  };
}

Deno.test("an aggregate line names its signers, who count to the threshold", async () => {
  assert.deepEqual(await judge(noteOf(lineOf(100, 0, 2, 9))), {
    valid: true,
    reason: undefined,
    verified: 3,
    cosigners: idsAt(0, 2, 9).map((id) => [id, 100]),
  });
  const short = await judge(noteOf(lineOf(100, 1, 2)));
  assert.deepEqual([short.valid, short.reason, short.verified], [false, "threshold_not_met", 2]);
  const crypto = await portableCrypto();
  const text = noteOf(lineOf(100, 0, 1, 2));
  assert.equal((await verifyCheckpoint(crypto, configuration, text)).valid, true);
});

Deno.test("two aggregate lines count their signers once, each with its latest time", async () => {
  const result = await judge(noteOf(lineOf(100, 0, 1), lineOf(300, 1, 2)));
  assert.equal(result.valid, true);
  const [first, second, third] = idsAt(0, 1, 2);
  assert.deepEqual(result.cosigners, [[first, 100], [second, 300], [third, 300]]);
});

Deno.test("an invalid aggregate line makes the checkpoint invalid", async () => {
  const right = lineOf(100, 0, 1, 2, 3);
  const { payload } = right;
  const identity = concat(payload.subarray(0, 10), Uint8Array.of(0xc0), new Uint8Array(47));
  const changes: Uint8Array[] = [
    ...Array.from({ length: payload.length }, (_, at) => payload.with(at, payload[at]! ^ 1)),
    payload.with(8, 0b1110_0000),
    payload.with(8, 0),
    payload.subarray(1),
    payload.subarray(0, -1),
    concat(payload, Uint8Array.of(0)),
    payload.subarray(0, 8),
    payload.subarray(0, 9),
    identity,
    identity.with(8, 0),
  ];
  assert.equal((await judge(noteOf(right))).valid, true);
  for (const [i, change] of changes.entries()) {
    const spoilt = { ...right, payload: concat(change) };
    const { valid, reason } = await judge(noteOf(lineOf(100, 4, 5, 6), spoilt));
    assert.deepEqual([valid, reason], [false, "signature_invalid"], `change ${i}`);
  }
});

Deno.test("the log's line is required in addition to the aggregate", async () => {
  const text = encodeCheckpointBody(head);
  const note = encodeNote({ text, signatures: [lineOf(100, 0, 1, 2)] });
  assert.equal((await judge(note)).reason, "log_signature_missing");
});

Deno.test("the key ID covers exactly these witnesses, in any order of the file", async () => {
  const text = noteOf(lineOf(100, 0, 1, 2));
  const reordered = { ...configuration, witnesses: configuration.witnesses.toReversed() };
  assert.equal((await judge(text, reordered)).valid, true);
  const fewer = { ...configuration, witnesses: configuration.witnesses.slice(0, 9) };
  const renamed = {
    ...configuration,
    witnesses: configuration.witnesses.with(0, { ...configuration.witnesses[0]!, id: "other" }),
  };
  for (const pinned of [fewer, renamed]) {
    assert.equal((await judge(text, pinned)).reason, "threshold_not_met");
  }
});

Deno.test("the line has exactly the documented bytes", () => {
  const { signatures: [, line] } = parseNote(noteOf(lineOf(0x0102_0304, 0, 8)));
  const witnesses = byId.map(({ id, pubkey }) => `${id} ${pubkey}\n`).join("");
  const digest = portableKernels.sha256(utf8(witnesses));
  const typed = concat(
    utf8(`${network.id}\n`),
    Uint8Array.of(0xff),
    utf8("countersign/bls-aggregate/v1"),
    digest,
  );
  assert.equal(line!.name, network.id);
  assert.deepEqual(line!.keyId, portableKernels.sha256(typed).slice(0, 4));
  assert.equal(line!.payload.subarray(0, 10).toHex(), "00000000010203048080");
  assert.equal(line!.payload.length, 8 + 2 + 48);
  const split = splitAggregate(aggregateKey(configuration), line!.payload);
  assert.deepEqual([split?.timestamp, split?.signers], [0x0102_0304, [0, 8]]);
});
