import assert from "node:assert/strict";
import { concat, utf8 } from "../../../src/base/bytes.ts";
import { type Note, parseNote } from "../../../src/proof/format/note.ts";
import {
  cosignatureLine,
  encodeNote,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "../../../src/proof/format/note_key.ts";
import { cosignatureMessage } from "../../../src/proof/format/tree_head.ts";
import { verifyNote } from "../../../src/proof/verify/note.ts";
import { portableCrypto } from "../../../src/proof/verify/verifier_crypto.ts";
import { nativeCrypto, signerOf } from "./fixture.ts";

// Published notes with the keys that signed them.
const PUBLISHED = {
  // c2sp.org/signed-note, section "Verifier keys".
  specification: {
    vkey: "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    note: "This is an example message.\n\n" +
      "\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3" +
      "mFXmRKuwHjG1Yu72IneyaQM=\n",
  },
  // golang.org/x/mod/sumdb/note, package documentation.
  go: {
    vkey: "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    note: "If you think cryptography is the answer to your problem,\n" +
      "then you don't know what your problem is.\n\n" +
      "\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdng" +
      "otpRZb6KE6RyyBwJnAM=\n",
  },
} as const;

// sigsum-go, pkg/checkpoint: a checkpoint and the log's key.
const SIGSUM_ORIGIN =
  "sigsum.org/v1/tree/e796172b92befd62d9dc67e41c2f5bc9d3100a3023b20b1ca40288dd1c679e69";
const SIGSUM_KEY = "66e0b858e462a609e66fe71370c816d8846ff103d5499a22a7fec37fdbc424a7";
const SIGSUM_CHECKPOINT =
  `${SIGSUM_ORIGIN}\n10\nHA5HAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u2014 ${SIGSUM_ORIGIN} ` +
  "gJ2ho0n8F8olcerUF1FFdv235A/5as/coWrpLrtE7ovMeP5whgwouYExowG/lTznxu6OUGjjt5yJQ6bXtTcf718MqAQ=\n";

Deno.test("published notes verify, and fail with an added character", async () => {
  const crypto = await portableCrypto();
  for (const { vkey, note } of Object.values(PUBLISHED)) {
    const keys = [parseVkey(vkey)];
    const parsed = parseNote(note);
    assert.equal((await verifyNote(nativeCrypto, keys, parsed)).valid, true);
    assert.equal((await verifyNote(crypto, keys, parsed)).valid, true);
    const changed = { ...parsed, text: `.${parsed.text}` };
    assert.equal((await verifyNote(nativeCrypto, keys, changed)).reason, "signature_invalid");
  }
});

Deno.test("another implementation's checkpoint verifies", async () => {
  const publicKey = Uint8Array.fromHex(SIGSUM_KEY);
  const key: NoteKey = { name: SIGSUM_ORIGIN, type: NOTE_TYPE.ed25519, publicKey };
  const result = await verifyNote(nativeCrypto, [key], parseNote(SIGSUM_CHECKPOINT));
  assert.equal(result.valid, true);
});

function keyOf(name: string, type: number = NOTE_TYPE.ed25519): NoteKey {
  return { name, type, publicKey: signerOf(name).publicKey };
}

function signed(text: string, ...names: string[]): Note {
  return {
    text,
    signatures: names.map((name) => noteSignature(keyOf(name), signerOf(name).sign(utf8(text)))),
  };
}

async function judge(keys: readonly NoteKey[], note: Note) {
  const { valid, reason, lines, unknown } = await verifyNote(nativeCrypto, keys, note);
  return [valid, reason, lines.map(({ key }) => key.name), unknown];
}

Deno.test("a note signed by a known key is valid; other lines are ignored", async () => {
  const note = signed("a text\n", "alice.example", "bob.example");
  const [alice, bob, carol] = ["alice.example", "bob.example", "carol.example"].map((name) =>
    keyOf(name)
  );
  const names = ["alice.example", "bob.example"];
  assert.deepEqual(await judge([alice!, bob!], note), [true, undefined, names, 0]);
  assert.deepEqual(await judge([alice!], note), [true, undefined, ["alice.example"], 1]);
  assert.deepEqual(await judge([carol!], note), [false, "no_known_signature", [], 2]);
  assert.deepEqual(await judge([], note), [false, "no_known_signature", [], 2]);
});

Deno.test("a known key's wrong line makes a note with right lines invalid", async () => {
  const note = signed("a text\n", "alice.example", "bob.example");
  const [alice, bob] = note.signatures;
  const forged = { ...bob!, payload: alice!.payload };
  const keys = [keyOf("alice.example"), keyOf("bob.example")];
  for (const signatures of [[alice!, forged], [forged, alice!], [alice!, bob!, forged]]) {
    const result = await verifyNote(nativeCrypto, keys, { ...note, signatures });
    assert.deepEqual(result, {
      valid: false,
      reason: "signature_invalid",
      field: `signatures[${signatures.indexOf(forged)}]`,
      lines: [],
      unknown: 0,
    });
  }
  // The same bytes under an unknown name are ignored.
  assert.equal((await judge([keys[0]!], { ...note, signatures: [alice!, forged] }))[0], true);
});

Deno.test("a line belongs to a known key if name and key ID match", async () => {
  const note = signed("a text\n", "alice.example");
  const [line] = note.signatures;
  const otherId = { ...line!, keyId: Uint8Array.of(1, 2, 3, 4) };
  const otherName = { ...line!, name: "alice.example/x" };
  for (const other of [otherId, otherName]) {
    const result = await judge([keyOf("alice.example")], { ...note, signatures: [other] });
    assert.deepEqual(result, [false, "no_known_signature", [], 1]);
  }
});

Deno.test("more than sixteen lines are accepted", async () => {
  const names = Array.from({ length: 40 }, (_, i) => `signer.example/${i}`);
  const note = parseNote(encodeNote(signed("a text\n", ...names)));
  const [valid, , verified] = await judge(names.map((name) => keyOf(name)), note);
  assert.equal(valid, true);
  assert.deepEqual(verified, names);
});

Deno.test("a text with empty lines verifies as a whole", async () => {
  for (const text of ["\n", "\n\n", "a\n\nb\n", "a\n\n"]) {
    const note = parseNote(encodeNote(signed(text, "alice.example")));
    assert.equal(note.text, text);
    assert.equal((await judge([keyOf("alice.example")], note))[0], true);
  }
});

Deno.test("a cosignature covers its time and the whole text", async () => {
  const name = "witness.example/1";
  const key = keyOf(name, NOTE_TYPE.cosignature);
  // Extension lines are part of the cosigned text.
  const text = "log.example\n5\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\nextension\n";
  const signature = signerOf(name).sign(utf8(cosignatureMessage(1234, text)));
  const line = cosignatureLine(key, 1234, signature);
  const result = await verifyNote(nativeCrypto, [key], { text, signatures: [line] });
  assert.deepEqual([result.valid, result.lines[0]?.timestamp], [true, 1234]);
  const late = cosignatureLine(key, 1235, signature);
  assert.deepEqual(await judge([key], { text, signatures: [late] }), [
    false,
    "signature_invalid",
    [],
    0,
  ]);
});

Deno.test("a known key of an unsupported type makes the note invalid", async () => {
  const name = "witness.example/1";
  const cosigner = keyOf(name, NOTE_TYPE.cosignature);
  const text = "a text\n";
  const signature = signerOf(name).sign(utf8(cosignatureMessage(5, text)));
  for (const type of [0x02, 0x06, NOTE_TYPE.private]) {
    const key = { ...cosigner, type };
    const signatures = [cosignatureLine(key, 5, signature)];
    assert.equal((await judge([key], { text, signatures }))[1], "signature_invalid");
  }
});

Deno.test("a payload of another length, or a time of 2^53 or more, is invalid", async () => {
  const name = "witness.example/1";
  const key = keyOf(name, NOTE_TYPE.cosignature);
  const text = "a text\n";
  const [plain] = signed(text, name).signatures;
  const line = cosignatureLine(key, 5, signerOf(name).sign(utf8(cosignatureMessage(5, text))));
  const lateTime = concat(Uint8Array.of(0, 0x20, 0, 0, 0, 0, 0, 0), line.payload.subarray(8));
  for (
    const payload of [
      plain!.payload,
      line.payload.subarray(0, 8),
      line.payload.subarray(0, 71),
      concat(line.payload, Uint8Array.of(0)),
      lateTime,
    ]
  ) {
    const signatures = [{ ...line, payload: payload.slice() }];
    assert.equal((await judge([key], { text, signatures }))[1], "signature_invalid");
  }
});
