import assert from "node:assert/strict";
import fc from "fast-check";
import { base64Of } from "../../../src/base/bytes.ts";
import {
  type Note,
  parseNote,
  parseSignatureLine,
  splitCosignature,
} from "../../../src/proof/format/note.ts";
import {
  cosignatureLine,
  encodeNote,
  encodeSignatureLine,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { NOTE_TYPE, parseVkey } from "../../../src/proof/format/note_key.ts";
import { bytes, counts, names } from "./arbitraries.ts";
import { assertCanonical, assertRefused, damaged } from "./mutated_text.ts";

// c2sp.org/signed-note, section "Verifier keys".
const VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const LINE =
  "\u2014 example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZX" +
  "sYjOBH3mFXmRKuwHjG1Yu72IneyaQM=";
const NOTE = `This is an example message.\n\n${LINE}\n`;

const signatures = fc.record({
  name: fc.oneof(names(80), fc.constantFrom("é", "\u2014", "a\u200bb", "sum.golang.org")),
  keyId: bytes(4),
  payload: fc.uint8Array({ minLength: 1, maxLength: 80 }).map((value) => value.slice()),
}, { noNullPrototype: true });
const lines = fc.string({ unit: "binary", maxLength: 20 })
  .filter((line) => Array.from(line).every((character) => character >= " "));
const notes: fc.Arbitrary<Note> = fc.record({
  text: fc.array(lines, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join("\n")}\n`),
  signatures: fc.array(signatures, { minLength: 1, maxLength: 4 }),
}, { noNullPrototype: true });

Deno.test("the note of the specification is taken apart", () => {
  const { text, signatures: [only, ...others] } = parseNote(NOTE);
  assert.equal(text, "This is an example message.\n");
  assert.equal(others.length, 0);
  assert.equal(only?.name, "example.com/foo");
  assert.equal(only.keyId.toHex(), "530d903a");
  assert.equal(only.payload.length, 64);
  assert.equal(encodeNote(parseNote(NOTE)), NOTE);
  assert.deepEqual(noteSignature(parseVkey(VKEY), only.payload), only);
});

Deno.test("every note is read as it was written", () => {
  fc.assert(fc.property(notes, (note) => assert.deepEqual(parseNote(encodeNote(note)), note)));
});

Deno.test("a damaged note is refused, or is another one's only spelling", () => {
  fc.assert(
    fc.property(damaged(notes.map(encodeNote)), (text) => {
      assertCanonical(text, parseNote, encodeNote, "malformed_text");
    }),
    { numRuns: 3000 },
  );
});

Deno.test("the last empty line separates text and signatures", () => {
  const { text, signatures: found } = parseNote(`one\n\n${LINE}\n\n${LINE}\n${LINE}\n`);
  assert.equal(text, `one\n\n${LINE}\n`);
  assert.equal(found.length, 2);
  assert.equal(parseNote(`\n\n${LINE}\n`).text, "\n");
});

Deno.test("other spellings of a note are refused", () => {
  const refused = [
    "",
    "\n",
    "\n\n",
    LINE,
    `${LINE}\n`,
    `\n${LINE}\n`,
    "text\n\n",
    NOTE.slice(0, -1),
    `${NOTE}\n`,
    `${NOTE}text\n`,
    NOTE.replaceAll("\n", "\r\n"),
    NOTE.replace("message", "mess\tage"),
    NOTE.replace("message", "mess\u0000age"),
    NOTE.replace("message", "mess\u001fage"),
    NOTE.replace("message", "mess\ud800age"),
    NOTE.replace("\u2014", "-"),
    NOTE.replace("\u2014", "\u2013"),
    NOTE.replace("\u2014 ", "\u2014"),
    NOTE.replace("\u2014 ", "\u2014  "),
    NOTE.replace("\u2014 ", "\u2014\u00a0"),
    NOTE.replace("/foo ", "/foo  "),
    NOTE.replace("/foo", "/f+oo"),
    NOTE.replace("/foo", "/f\u2003oo"),
    NOTE.replace("/foo", "/f\u0085oo"),
    NOTE.replace("/foo", "/f\u00a0oo"),
    NOTE.replace("example.com/foo", ""),
    NOTE.replace("QM=", "QM"),
    NOTE.replace("QM=", "QN="),
    NOTE.replace("QM=", "QM=="),
    NOTE.replace("Uw2Q", "Uw-Q"),
    // A key ID and nothing after it.
    `text\n\n\u2014 name ${base64Of(new Uint8Array(4))}\n`,
    `text\n\n\u2014 name AAAA\n`,
  ];
  assertRefused(refused, parseNote, "malformed_text");
  assert(!refused.includes(NOTE));
});

Deno.test("sixteen signatures and many more are read, and not without bound", () => {
  for (const count of [1, 16, 17, 256]) {
    assert.equal(parseNote(`text\n\n${`${LINE}\n`.repeat(count)}`).signatures.length, count);
  }
  assertRefused([`text\n\n${`${LINE}\n`.repeat(257)}`], parseNote, "malformed_text");
});

Deno.test("a signature as long as those of ML-DSA-44 is read; a note beyond a megabyte is not", () => {
  const long = { name: "pq", keyId: new Uint8Array(4), payload: new Uint8Array(2432) };
  assert.deepEqual(parseSignatureLine(encodeSignatureLine(long).trimEnd()), long);
  const rest = `\n\n${LINE}\n`;
  const text = "x".repeat(2 ** 20 - rest.length);
  assert.equal(parseNote(text + rest).text, `${text}\n`);
  assertRefused([`${text}x${rest}`], parseNote, "malformed_text");
});

Deno.test("a cosignature line holds eight bytes of time, big-endian, before the signature", () => {
  const key = { ...parseVkey(VKEY), type: NOTE_TYPE.cosignature };
  fc.assert(fc.property(counts, bytes(64), (timestamp, signature) => {
    const { payload } = cosignatureLine(key, timestamp, signature);
    assert.equal(payload.length, 72);
    assert.equal(new DataView(payload.buffer).getBigUint64(0), BigInt(timestamp));
    assert.deepEqual(splitCosignature(payload), { timestamp, signature });
  }));
  // The example of c2sp.org/tlog-cosignature.
  const { payload } = parseSignatureLine(
    "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJ" +
      "sX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==",
  );
  assert.equal(splitCosignature(payload)?.timestamp, 1_679_315_147);
});

Deno.test("a payload too short, or of a time of 2^53 or more, is no cosignature", () => {
  const time = (bits: bigint) => {
    const payload = new Uint8Array(72);
    new DataView(payload.buffer).setBigUint64(0, bits);
    return payload;
  };
  assert.equal(splitCosignature(time(2n ** 53n - 1n))?.timestamp, 2 ** 53 - 1);
  for (const bits of [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]) {
    assert.equal(splitCosignature(time(bits)), undefined);
  }
  assert.equal(splitCosignature(new Uint8Array(8)), undefined);
  assert.equal(splitCosignature(new Uint8Array()), undefined);
  // A view into a larger buffer is read at its own place.
  assert.equal(splitCosignature(time(7n << 8n).subarray(1))?.timestamp, 7 * 65536);
});
