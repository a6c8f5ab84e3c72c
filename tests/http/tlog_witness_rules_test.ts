/**
 * Our witness by the clauses of c2sp.org/tlog-witness, as the conformance suite judges anybody's, and
 * what the suite cannot see: limits, restarts, and a foreign log with two keys.
 */
import assert from "node:assert/strict";
import { type Bytes, concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { encodeAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import { encodeLogCheckpoint } from "../../src/proof/format/log_checkpoint.ts";
import { type NoteSignature, parseNote, splitCosignature } from "../../src/proof/format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../src/proof/format/note_key.ts";
import {
  encodeNote,
  encodeSignatureLine,
  noteSignature,
} from "../../src/proof/format/note_writer.ts";
import { cosignatureMessage } from "../../src/proof/format/tree_head.ts";
import { testWitness as testConformance } from "../../src/logs/conformance/suite.ts";
import { MlDsaSigner } from "../../src/proof/crypto/ml_dsa_signer.ts";
import { suiteCrypto, suiteSigner } from "../logs/conformance/fixture.ts";
import { witnessApp } from "../../src/http/witness/witness_app.ts";
import type { WitnessState } from "../../src/witness/ports.ts";
import {
  forkedTree,
  NOW,
  pathOf,
  signerOf,
  StandingClock,
  TestLog,
  testWitness,
  WITNESS_ID,
} from "../witness/fixture.ts";
import { openOrCreateState } from "../witness_states.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";

const ORIGIN = "go.sum database tree";
const tree = forkedTree("tree", 4, 40);
const keys = ["sum.example:8443/\u00e9", "_second"].map((name) => {
  const signer = signerOf(name);
  const key: NoteKey = { name, type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
  return { key, sign: (text: string) => noteSignature(key, signer.sign(utf8(text))) };
});
const [first, second] = keys as [typeof keys[0], typeof keys[0]];
const witnessKey: NoteKey = {
  name: WITNESS_ID,
  type: NOTE_TYPE.cosignature,
  publicKey: signerOf(WITNESS_ID).publicKey,
};

interface Change {
  readonly origin?: string;
  readonly root?: Bytes;
  readonly path?: readonly Bytes[];
  readonly extensions?: readonly string[];
  readonly sign?: (text: string) => readonly NoteSignature[];
}

/** The honest text of a checkpoint, or a changed one. */
function textOf(size: number, { origin = ORIGIN, root, extensions = [] }: Change = {}): string {
  return encodeLogCheckpoint({ origin, size, root: root ?? concat(tree.root(size)), extensions });
}

function bodyOf(from: number, to: number, change: Change = {}): string {
  const text = textOf(to, change);
  return encodeAddCheckpoint({
    oldSize: from,
    consistencyPath: change.path ?? pathOf(tree, from, to),
    checkpoint: { text, signatures: change.sign?.(text) ?? [first.sign(text)] },
  });
}

function serve(state: WitnessState = new MemoryWitnessState()) {
  const clock = new StandingClock();
  const logs = [
    new TestLog().witnessed,
    { origin: ORIGIN, keys: keys.map(({ key }) => key) },
    new TestLog("quiet.example").witnessed,
  ];
  const app = witnessApp({
    witness: testWitness({ state, clock, logs }),
    token: "unused",
    clock,
    report: () => {},
  });
  const post = (body: string | Bytes) =>
    app(new Request("http://witness.example/add-checkpoint", { method: "POST", body }));
  const get = (origin: string, method = "GET") => {
    const hash = hexOf(sha256(utf8(origin)));
    return app(new Request(`http://witness.example/${hash}/checkpoint`, { method }));
  };
  return { app, post, get, clock, state };
}

/** Asserts that `lines` are one cosignature over the whole `text`; returns its time. */
function cosigned(lines: string, text: string): number {
  const { signatures } = parseNote(`${text}\n${lines}`);
  assert.equal(signatures.length, 1);
  const [{ name, keyId, payload }] = signatures as [NoteSignature];
  assert.equal(name, WITNESS_ID);
  assert.deepEqual(keyId, noteKeyId(witnessKey));
  const { timestamp, signature } = splitCosignature(payload)!;
  const message = utf8(cosignatureMessage(timestamp, text));
  assert.ok(verifyNative(witnessKey.publicKey, message, signature));
  return timestamp;
}

const stranger = noteSignature(
  { name: "stranger", type: NOTE_TYPE.ed25519, publicKey: new Uint8Array(32) },
  new Uint8Array(4_900),
);
Deno.test("tlog-witness: our witness passes every clause that the conformance suite can test", async () => {
  const mlDsa = await MlDsaSigner.of(sha256(utf8("ml-dsa")));
  const clock = new StandingClock();
  const { name, publicKey } = suiteSigner;
  const keys = [{ name, type: NOTE_TYPE.ed25519, publicKey }];
  const logs = [new TestLog().witnessed, { origin: name, keys }];
  const app = witnessApp({
    witness: testWitness({ clock, logs, mlDsa }),
    token: "unused",
    clock,
    report: () => {},
  });
  const url = new URL("http://witness.example/");
  const mlDsaKey = { ...witnessKey, type: NOTE_TYPE.mlDsaCosignature, publicKey: mlDsa.publicKey };
  const report = await testConformance(
    { url, monitoring: url, keys: [witnessKey, mlDsaKey], signer: suiteSigner },
    {
      crypto: suiteCrypto,
      clock,
      fetch: ((input, init) => app(new Request(input as URL, init))) as typeof fetch,
    },
  );
  const others = report.clauses.filter(({ verdict }) => !/^(pass|not_testable)$/.test(verdict));
  // Their sentences bind clients and logs; our witness refuses what breaks them.
  assert.deepEqual(others.filter(({ obliged }) => obliged.includes("witness")), []);
  for (const { checks } of others) {
    for (const { answer } of checks) assert.match(answer!, /^4\d\d /);
  }
  assert.equal(report.summary.MUST.pass, 44);
});

Deno.test("tlog-witness: a size of 2^53 or more is well formed, and has no proof", async () => {
  const { post } = serve();
  assert.equal((await post(bodyOf(0, 5))).status, 200);
  const answer = async (size: string, old: number, signer = first) => {
    const text = textOf(5).replace("\n5\n", `\n${size}\n`);
    const body = `old ${old}\n\n${encodeNote({ text, signatures: [signer.sign(text)] })}`;
    return await post(body);
  };
  for (const size of ["9007199254740992", "9223372036854775807", "99999999999999999999"]) {
    assert.equal((await answer(size, 5)).status, 422, size);
    const conflict = await answer(size, 4);
    assert.deepEqual([conflict.status, await conflict.text()], [409, "5\n"]);
    const stranger = signerOf("stranger");
    const sign = (text: string) => noteSignature(first.key, stranger.sign(utf8(text)));
    assert.equal((await answer(size, 5, { ...first, sign })).status, 403);
    for (const malformed of [`0${size}`, `+${size}`, `${size}.0`]) {
      assert.equal((await answer(malformed, 5)).status, 400, malformed);
    }
  }
  assert.equal((await post(bodyOf(5, 5))).status, 200);
});

Deno.test("tlog-witness: a body of 128 KiB is read, and a text above 32 KiB refused", async () => {
  const { post } = serve();
  const sign = (text: string) => [...Array(19).fill(stranger), second.sign(text)];
  assert.ok(bodyOf(0, 5, { sign }).length > 120 * 1024);
  assert.equal((await post(bodyOf(0, 5, { sign }))).status, 200);
  const filled = (length: number) => bodyOf(5, 6, { extensions: ["x".repeat(length)] });
  assert.equal((await post(filled(32 * 1024))).status, 400);
  assert.equal((await post(bodyOf(5, 6) + "x".repeat(128 * 1024))).status, 413);
  assert.equal((await post(filled(32 * 1024 - 200))).status, 200);
});

Deno.test("tlog-witness: a checkpoint that is served includes log and witness signatures", async () => {
  const { post, get, clock } = serve();
  for (const origin of [ORIGIN, "quiet.example", "unknown.example"]) {
    // If the witness has never cosigned a checkpoint for that log, it MUST respond with a 404.
    assert.equal((await get(origin)).status, 404);
  }
  const sign = (text: string) => [stranger, second.sign(text), first.sign(text)];
  for (const [from, to, extensions] of [[0, 5, ["x"]], [5, 5, ["y"]], [5, 11, []]] as const) {
    clock.seconds += 10;
    const lines = await (await post(bodyOf(from, to, { extensions, sign }))).text();
    const text = textOf(to, { extensions });
    assert.equal(cosigned(lines, text), clock.seconds);
    const response = await get(ORIGIN);
    assert.match(response.headers.get("Content-Type")!, /^text\/plain/);
    const logs = [second.sign(text), first.sign(text)].map(encodeSignatureLine).join("");
    // It MUST include the cosignature(s) that were returned from add-checkpoint.
    assert.equal(await response.text(), `${text}\n${logs}${lines}`);
  }
  assert.equal((await get(ORIGIN, "HEAD")).status, 200);
  assert.equal((await get("quiet.example")).status, 404);
});

Deno.test("tlog-witness: what is served is durable, and is stored again after an adopted head", async () => {
  const path = `${await Deno.makeTempDir()}/state.kv`;
  const root = concat(tree.root(5));
  let state = await openOrCreateState(path);
  const text = textOf(5, { extensions: ["x".repeat(30_000)] });
  try {
    // Adopted, without a checkpoint.
    await state.replace(ORIGIN, undefined, { size: 5, root, timestamp: NOW - 100 });
    const { post, get } = serve(state);
    assert.equal((await get(ORIGIN)).status, 404);
    assert.equal((await post(bodyOf(4, 5))).status, 409);
    const refresh = bodyOf(5, 5, { extensions: ["x".repeat(30_000)] });
    cosigned(await (await post(refresh)).text(), text);
    const served = await (await get(ORIGIN)).text();
    assert.equal(encodeNote(parseNote(served)), served);
    state.close();
    state = await openOrCreateState(path);
    assert.equal(await (await serve(state).get(ORIGIN)).text(), served);
    assert.equal((await serve(state).post(bodyOf(5, 11))).status, 200);
  } finally {
    state.close();
    await Deno.remove(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  }
});
