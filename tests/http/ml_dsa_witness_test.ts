/** A witness with a further key of ML-DSA-44: c2sp.org/tlog-witness and the routes of its gateway. */

import assert from "node:assert/strict";
import { concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { verifyMlDsa } from "../../src/proof/crypto/ml_dsa.ts";
import { MlDsaSigner } from "../../src/proof/crypto/ml_dsa_signer.ts";
import { encodeAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import { encodeLogCheckpoint } from "../../src/proof/format/log_checkpoint.ts";
import { parseNote, parseSignatureLine, splitCosignature } from "../../src/proof/format/note.ts";
import { NOTE_TYPE, parseVkey } from "../../src/proof/format/note_key.ts";
import { noteSignature } from "../../src/proof/format/note_writer.ts";
import type { SignSubtree } from "../../src/proof/format/sign_subtree.ts";
import { encodeSignSubtree } from "../proof/format/sign_subtree_body.ts";
import { encodeSubtreeMessage } from "../../src/proof/format/subtree_cosignature.ts";
import { witnessApp } from "../../src/http/witness/witness_app.ts";
import { cosignMembers } from "../../src/http/outgoing/witness_client.ts";
import { verifyNote } from "../../src/proof/verify/note.ts";
import { bls, nativeCrypto } from "../schemes.ts";
import { BlsSigner } from "../../src/proof/crypto/bls_signer.ts";
import {
  forkedTree,
  pathOf,
  signerOf,
  StandingClock,
  TestLog,
  testWitness,
  WITNESS_ID,
} from "../witness/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";

const log = new TestLog();
const tree = forkedTree("tree", 4, 40);
const mlDsa = await MlDsaSigner.of(new Uint8Array(32).fill(5));
const ED25519 = {
  name: WITNESS_ID,
  type: NOTE_TYPE.cosignature,
  publicKey: signerOf(WITNESS_ID).publicKey,
};
const ML_DSA = {
  name: WITNESS_ID,
  type: NOTE_TYPE.mlDsaCosignature,
  publicKey: mlDsa.publicKey,
};

function serve(
  options: Parameters<typeof testWitness>[0] = {},
) {
  const clock = new StandingClock();
  const witness = testWitness({ state: new MemoryWitnessState(), clock, mlDsa, ...options });
  const app = witnessApp({ witness, token: "t".repeat(24), clock, report: () => {} });
  const ask = (path: string, init?: RequestInit) =>
    app(new Request(`http://witness.example${path}`, init));
  const post = (body: string) => ask("/add-checkpoint", { method: "POST", body });
  return { ask, post, clock };
}

function bodyOf(by: TestLog, from: number, to: number, extensions: string[] = []): string {
  const { root_hash, tree_size: size } = by.head(tree, to);
  const root = Uint8Array.fromHex(root_hash);
  const text = encodeLogCheckpoint({ origin: by.origin, size, root, extensions });
  const key = { name: by.origin, type: NOTE_TYPE.ed25519, publicKey: by.signer.publicKey };
  return encodeAddCheckpoint({
    oldSize: from,
    consistencyPath: pathOf(tree, from, to),
    checkpoint: { text, signatures: [noteSignature(key, by.signer.sign(utf8(text)))] },
  });
}

Deno.test("POST /add-checkpoint answers a line of each key, of one time, for growth and refreshes", async () => {
  const { post, clock } = serve();
  let from = 0;
  for (const [to, extensions] of [[0, []], [5, []], [5, []], [32, ["extension"]]] as const) {
    const body = bodyOf(log, from, to, [...extensions]);
    const response = await post(body);
    assert.equal(response.status, 200);
    const lines = (await response.text()).split("\n");
    assert.equal(lines.pop(), "");
    const signatures = lines.map(parseSignatureLine);
    const { text } = parseNote(body.slice(body.indexOf("\n\n") + 2));
    const result = await verifyNote(nativeCrypto, [ED25519, ML_DSA], { text, signatures });
    assert.deepEqual(
      result.lines.map(({ key, timestamp }) => [key.type, timestamp]),
      [[NOTE_TYPE.cosignature, clock.seconds], [NOTE_TYPE.mlDsaCosignature, clock.seconds]],
    );
    // The specification's message: the witness says that it is the largest tree at this time.
    const { signature } = splitCosignature(signatures[1]!.payload)!;
    const message = encodeSubtreeMessage({
      cosigner: WITNESS_ID,
      timestamp: clock.seconds,
      origin: log.origin,
      start: 0,
      end: to,
      root: Uint8Array.fromHex(log.head(tree, to).root_hash),
    });
    assert(await verifyMlDsa(mlDsa.publicKey, message, signature));
    clock.seconds += 1000;
    from = to;
  }
});

Deno.test("a checkpoint with 16 signatures of ML-DSA-87, the largest, is cosigned", async () => {
  const { post } = serve();
  const body = bodyOf(log, 0, 5);
  const line = `\u2014 other.example ${new Uint8Array(4 + 8 + 4627).fill(1).toBase64()}\n`;
  const response = await post(body + line.repeat(15));
  assert.equal(response.status, 200, await response.clone().text());
  assert.equal((await response.text()).split("\n").length, 3);
});

Deno.test("GET of the monitoring interface has both lines of the checkpoint cosigned last", async () => {
  const { ask, post } = serve();
  assert.equal((await post(bodyOf(log, 0, 5))).status, 200);
  const response = await ask(`/${hexOf(sha256(utf8(log.origin)))}/checkpoint`);
  const note = parseNote(await response.text());
  const { valid, lines, unknown } = await verifyNote(nativeCrypto, [ED25519, ML_DSA], note);
  assert.deepEqual([valid, lines.length, unknown], [true, 2, 1]);
});

Deno.test("POST /v1/cosign answers both signatures, and /v1/info names the key", async () => {
  const { ask, clock } = serve();
  const request = log.request(tree, 0, 5);
  const answers = [];
  for (let i = 0; i < 2; i++) {
    const response = await ask("/v1/cosign", {
      method: "POST",
      headers: { "Authorization": `Bearer ${"t".repeat(24)}`, "Content-Type": "application/json" },
      body: JSON.stringify(cosignMembers(i === 0 ? request : { ...request, oldSize: 5 })),
    });
    assert.equal(response.status, 200);
    answers.push(await response.json());
  }
  const message = encodeSubtreeMessage({
    cosigner: WITNESS_ID,
    timestamp: clock.seconds,
    origin: log.origin,
    start: 0,
    end: 5,
    root: Uint8Array.fromHex(request.treeHead.root_hash),
  });
  const signature = Uint8Array.fromHex(answers[0].ml_dsa_signature);
  assert(await verifyMlDsa(mlDsa.publicKey, message, signature));
  // A repeated request gets the same signatures.
  assert.deepEqual(answers[1], answers[0]);
  const { ml_dsa_vkey } = await (await ask("/v1/info")).json();
  assert.deepEqual(parseVkey(ml_dsa_vkey, [NOTE_TYPE.mlDsaCosignature]), ML_DSA);
});

Deno.test("an origin that the message cannot name gets the Ed25519 line alone", async () => {
  const long = new TestLog(`log.example/${"x".repeat(300)}`);
  const { post } = serve({ logs: [log.witnessed, long.witnessed] });
  const response = await post(bodyOf(long, 0, 5));
  const lines = (await response.text()).trimEnd().split("\n");
  assert.equal(lines.length, 1);
  assert.equal(parseSignatureLine(lines[0]!).payload.length, 8 + 64);
});

Deno.test("a bls witness takes no ML-DSA-44 key", () => {
  const signer = new BlsSigner(bls, new Uint8Array(32).fill(1));
  assert.throws(() => testWitness({ signer, mlDsa }), { code: "invalid_configuration" });
});

Deno.test("POST /sign-subtree cosigns the subtrees of a checkpoint that the witness cosigned", async () => {
  const { ask, post } = serve();
  const sign = (body: string) => ask("/sign-subtree", { method: "POST", body });
  assert.equal((await post(bodyOf(log, 0, 32))).status, 200);
  const own = await ask(`/${hexOf(sha256(utf8(log.origin)))}/checkpoint`);
  const cosigned = parseNote(await own.text());
  const leaf = (index: number) => concat(tree.leaves[index]!);
  // The leaves 6 and 7 in the tree of 32; their siblings, lowest first.
  const root = concat(tree.hash(6, 8));
  const path = [[4, 6], [0, 4], [8, 16], [16, 32]].map(([start, end]) =>
    concat(tree.hash(start!, end!))
  );
  const request: SignSubtree = { start: 6, end: 8, root, path, checkpoint: cosigned };
  const codeOf = async (change: Partial<SignSubtree>) => {
    const response = await sign(encodeSignSubtree({ ...request, ...change }));
    const text = await response.text();
    return response.status === 200 ? text : [response.status, JSON.parse(text).code];
  };
  const line = await codeOf({});
  assert(typeof line === "string", JSON.stringify(line));
  const { name, payload } = parseSignatureLine(line.slice(0, -1));
  const { timestamp, signature } = splitCosignature(payload)!;
  assert.deepEqual([name, timestamp], [WITNESS_ID, 0]);
  const message = encodeSubtreeMessage({
    cosigner: WITNESS_ID,
    timestamp: 0,
    origin: log.origin,
    start: 6,
    end: 8,
    root,
  });
  assert(await verifyMlDsa(mlDsa.publicKey, message, signature));

  // Either own line is enough, none is not, and one that fails refuses all.
  const [logLine, ed25519, further] = cosigned.signatures;
  const withLines = (...signatures: typeof cosigned.signatures) => ({
    checkpoint: { ...cosigned, signatures },
  });
  for (const one of [ed25519!, further!]) {
    assert.equal(typeof await codeOf(withLines(one)), "string");
  }
  const refused = [403, "log_signature_refused"];
  assert.deepEqual(await codeOf(withLines(logLine!)), refused);
  const broken = { ...further!, payload: further!.payload.with(99, further!.payload[99]! ^ 1) };
  assert.deepEqual(await codeOf(withLines(ed25519!, broken)), refused);
  const other = cosigned.text.replace("\n32\n", "\n33\n");
  assert.deepEqual(await codeOf({ checkpoint: { ...cosigned, text: other } }), refused);
  const unknown = cosigned.text.replace(log.origin, "log.example/other");
  assert.deepEqual(await codeOf({ checkpoint: { ...cosigned, text: unknown } }), [
    404,
    "origin_unknown",
  ]);

  const wrong = [422, "consistency_refused"];
  assert.deepEqual(await codeOf({ root: leaf(6) }), wrong);
  assert.deepEqual(await codeOf({ path: path.slice(1) }), wrong);
  assert.deepEqual(await codeOf({ path: [...path, root] }), wrong);
  assert.deepEqual(await codeOf({ start: 4, end: 6 }), wrong);
  for (const [start, end] of [[6, 6], [7, 9], [5, 7], [32, 33], [0, 64]]) {
    assert.deepEqual(
      await codeOf({ start: start!, end: end! }),
      [400, "malformed_text"],
      `${start}`,
    );
  }
  assert.equal((await sign("subtree 6 8\n")).status, 400);
  assert.equal((await ask("/sign-subtree")).status, 405);
  const plain = witnessApp({
    witness: testWitness({ clock: new StandingClock() }),
    token: "t".repeat(24),
    clock: new StandingClock(),
    report: () => {},
  });
  const path404 = new Request("http://witness.example/sign-subtree", { method: "POST", body: "x" });
  assert.equal((await plain(path404)).status, 404);
});
