import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { encodeAddCheckpoint } from "../../src/proof/format/add_checkpoint.ts";
import {
  type NoteSignature,
  parseSignatureLine,
  splitCosignature,
} from "../../src/proof/format/note.ts";
import { encodeNote, noteSignature } from "../../src/proof/format/note_writer.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../../src/proof/format/note_key.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
} from "../../src/proof/format/tree_head.ts";
import { witnessApp } from "../../src/http/witness/witness_app.ts";
import type { ReferenceTree } from "../proof/merkle/reference.ts";
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
import { MemoryWitnessState } from "../witness/memory_state.ts";

const log = new TestLog();
const stranger = new TestLog("log.example/stranger");
const tree = forkedTree("tree", 4, 40);
const fork = forkedTree("fork", 4, 40);
const witnessKey: NoteKey = {
  name: WITNESS_ID,
  type: NOTE_TYPE.cosignature,
  publicKey: signerOf(WITNESS_ID).publicKey,
};

function keyOf({ origin, signer }: TestLog): NoteKey {
  return { name: origin, type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
}

/** What a test wants otherwise than an honest request of {@linkcode log}. */
interface Change {
  readonly by?: TestLog;
  readonly source?: ReferenceTree;
  readonly path?: readonly Uint8Array<ArrayBuffer>[];
  readonly signatures?: (honest: NoteSignature) => readonly NoteSignature[];
  readonly root?: string;
}

function bodyOf(from: number, to: number, change: Change = {}): string {
  const { by = log, source = tree } = change;
  const head = by.head(source, to);
  const text = encodeCheckpointBody({ ...head, root_hash: change.root ?? head.root_hash });
  const honest = noteSignature(keyOf(by), by.signer.sign(utf8(text)));
  return encodeAddCheckpoint({
    oldSize: from,
    consistencyPath: change.path ?? pathOf(source, from, to),
    checkpoint: { text, signatures: change.signatures?.(honest) ?? [honest] },
  });
}

function serve(state = new MemoryWitnessState()) {
  const clock = new StandingClock();
  const app = witnessApp({
    witness: testWitness({ state, clock }),
    token: "unused",
    clock,
    report: () => {},
  });
  const post = (body: string) =>
    app(new Request("http://witness.example/add-checkpoint", { method: "POST", body }));
  return { post, clock, state };
}

async function refused(response: Response, status: number, code: string): Promise<void> {
  const body = await response.json();
  assert.equal(response.status, status, JSON.stringify(body));
  assert.equal(body.code, code);
}

async function conflict(response: Response, size: number): Promise<void> {
  assert.equal(response.status, 409);
  assert.equal(response.headers.get("Content-Type"), "text/x.tlog.size");
  assert.equal(await response.text(), `${size}\n`);
}

async function cosigned(response: Response, source: ReferenceTree, size: number, time: number) {
  assert.equal(response.status, 200);
  const line = await response.text();
  assert.ok(line.endsWith("\n"));
  const { name, keyId, payload } = parseSignatureLine(line.slice(0, -1));
  assert.equal(name, WITNESS_ID);
  assert.deepEqual(keyId, noteKeyId(witnessKey));
  // c2sp.org/tlog-cosignature: 4 bytes of key ID, 8 of time, 64 of signature.
  assert.equal(payload.length, 72);
  const { timestamp, signature } = splitCosignature(payload)!;
  assert.equal(timestamp, time);
  const message = utf8(encodeCosignatureMessage(log.head(source, size, timestamp)));
  assert.ok(verifyNative(witnessKey.publicKey, message, signature));
}

Deno.test("POST /add-checkpoint cosigns growth and refreshes at the witness's own time", async () => {
  const { post, clock } = serve();
  let from = 0;
  for (const to of [0, 1, 4, 5, 5, 32, 40]) {
    await cosigned(await post(bodyOf(from, to)), tree, to, clock.seconds);
    clock.seconds += 1000;
    from = to;
  }
});

Deno.test("POST /add-checkpoint is 404 for an unknown origin", async () => {
  const { post } = serve();
  await refused(await post(bodyOf(0, 5, { by: stranger })), 404, "origin_unknown");
  // Even where the stranger's text would not be read any further.
  const body = bodyOf(0, 5).replace(log.origin, "go.sum database tree");
  await refused(await post(body), 404, "origin_unknown");
});

Deno.test("POST /add-checkpoint is 403 without a signature by the log's key", async () => {
  const { post } = serve();
  const strangers = noteSignature(keyOf(stranger), new Uint8Array(64));
  const broken = (honest: NoteSignature) => ({
    ...honest,
    payload: honest.payload.with(40, honest.payload[40]! ^ 1),
  });
  const sets: ((honest: NoteSignature) => readonly NoteSignature[])[] = [
    () => [strangers],
    (honest) => [{ ...honest, name: stranger.origin }],
    (honest) => [{ ...honest, keyId: strangers.keyId }],
    (honest) => [broken(honest)],
    // c2sp.org/signed-note: one known key that fails refuses the whole note.
    (honest) => [honest, broken(honest)],
    (honest) => [broken(honest), honest],
    (honest) => [{ ...honest, payload: honest.payload.slice(1) }],
  ];
  for (const signatures of sets) {
    await refused(await post(bodyOf(0, 5, { signatures })), 403, "log_signature_refused");
  }
  const extra = (honest: NoteSignature) => [...Array(20).fill(strangers), honest, honest];
  await cosigned(await post(bodyOf(0, 5, { signatures: extra })), tree, 5, NOW);
});

Deno.test("POST /add-checkpoint is 409 with its size for another old size", async () => {
  const { post } = serve();
  await conflict(await post(bodyOf(3, 5)), 0);
  await cosigned(await post(bodyOf(0, 5)), tree, 5, NOW);
  for (const from of [0, 4, 6, 11]) await conflict(await post(bodyOf(from, 11)), 5);
});

Deno.test("POST /add-checkpoint is 422 for a head that does not extend the last one", async () => {
  const { post } = serve();
  const junk = [new Uint8Array(32)];
  const zeros = "00".repeat(32);
  await refused(await post(bodyOf(0, 0, { root: zeros })), 422, "consistency_refused");
  await refused(await post(bodyOf(0, 0, { path: junk })), 422, "consistency_refused");
  await refused(await post(bodyOf(0, 5, { path: junk })), 422, "consistency_refused");
  await cosigned(await post(bodyOf(0, 5)), tree, 5, NOW);
  const changes: [number, Change][] = [
    [5, { source: fork }],
    [5, { path: junk }],
    [11, { source: fork }],
    [11, { path: [] }],
    [11, { path: pathOf(tree, 5, 11).toReversed() }],
    [11, { path: pathOf(tree, 4, 11) }],
    [11, { root: zeros }],
  ];
  for (const [to, change] of changes) {
    await refused(await post(bodyOf(5, to, change)), 422, "consistency_refused");
  }
  await cosigned(await post(bodyOf(5, 11)), tree, 11, NOW);
});

Deno.test("POST /add-checkpoint is 400 for a non-canonical body", async () => {
  const { post } = serve();
  const good = bodyOf(5, 11);
  const [hash] = pathOf(tree, 5, 11);
  const bodies = [
    "",
    "\n",
    good.slice(4),
    good.replace("old 5\n", "old 05\n"),
    good.replace("old 5\n", "old +5\n"),
    good.replace("old 5\n", "old 5 \n"),
    good.replace("old 5\n", "old  5\n"),
    good.replace("old 5\n", "OLD 5\n"),
    good.replace("old 5\n", "old 9007199254740992\n"),
    good.replace("old 5\n", "old 5\r\n"),
    good.replaceAll("\n", "\r\n"),
    good.replace(hash!.toBase64(), hash!.toHex()),
    good.replace(hash!.toBase64(), hash!.slice(1).toBase64()),
    good.replace(hash!.toBase64(), hash!.toBase64().replace("=", "")),
    bodyOf(5, 11, { path: Array(64).fill(new Uint8Array(32)) }),
    good.slice(0, -1),
    good.slice(0, good.indexOf("\u2014")),
    good.replace("\n11\n", "\n011\n"),
    good.replace("\n11\n", "\n11\n\n"),
  ];
  for (const body of bodies) await refused(await post(body), 400, "malformed_text");
  await refused(await post(bodyOf(12, 11)), 400, "malformed_request");
  // 63 hashes are read, and found to prove nothing.
  await conflict(await post(bodyOf(5, 11, { path: Array(63).fill(new Uint8Array(32)) })), 0);
});

Deno.test("POST /add-checkpoint and POST /v1/cosign share their state", async () => {
  const state = new MemoryWitnessState();
  const witness = testWitness({ state });
  const { post } = serve(state);
  await cosigned(await post(bodyOf(0, 5)), tree, 5, NOW);
  assert.deepEqual(await witness.cosign(log.request(tree, 0, 7)), {
    kind: "size_conflict",
    size: 5,
  });
  assert.equal((await witness.cosign(log.request(tree, 5, 7))).kind, "cosigned");
  assert.equal(await testWitness({ state }).cosignedSize(), 7);
});

Deno.test("POST /add-checkpoint accepts the body of c2sp.org/tlog-witness", () => {
  const hash = new Uint8Array(32).fill(1);
  const head = { network_id: log.origin, tree_size: 7, root_hash: "02".repeat(32) };
  const checkpoint = {
    text: encodeCheckpointBody(head),
    signatures: [noteSignature(keyOf(log), new Uint8Array(64))],
  };
  assert.equal(
    encodeAddCheckpoint({ oldSize: 5, consistencyPath: [hash, hash], checkpoint }),
    `old 5\n${hash.toBase64()}\n${hash.toBase64()}\n\n${encodeNote(checkpoint)}`,
  );
});
