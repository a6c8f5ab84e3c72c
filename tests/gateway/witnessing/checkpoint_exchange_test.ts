/** What a gateway does with the answers of a witness, honest or not: real HTTP on loopback. */

import assert from "node:assert/strict";
import { textOf, utf8 } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import type { ErrorCode } from "../../../src/base/errors.ts";
import { parseAddCheckpoint } from "../../../src/proof/format/add_checkpoint.ts";
import { parseSignatureLine } from "../../../src/proof/format/note.ts";
import { MlDsaSigner } from "../../../src/proof/crypto/ml_dsa_signer.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { encodeSignatureLine, noteSignature } from "../../../src/proof/format/note_writer.ts";
import { encodeCheckpointBody } from "../../../src/proof/format/tree_head.ts";
import {
  CheckpointExchange,
  type SentCheckpoint,
} from "../../../src/gateway/witnessing/checkpoint_exchange.ts";
import type { ForeignWitness } from "../../../src/gateway/witnessing/ports.ts";
import { verifyWitnessLines } from "../../../src/proof/verify/witness_lines.ts";
import { FakeClock } from "../../fake_clock.ts";
import { nativeCrypto } from "../../schemes.ts";
import { forkedTree, NOW, pathOf, StandingClock, TestLog } from "../../witness/fixture.ts";
import { type Manner, StrangersWitness } from "./foreign_witness.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 300);
const fork = forkedTree("fork", 4, 300);

function sentOf(size: number, source = tree): SentCheckpoint {
  const text = encodeCheckpointBody(log.head(source, size));
  const key = { name: log.origin, type: NOTE_TYPE.ed25519, publicKey: log.signer.publicKey };
  return { size, note: { text, signatures: [noteSignature(key, log.signer.sign(utf8(text)))] } };
}

const stranger = (seed = "stranger") => {
  const { origin: id, signer: { publicKey } } = log;
  return new StrangersWitness({ id, publicKey }, { clock: new StandingClock(), seed });
};

function exchangeWith(witness: ForeignWitness, source = tree): CheckpointExchange {
  return new CheckpointExchange(witness, {
    log: { consistencyPath: (a, b) => Promise.resolve(pathOf(source, a, b)) },
    crypto: nativeCrypto,
    clock: new StandingClock(),
  });
}

const { signal } = new AbortController();

Deno.test("a witness gets only the proof that it lacks, after its 409 names its size", async () => {
  await using witness = stranger();
  const first = exchangeWith(witness.asked());
  for (const size of [1, 5, 5, 256, 300]) {
    const [{ vkey, line }, ...more] = await first.cosign(sentOf(size), signal) as [
      { vkey: string; line: string },
    ];
    assert.deepEqual(more, []);
    assert.match(vkey, /^log\.example\/test\/w1\+/);
    assert.equal(parseSignatureLine(line.slice(0, -1)).payload.length, 72);
  }
  assert.deepEqual(witness.sizes, [0, 1, 5, 5, 256]);
  for (const body of witness.bodies) {
    const { oldSize, consistencyPath, checkpoint } = parseAddCheckpoint(body);
    const size = Number(checkpoint.text.split("\n")[1]);
    const isEmpty = oldSize === 0 || oldSize === size;
    assert.deepEqual(consistencyPath, isEmpty ? [] : pathOf(tree, oldSize, size));
    assert.equal(checkpoint.signatures.length, 1);
  }
  // A gateway that starts again does not know the size.
  const second = exchangeWith(witness.asked());
  assert.equal((await second.cosign(sentOf(300), signal)).length, 1);
  assert.deepEqual(witness.sizes.slice(5), [0, 300]);
  assert.equal((await second.cosign(sentOf(300), signal)).length, 1);
  assert.deepEqual(witness.sizes.slice(7), [300]);
});

Deno.test("a witness with a larger tree gets the next checkpoint, not a smaller one", async () => {
  await using witness = stranger();
  await exchangeWith(witness.asked()).cosign(sentOf(30), signal);
  const late = exchangeWith(witness.asked());
  await assert.rejects(
    () => late.cosign(sentOf(20), signal),
    (error) => hasCode(error, "tree_size_conflict"),
  );
  assert.equal((await late.cosign(sentOf(40), signal)).length, 1);
});

Deno.test("after a refused consistency proof, the size of the witness is asked again", async () => {
  await using witness = stranger();
  await exchangeWith(witness.asked()).cosign(sentOf(30), signal);
  const forked = exchangeWith(witness.asked(), fork);
  for (let i = 0; i < 2; i++) {
    const before = witness.sizes.length;
    await assert.rejects(
      () => forked.cosign(sentOf(40, fork), signal),
      (error) => hasCode(error, "consistency_refused"),
    );
    assert.deepEqual(witness.sizes.slice(before), [0, 30]);
  }
});

const text = (status: number, body: BodyInit, type = "text/plain", headers = {}) =>
  new Response(body, { status, headers: { "Content-Type": type, ...headers } });
const sizeOf = (size: string, type = "text/x.tlog.size") => text(409, size, type);

/** `honest` with its line changed. */
const changed = (change: (line: string) => string): Manner => async (_, honest) =>
  text(200, change(await (await honest()).text()));

function payloadChanged(change: (payload: Uint8Array) => void): Manner {
  return changed((line) => {
    const parsed = parseSignatureLine(line.slice(0, -1));
    change(parsed.payload);
    return encodeSignatureLine(parsed);
  });
}

let turn = 0;
/** What a witness does, the error, and the requests that it gets in one exchange. */
const HOSTILE: readonly [name: string, manner: Manner, code: ErrorCode, requests: number][] = [
  [
    "a size that changes with every answer",
    () => sizeOf(`${1 + turn++ % 7}\n`),
    "witness_refused",
    3,
  ],
  ["the size that it was asked from", () => sizeOf("0\n"), "witness_refused", 1],
  ["a larger size", () => sizeOf("301\n"), "tree_size_conflict", 1],
  ["a size beyond all trees", () => sizeOf("9007199254740993\n"), "witness_refused", 1],
  ["409 without a size", () => text(409, ""), "witness_refused", 1],
  ["409 with a size in JSON", () => sizeOf("7\n", "application/json"), "witness_refused", 1],
  ["409 with a leading zero", () => sizeOf("07\n"), "witness_refused", 1],
  ["422", () => text(422, "no"), "consistency_refused", 1],
  ["404", () => text(404, "unknown origin"), "witness_refused", 1],
  ["403", () => text(403, ""), "witness_refused", 1],
  ["429", () => text(429, ""), "witness_refused", 1],
  ["500", () => text(500, ""), "witness_refused", 1],
  [
    "a redirect",
    () => text(307, "", "text/plain", { Location: "/other" }),
    "witness_unreachable",
    1,
  ],
  ["nothing", () => text(200, ""), "witness_refused", 1],
  ["a line without its end", changed((line) => line.trimEnd()), "witness_refused", 1],
  ["no UTF-8", () => text(200, Uint8Array.of(0xff, 0x0a)), "witness_refused", 1],
  ["a page", () => text(200, "<html>\n"), "witness_refused", 1],
  ["65 lines", changed((line) => line.repeat(65)), "witness_refused", 1],
  ["another name", changed((line) => line.replace("/w1 ", "/w2 ")), "witness_refused", 1],
  ["a wrong signature", payloadChanged((bytes) => bytes[71]! ^= 1), "witness_refused", 1],
  ["a wrong time", payloadChanged((bytes) => bytes[7]! ^= 1), "witness_refused", 1],
  [
    "a right line and a wrong one",
    async (_, honest) => {
      const line = await (await honest()).text();
      const wrong = parseSignatureLine(line.slice(0, -1));
      wrong.payload[70]! ^= 4;
      return text(200, line + encodeSignatureLine(wrong));
    },
    "witness_refused",
    1,
  ],
  [
    "more than 64 KiB",
    () => text(200, new Uint8Array(70_000).fill(0x61)),
    "witness_refused",
    1,
  ],
  [
    "no end",
    () =>
      text(
        200,
        new ReadableStream({ pull: (queue) => queue.enqueue(new Uint8Array(65_536)) }),
      ),
    "witness_refused",
    1,
  ],
];

for (const [name, manner, code, requests] of HOSTILE) {
  Deno.test(`a witness that answers with ${name} is refused, and is asked no more for now`, async () => {
    await using witness = stranger();
    witness.manner = manner;
    const exchange = exchangeWith(witness.asked());
    await assert.rejects(
      () => exchange.cosign(sentOf(300), signal),
      (error) => hasCode(error, code) || assert.fail(`${error}`),
    );
    assert.equal(witness.bodies.length, requests);
    // The same exchange works once the witness does.
    witness.manner = () => undefined;
    assert.equal((await exchange.cosign(sentOf(300), signal)).length, 1);
  });
}

Deno.test("a request to a slow witness ends after 10 seconds", async () => {
  await using witness = stranger();
  const clock = new FakeClock(NOW);
  let timer: ReturnType<typeof setInterval> | undefined;
  const trickling = Promise.withResolvers<void>();
  witness.manner = () =>
    text(
      200,
      new ReadableStream({
        start(queue) {
          trickling.resolve();
          timer = setInterval(() => queue.enqueue(utf8("\u2014")), 20);
        },
        cancel: () => clearInterval(timer),
      }),
    );
  const exchange = exchangeWith(witness.asked({}, clock));
  const refused = assert.rejects(
    () => exchange.cosign(sentOf(300), signal),
    (error) => hasCode(error, "witness_unreachable"),
  );
  await trickling.promise;
  await clock.advance(10_000);
  await refused;
  clearInterval(timer);
});

Deno.test("a witness whose clock is an hour ahead is not believed", async () => {
  const { origin: id, signer: { publicKey } } = log;
  const clock = new StandingClock();
  clock.seconds += 3_600;
  await using witness = new StrangersWitness({ id, publicKey }, { clock });
  const refused = exchangeWith(witness.asked()).cosign(sentOf(5), signal);
  await assert.rejects(refused, /its time differs from ours by more than 300 s/);
});

Deno.test("a witness with two keys cosigns with both, and each line is verified", async () => {
  const { origin: id, signer: { publicKey } } = log;
  const mlDsa = await MlDsaSigner.of(new Uint8Array(32).fill(5));
  const clock = new StandingClock();
  await using witness = new StrangersWitness({ id, publicKey }, { clock, mlDsa });
  const { key } = witness;
  const quantum = {
    name: key.name,
    type: NOTE_TYPE.mlDsaCosignature,
    publicKey: mlDsa.publicKey,
  };
  const exchange = exchangeWith(witness.asked({ keys: [key, quantum] }));
  const lines = await exchange.cosign(sentOf(5), signal);
  assert.deepEqual(lines.map(({ vkey }) => vkey), [encodeVkey(key), encodeVkey(quantum)]);
  const { root_hash: rootHash } = log.head(tree, 5);
  const record = { size: 5, rootHash, lines, meetsQuorum: true };
  assert.ok(await verifyWitnessLines(nativeCrypto, log.origin, record));
  const other = { ...record, rootHash: log.head(fork, 5).root_hash };
  assert.ok(!await verifyWitnessLines(nativeCrypto, log.origin, other));
  // One of the keys is enough where only that one is configured.
  const alone = exchangeWith(witness.asked({ keys: [quantum] }));
  assert.deepEqual(
    (await alone.cosign(sentOf(5), signal)).map(({ vkey }) => vkey),
    [encodeVkey(quantum)],
  );
});

Deno.test("a valid line of an unconfigured key does not count", async () => {
  await using witness = stranger("another seed");
  await using configured = stranger();
  const exchange = exchangeWith(witness.asked({ keys: [configured.key] }));
  await assert.rejects(
    () => exchange.cosign(sentOf(5), signal),
    (error) => hasCode(error, "witness_refused"),
  );
  assert.ok(textOf(utf8(witness.bodies[0]!)).startsWith("old 0\n"));
});
