/**
 * The rules of c2sp.org/tlog-witness (main of 2026-07-22) for `add-checkpoint` and the monitoring
 * interface, each with its sentence, on a witness that follows a foreign log with two keys.
 */
import assert from "node:assert/strict";
import { base64Of, type Bytes, concat, hexOf, utf8 } from "../../src/bytes.ts";
import { verifyNative } from "../../src/crypto/ed25519_native.ts";
import { sha256 } from "../../src/crypto/hashing.ts";
import { encodeAddCheckpoint } from "../../src/format/add_checkpoint.ts";
import { encodeLogCheckpoint } from "../../src/format/log_checkpoint.ts";
import { type NoteSignature, parseNote, splitCosignature } from "../../src/format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../src/format/note_key.ts";
import { encodeNote, encodeSignatureLine, noteSignature } from "../../src/format/note_writer.ts";
import { cosignatureMessage } from "../../src/format/tree_head.ts";
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
const fork = forkedTree("fork", 4, 40);
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

/** A witness that has cosigned size 5. */
async function standing() {
  const server = serve();
  assert.equal((await server.post(bodyOf(0, 5))).status, 200);
  return server;
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

const broken = (line: NoteSignature) => ({
  ...line,
  payload: line.payload.with(9, line.payload[9]! ^ 1),
});
const stranger = noteSignature(
  { name: "stranger", type: NOTE_TYPE.ed25519, publicKey: new Uint8Array(32) },
  new Uint8Array(4_900),
);
const zeros = new Uint8Array(32);

/** Sentence, body for a witness at size 5, status, and the answer's text where the rule has one. */
const RULES: readonly [string, string, number, string?][] = [
  ["The request body MUST be a sequence of an old size line, ...", "", 400],
  ["... and an empty line, followed by a checkpoint.", bodyOf(5, 11).replace("\n\n", "\n"), 400],
  ["Each line MUST terminate in a newline character.", bodyOf(5, 11).slice(0, -1), 400],
  ["Each line MUST terminate in a newline character.", bodyOf(5, 11).replaceAll("\n", "\r\n"), 400],
  ["The old size line MUST consist of the string `old`, ...", bodyOf(5, 11).slice(1), 400],
  ["... a single space, ...", bodyOf(5, 11).replace("old ", "old  "), 400],
  ["... an ASCII decimal with no leading zeroes", bodyOf(5, 11).replace("old 5", "old 05"), 400],
  ["(unless the size is zero: `0`).", bodyOf(5, 11).replace("old 5", "old 00"), 400],
  [
    "Each consistency proof line MUST encode a single hash in base64.",
    bodyOf(5, 11).replace(base64Of(pathOf(tree, 5, 11)[0]!), hexOf(pathOf(tree, 5, 11)[0]!)),
    400,
  ],
  [
    "The client MUST NOT send more than 63 consistency proof lines.",
    bodyOf(5, 11, { path: Array(64).fill(zeros) }),
    400,
  ],
  [
    "The submitted checkpoint MAY include multiple signatures.",
    bodyOf(5, 11, { sign: (text) => [...keys.map((key) => key.sign(text)), stranger] }),
    200,
  ],
  [
    "signed-note: at least 16 signatures, of post-quantum size",
    bodyOf(5, 11, { sign: (text) => [...Array(16).fill(stranger), second.sign(text)] }),
    200,
  ],
  ["tlog-checkpoint: extension lines", bodyOf(5, 11, { extensions: ["a", "b \u00e9"] }), 200],
  [
    "The witness MUST verify the signature against the public key(s) it trusts.",
    bodyOf(5, 11, { sign: (text) => [second.sign(text)] }),
    200,
  ],
  [
    "It MUST ignore signatures from unknown keys.",
    bodyOf(5, 11, {
      sign: (text) => [stranger, { ...first.sign(text), name: "x" }, first.sign(text)],
    }),
    200,
  ],
  [
    "If the checkpoint origin is unknown, ... MUST respond with 404.",
    bodyOf(5, 11, { origin: "x y" }),
    404,
  ],
  [
    "MUST respond with 403 if no signature from a trusted key",
    bodyOf(5, 11, { sign: () => [stranger] }),
    403,
  ],
  [
    "... or a trusted key's name and ID match but the signature fails to verify",
    bodyOf(5, 11, { sign: (text) => [first.sign(text), broken(second.sign(text))] }),
    403,
  ],
  [
    "... also a second line by a key of which another verifies",
    bodyOf(5, 11, { sign: (text) => [first.sign(text), broken(first.sign(text))] }),
    403,
  ],
  ["The old size MUST be equal to or lower than the checkpoint size: 400.", bodyOf(12, 11), 400],
  ["If it doesn't match, ... 409: the tree size and a newline.", bodyOf(4, 11), 409, "5\n"],
  ["It MAY make a request with an old size of zero to obtain it.", bodyOf(0, 11), 409, "5\n"],
  [
    "If a Consistency Proof doesn't verify, ... 422.",
    bodyOf(5, 11, { path: pathOf(tree, 5, 11).toReversed() }),
    422,
  ],
  ["If a Consistency Proof doesn't verify, ... 422.", bodyOf(5, 11, { path: [] }), 422],
  ["If a Consistency Proof doesn't verify, ... 422.", bodyOf(5, 11, { root: zeros }), 422],
  [
    "If the old size matches ..., root hashes identical: 422.",
    bodyOf(5, 5, { root: concat(fork.root(5)) }),
    422,
  ],
  ["A proof from a size to itself is empty: 422.", bodyOf(5, 5, { path: [zeros] }), 422],
  ["If all the checks above pass, ... 200.", bodyOf(5, 5), 200],
];

/** The same for a witness that has cosigned nothing. */
const FIRST_RULES: typeof RULES = [
  ["(or zero if it never cosigned a checkpoint for that origin)", bodyOf(3, 5), 409, "0\n"],
  [
    "A checkpoint of size zero MUST have the root of the empty tree: 422.",
    bodyOf(0, 0, { root: zeros }),
    422,
  ],
  ["If the old size is zero, the proof MUST be empty: 422.", bodyOf(0, 5, { path: [zeros] }), 422],
  ["The empty tree is consistent with any tree.", bodyOf(0, 5), 200],
  ["A checkpoint of size zero", bodyOf(0, 0), 200],
];

for (const [rules, start] of [[RULES, standing], [FIRST_RULES, serve]] as const) {
  for (const [i, [sentence, body, status, text]] of rules.entries()) {
    Deno.test(`tlog-witness ${start.name} ${i}: ${sentence}`, async () => {
      const { post } = await start();
      const response = await post(body);
      const answer = await response.text();
      assert.equal(response.status, status, answer);
      if (text !== undefined) {
        assert.equal(answer, text);
        assert.equal(response.headers.get("Content-Type"), "text/x.tlog.size");
      }
      if (status === 200) {
        const note = parseNote(body.slice(body.indexOf("\n\n") + 2));
        // The cosignature MUST NOT omit the timestamp, and covers the whole text of the note.
        assert.equal(cosigned(answer, note.text), NOW);
      }
    });
  }
}

Deno.test("tlog-witness: a refused checkpoint leaves the record as it was", async () => {
  const { post, get } = await standing();
  const before = await (await get(ORIGIN)).text();
  for (const [, body, status] of RULES) if (status !== 200) await (await post(body)).body?.cancel();
  assert.equal(await (await get(ORIGIN)).text(), before);
  assert.equal((await post(bodyOf(5, 11))).status, 200);
});

Deno.test("tlog-witness: the request MUST be an HTTP POST, and for monitors an HTTP GET", async () => {
  const { app, get } = serve();
  assert.equal((await app(new Request("http://w.example/add-checkpoint"))).status, 405);
  assert.equal((await get(ORIGIN, "POST")).status, 405);
});

Deno.test("tlog-witness: a body of 128 KiB is read, and a text above 32 KiB refused", async () => {
  const { post } = serve();
  const sign = (text: string) => [...Array(19).fill(stranger), first.sign(text)];
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

Deno.test("tlog-witness: what is served is durable, and is stored again after an earlier program", async () => {
  const path = `${await Deno.makeTempDir()}/state.kv`;
  const root = concat(tree.root(5));
  let state = await openOrCreateState(path);
  const text = textOf(5, { extensions: ["x".repeat(30_000)] });
  try {
    // As earlier programs stored it.
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
