/** ML-DSA-44 cosignatures (c2sp.org/tlog-cosignature) in notes and tlog-proofs of any log. */

import assert from "node:assert/strict";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { leafHash } from "../../../src/proof/crypto/hashing.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { MlDsaSigner } from "../../../src/proof/crypto/ml_dsa_signer.ts";
import { utf8 } from "../../../src/base/bytes.ts";
import { encodeLogCheckpoint } from "../../../src/proof/format/log_checkpoint.ts";
import { parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { type NoteSignature, parseNote } from "../../../src/proof/format/note.ts";
import {
  encodeVkey,
  NOTE_TYPE,
  type NoteKey,
  parseVkey,
} from "../../../src/proof/format/note_key.ts";
import {
  cosignatureLine,
  encodeNote,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { encodeSubtreeMessage } from "../../../src/proof/format/subtree_cosignature.ts";
import { cosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { verifyNote } from "../../../src/proof/verify/note.ts";
import { verifyTlogProof } from "../../../src/proof/verify/tlog_proof.ts";
import { nativeCrypto } from "../../schemes.ts";

const ORIGIN = "log.example/one";
const TIME = 1_700_000_000;
const ENTRY = leafHash(portableKernels, utf8("the only entry"));
const CHECKPOINT = { origin: ORIGIN, size: 1, root: ENTRY, extensions: [] };
const TEXT = encodeLogCheckpoint(CHECKPOINT);

const LOG = new Ed25519Signer(new Uint8Array(32).fill(1));
const WITNESS = new Ed25519Signer(new Uint8Array(32).fill(2));
const LOG_KEY = { name: ORIGIN, type: NOTE_TYPE.ed25519, publicKey: LOG.publicKey };
const WITNESS_KEY = { name: "w", type: NOTE_TYPE.cosignature, publicKey: WITNESS.publicKey };
const LOG_LINE = noteSignature(LOG_KEY, LOG.sign(utf8(TEXT)));
const WITNESS_LINE = cosignatureLine(
  WITNESS_KEY,
  TIME,
  WITNESS.sign(utf8(cosignatureMessage(TIME, TEXT))),
);

async function mlDsa(name: string, seed: number): Promise<{ key: NoteKey; signer: MlDsaSigner }> {
  const signer = await MlDsaSigner.of(new Uint8Array(32).fill(seed));
  return { key: { name, type: NOTE_TYPE.mlDsaCosignature, publicKey: signer.publicKey }, signer };
}

async function lineOf(
  { key, signer }: Awaited<ReturnType<typeof mlDsa>>,
  timestamp = TIME,
): Promise<NoteSignature> {
  const { origin, size: end, root } = CHECKPOINT;
  const message = encodeSubtreeMessage({
    cosigner: key.name,
    timestamp,
    origin,
    start: 0,
    end,
    root,
  });
  return cosignatureLine(key, timestamp, await signer.sign(message));
}

Deno.test("a verifier key of type 0x06 is read where it is expected", async () => {
  const { key } = await mlDsa("w", 3);
  const vkey = encodeVkey(key);
  assert.deepEqual(parseVkey(vkey, [NOTE_TYPE.mlDsaCosignature]), key);
  assert.throws(() => parseVkey(vkey), { code: "invalid_key" });
  const short = encodeVkey({ ...key, publicKey: key.publicKey.slice(1) });
  assert.throws(() => parseVkey(short, [NOTE_TYPE.mlDsaCosignature]), { code: "invalid_key" });
});

Deno.test("an ML-DSA-44 cosignature verifies, and a note with any damaged one is refused", async () => {
  const cosigner = await mlDsa("w", 3);
  const line = await lineOf(cosigner);
  assert.equal(line.payload.length, 8 + 2420);
  const verify = (...signatures: NoteSignature[]) =>
    verifyNote(nativeCrypto, [LOG_KEY, WITNESS_KEY, cosigner.key], { text: TEXT, signatures });
  const { valid, lines, unknown } = await verify(LOG_LINE, WITNESS_LINE, line);
  assert.deepEqual([valid, unknown], [true, 0]);
  assert.deepEqual(lines.map(({ key, timestamp }) => [key.type, timestamp]), [
    [NOTE_TYPE.ed25519, undefined],
    [NOTE_TYPE.cosignature, TIME],
    [NOTE_TYPE.mlDsaCosignature, TIME],
  ]);
  for (let at = 0; at < line.payload.length; at += at < 16 ? 1 : 97) {
    const payload = line.payload.with(at, line.payload[at]! ^ 1);
    const { reason, field } = await verify(LOG_LINE, { ...line, payload });
    assert.deepEqual([reason, field], ["signature_invalid", "signatures[1]"], `byte ${at}`);
  }
  for (const payload of [line.payload.slice(0, -1), new Uint8Array(8), new Uint8Array(7)]) {
    assert.equal((await verify(LOG_LINE, { ...line, payload })).reason, "signature_invalid");
  }
});

Deno.test("an ML-DSA-44 cosignature covers name, origin, size, root and time, not extension lines", async () => {
  const cosigner = await mlDsa("w", 3);
  const line = await lineOf(cosigner);
  const isValid = async (text: string, keys = [cosigner.key], signature = line) =>
    (await verifyNote(nativeCrypto, keys, { text, signatures: [signature] })).valid;
  assert(await isValid(TEXT));
  assert(await isValid(encodeLogCheckpoint({ ...CHECKPOINT, extensions: ["extension"] })));
  assert(!await isValid(encodeLogCheckpoint({ ...CHECKPOINT, origin: "log.example/two" })));
  assert(!await isValid(encodeLogCheckpoint({ ...CHECKPOINT, size: 2 })));
  assert(!await isValid(encodeLogCheckpoint({ ...CHECKPOINT, root: new Uint8Array(32) })));
  assert(!await isValid("no checkpoint\n"));
  const other = await mlDsa("v", 3);
  const renamed = { ...line, name: "v", keyId: (await lineOf(other)).keyId };
  assert(!await isValid(TEXT, [other.key], renamed));
});

Deno.test("a line of type 0x06 by an unknown key is ignored", async () => {
  const line = await lineOf(await mlDsa("w", 3));
  const note = {
    text: TEXT,
    signatures: [LOG_LINE, line, { ...line, payload: new Uint8Array(9) }],
  };
  assert.deepEqual(parseNote(encodeNote(note)), note);
  const { valid, unknown } = await verifyNote(nativeCrypto, [LOG_KEY, WITNESS_KEY], note);
  assert.deepEqual([valid, unknown], [true, 2]);
});

Deno.test("a policy may name log and witness by keys of type 0x06", async () => {
  const [log, witness] = [await mlDsa(ORIGIN, 4), await mlDsa("w", 5)];
  const policy = parseLogPolicy(utf8([
    `log ${encodeVkey(log.key)}`,
    `log ${encodeVkey(LOG_KEY)}`,
    `witness one ${encodeVkey(WITNESS_KEY)} https://w.example/`,
    `witness one-ml-dsa ${encodeVkey(witness.key)} https://w.example/`,
    "group w all one one-ml-dsa",
    "quorum w",
    "",
  ].join("\n")));
  const verdictOf = (...signatures: NoteSignature[]) => {
    const checkpoint = encodeNote({ text: TEXT, signatures });
    const proof = { index: 0, path: [], checkpoint };
    return verifyTlogProof(nativeCrypto, policy, proof, ENTRY);
  };
  const [logLine, witnessLine] = [await lineOf(log), await lineOf(witness)];
  const { valid, cosigners } = await verdictOf(logLine, WITNESS_LINE, witnessLine);
  assert(valid);
  assert.deepEqual(cosigners.map(({ name }) => name), ["one", "one-ml-dsa"]);
  assert((await verdictOf(LOG_LINE, WITNESS_LINE, witnessLine)).valid);
  const { reason } = await verdictOf(LOG_LINE, witnessLine);
  assert.equal(reason, "threshold_not_met");
  // A witness's line is none of the log.
  assert.equal((await verdictOf(WITNESS_LINE, witnessLine)).reason, "log_signature_missing");
});
