import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import type { NetworkConfiguration } from "../../../src/proof/format/network.ts";
import { parseNote } from "../../../src/proof/format/note.ts";
import { encodeNote, noteSignature } from "../../../src/proof/format/note_writer.ts";
import { encodeCheckpointBody } from "../../../src/proof/format/tree_head.ts";
import { verifyCheckpoint } from "../../../src/proof/verify/checkpoint.ts";
import { portableCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { makeLog, nativeCrypto, TestNetwork } from "./fixture.ts";

const network = new TestNetwork("net.example/checkpoints");
const log = makeLog(network);
const head = log.head(12, 0);

async function refusal(network: NetworkConfiguration, text: string) {
  const result = await verifyCheckpoint(nativeCrypto, network, text);
  const { valid, head: _, ...rest } = result;
  assert.equal(valid, false);
  return rest;
}

async function judgeCheckpoint(text: string) {
  const { valid, reason, cosigners, verified } = await verifyCheckpoint(
    nativeCrypto,
    network.configuration,
    text,
  );
  return { valid, reason, times: cosigners.map(({ timestamp }) => timestamp), verified };
}

Deno.test("a checkpoint requires the log's line and the threshold of cosignatures", async () => {
  const whole = network.checkpoint(head, { 0: 100, 2: 90 });
  assert.deepEqual(await judgeCheckpoint(whole), {
    valid: true,
    reason: undefined,
    times: [100, 90],
    verified: 2,
  });
  const short = await judgeCheckpoint(network.checkpoint(head, { 1: 100 }));
  assert.deepEqual([short.valid, short.reason, short.verified], [false, "threshold_not_met", 1]);
  const [text, ownLine, ...cosignatures] = splitLines(whole);
  const anonymous = await judgeCheckpoint(`${text}\n${cosignatures.join("")}`);
  assert.deepEqual([anonymous.valid, anonymous.reason], [false, "log_signature_missing"]);
  // The lines may have any order.
  assert.equal((await judgeCheckpoint(`${text}\n${cosignatures.join("")}${ownLine}`)).valid, true);
});

/** A note's text, then each of its signature lines. */
function splitLines(note: string): string[] {
  const { text, signatures } = parseNote(note);
  const lines = note.slice(text.length + 1).split("\n").slice(0, signatures.length);
  return [text, ...lines.map((line) => `${line}\n`)];
}

Deno.test("a witness with two lines counts once, with its latest time", async () => {
  const early = network.checkpoint(head, { 0: 100 });
  const late = network.checkpoint(head, { 0: 300 });
  const both = early + splitLines(late)[2]!;
  const result = await judgeCheckpoint(both);
  assert.deepEqual([result.valid, result.verified, result.times], [false, 1, [300]]);
  const enough = await judgeCheckpoint(both + splitLines(network.checkpoint(head, { 1: 5 }))[2]!);
  assert.deepEqual([enough.valid, enough.verified, enough.times], [true, 2, [300, 5]]);
});

Deno.test("a witness's wrong line makes a checkpoint invalid, even with enough others", async () => {
  const whole = network.checkpoint(head, { 0: 100, 1: 100, 2: 100 });
  const other = network.checkpoint(log.head(9, 0), { 2: 100 });
  const lines = splitLines(whole);
  const spoilt = `${lines[0]}\n${lines.slice(1, 4).join("")}${splitLines(other)[2]}`;
  assert.deepEqual(await refusal(network.configuration, spoilt), {
    reason: "signature_invalid",
    field: "signatures[3]",
    verified: 0,
    required: 2,
    signers: [],
    cosigners: [],
  });
});

Deno.test("lines of unknown keys are ignored", async () => {
  const stranger = new TestNetwork("net.example/strangers");
  const line = splitLines(stranger.checkpoint(head, { 0: 100 }))[2]!;
  assert.equal(
    (await judgeCheckpoint(network.checkpoint(head, { 0: 1, 1: 2 }) + line)).valid,
    true,
  );
  assert.equal((await judgeCheckpoint(network.checkpoint(head, { 0: 1 }) + line)).valid, false);
});

Deno.test("another log's checkpoint, or a pin without the log's key, is refused", async () => {
  const other = makeLog(new TestNetwork("net.example/other"));
  const foreign = network.checkpoint(other.head(12, 0), { 0: 1, 1: 2 });
  const none = { verified: 0, required: 2, signers: [], cosigners: [] };
  assert.deepEqual(await refusal(network.configuration, foreign), {
    reason: "network_mismatch",
    field: "origin",
    ...none,
  });
  const { log_vkey: _, ...keyless } = network.configuration;
  const text = network.checkpoint(head, { 0: 1, 1: 2 });
  assert.deepEqual(await refusal(keyless, text), { reason: "log_key_missing", ...none });
  // Under the other scheme the lines have unknown keys.
  const bls: NetworkConfiguration = { ...network.configuration, signature_scheme: "bls" };
  assert.deepEqual(await refusal(bls, text), { reason: "threshold_not_met", ...none });
});

Deno.test("a checkpoint that is not canonical is malformed, even if it is signed", async () => {
  const body = encodeCheckpointBody(head);
  const spellings = [
    body.replace("12\n", "012\n"),
    body.replace("12\n", "+12\n"),
    body.replaceAll("\n", "\r\n"),
    `${body}extension\n`,
    `\n${body}`,
    body.replace("=", ""),
    body.replace("12\n", "9007199254740992\n"),
  ];
  for (const text of spellings) {
    const own = noteSignature(network.logKey, network.log.sign(utf8(text)));
    await assert.rejects(
      verifyCheckpoint(
        nativeCrypto,
        network.configuration,
        encodeNote({ text, signatures: [own] }),
      ),
      (error) => hasCode(error, "malformed_text"),
      JSON.stringify(text),
    );
  }
});

Deno.test("the portable crypto verifies a checkpoint", async () => {
  const crypto = await portableCrypto();
  const text = network.checkpoint(head, { 0: 100, 1: 200 });
  assert.equal((await verifyCheckpoint(crypto, network.configuration, text)).valid, true);
});
