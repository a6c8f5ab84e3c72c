import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bytes, concat, utf8 } from "../../../src/base/bytes.ts";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import { encodeVkey, NOTE_TYPE, noteKeyId, parseVkey } from "../../../src/proof/format/note_key.ts";
import {
  blsWitnessKey,
  encodeNoteSecret,
  type NoteSecret,
  parseNoteSecret,
} from "../../../src/proof/format/note_secret.ts";
import { bls } from "../../schemes.ts";
import { bytes, names } from "./arbitraries.ts";
import { assertCanonical, assertRefused, damaged } from "./mutated_text.ts";
import { generateKey } from "../../../src/proof/crypto/bls_key_gen.ts";

// c2sp.org/signed-note, section "Verifier keys".
const VKEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
// golang.org/x/mod/sumdb/note, package documentation; the secret's base64 holds a "+".
const GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
// The key of Go's checksum database, in every Go toolchain; its base64 holds a "+" too.
const SUMDB_VKEY = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8";

const types = fc.constantFrom<number>(NOTE_TYPE.ed25519, NOTE_TYPE.cosignature);
const plain = { noNullPrototype: true } as const;
const keys = fc.record({ name: names(80), type: types, publicKey: bytes(32) }, plain);
const secrets: fc.Arbitrary<NoteSecret> = fc.record({
  name: names(80),
  type: types,
  seed: bytes(32),
}, plain);

function publicKeyOf(seed: Bytes): Bytes {
  return new Ed25519Signer(seed).publicKey;
}

function secretText(secret: NoteSecret): string {
  return encodeNoteSecret(secret, publicKeyOf(secret.seed));
}

Deno.test("published verifier keys are read and written", () => {
  for (const vkey of [VKEY, GO_VKEY, SUMDB_VKEY]) assert.equal(encodeVkey(parseVkey(vkey)), vkey);
  const key = parseVkey(VKEY);
  assert.deepEqual([key.name, key.type], ["example.com/foo", NOTE_TYPE.ed25519]);
  assert.equal(noteKeyId(key).toHex(), "530d903a");
});

Deno.test("a published private key is read, and its public key is the published one", () => {
  const secret = parseNoteSecret(GO_SECRET, publicKeyOf);
  const { name, type, seed } = secret;
  assert.equal(encodeVkey({ name, type, publicKey: publicKeyOf(seed) }), GO_VKEY);
  assert.equal(secretText(secret), GO_SECRET);
  assert.deepEqual(parseNoteSecret(`${GO_SECRET}\n`, publicKeyOf), secret);
});

Deno.test("one key of another type, or under another name, has another ID", () => {
  const key = parseVkey(VKEY);
  const ids = [
    key,
    { ...key, type: NOTE_TYPE.cosignature },
    { ...key, name: "example.com/fo" },
    { ...key, publicKey: parseVkey(GO_VKEY).publicKey },
  ].map((each) => noteKeyId(each).toHex());
  assert.equal(new Set(ids).size, 4);
});

Deno.test("every key is read as it was written", () => {
  fc.assert(fc.property(keys, (key) => assert.deepEqual(parseVkey(encodeVkey(key)), key)));
  fc.assert(fc.property(secrets, (secret) => {
    assert.deepEqual(parseNoteSecret(secretText(secret), publicKeyOf), secret);
  }));
});

Deno.test("a damaged key is refused, or is another one's only spelling", () => {
  fc.assert(
    fc.property(damaged(keys.map(encodeVkey)), (text) => {
      assertCanonical(text, parseVkey, encodeVkey, "invalid_key");
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(damaged(secrets.map(secretText)), (text) => {
      // A key file may end in one newline.
      const line = text.endsWith("\n") ? text.slice(0, -1) : text;
      const parse = () => parseNoteSecret(text, publicKeyOf);
      assertCanonical(line, parse, secretText, "invalid_key");
    }),
    { numRuns: 500 },
  );
});

Deno.test("every substring and every altered character of a verifier key is refused", () => {
  const parts: string[] = [];
  for (let start = 0; start <= VKEY.length; start++) {
    for (let end = start; end <= VKEY.length; end++) {
      if (end - start < VKEY.length) parts.push(VKEY.slice(start, end));
    }
  }
  const altered = Array.from(
    VKEY,
    (character, i) =>
      VKEY.slice(0, i) + String.fromCharCode(character.charCodeAt(0) + 1) + VKEY.slice(i + 1),
  );
  assertRefused([...parts, ...altered], parseVkey, "invalid_key");
});

Deno.test("keys of other types and lengths are refused with their right key ID", () => {
  const { name, publicKey } = parseVkey(VKEY);
  const others = [
    { name, type: 0x00, publicKey },
    { name, type: 0x02, publicKey },
    { name, type: 0x06, publicKey },
    { name, type: NOTE_TYPE.private, publicKey },
    { name, type: NOTE_TYPE.ed25519, publicKey: publicKey.slice(1) },
    { name, type: NOTE_TYPE.ed25519, publicKey: concat(publicKey, Uint8Array.of(0)) },
    { name, type: NOTE_TYPE.ed25519, publicKey: new Uint8Array() },
    { name: "", type: NOTE_TYPE.ed25519, publicKey },
    { name: "a b", type: NOTE_TYPE.ed25519, publicKey },
    { name: "a\u0085b", type: NOTE_TYPE.ed25519, publicKey },
    { name: "a+b", type: NOTE_TYPE.ed25519, publicKey },
  ];
  assertRefused(others.map(encodeVkey), parseVkey, "invalid_key");
});

Deno.test("a private key whose ID is not that of its public key is refused", () => {
  const damagedSeed = GO_SECRET.replace("AYEK", "AYEL");
  const texts = [
    damagedSeed,
    GO_SECRET.replace("c74f20a3", "c74f20a4"),
    `${GO_SECRET}\n\n`,
    GO_VKEY,
  ];
  assertRefused(texts, (text) => parseNoteSecret(text, publicKeyOf), "invalid_key");
});

Deno.test("private keys of other types and lengths are refused with their right key ID", () => {
  const { name, seed } = parseNoteSecret(GO_SECRET, publicKeyOf);
  const fixed = parseVkey(GO_VKEY).publicKey;
  const others: NoteSecret[] = [
    { name, type: 0x00, seed },
    { name, type: 0x02, seed },
    { name, type: NOTE_TYPE.private, seed: seed.slice(1) },
    { name, type: NOTE_TYPE.ed25519, seed: seed.slice(1) },
    { name, type: NOTE_TYPE.ed25519, seed: new Uint8Array() },
    { name: "a b", type: NOTE_TYPE.ed25519, seed },
  ];
  const texts = others.map((secret) => encodeNoteSecret(secret, fixed));
  assertRefused(texts, (text) => parseNoteSecret(text, () => fixed), "invalid_key");
});

Deno.test("no message about a private key quotes it", () => {
  for (const text of [GO_SECRET.slice(0, -2), `${GO_SECRET} `]) {
    assert.throws(() => parseNoteSecret(text, publicKeyOf), (error) => {
      assert(error instanceof Error);
      assert(!error.message.includes("AYEK") && !error.message.includes("PeterNeumann"));
      assert.equal(error.cause, undefined);
      return true;
    });
  }
});

Deno.test("the private key of a bls witness is of type 0xff and its identifier, and reads back", () => {
  const seed = generateKey(new Uint8Array(32).fill(1));
  const publicKey = bls.skToPk(seed);
  const name = "log.example/w1";
  const secret = { name, type: NOTE_TYPE.private, seed };
  const text = encodeNoteSecret(secret, publicKey);
  const typed = concat(Uint8Array.of(0xff), utf8("countersign/bls-witness/v1"));
  const id = portableKernels.sha256(concat(utf8(`${name}\n`), typed, publicKey)).slice(0, 4);
  assert.equal(text, `PRIVATE+KEY+${name}+${id.toHex()}+${concat(typed, seed).toBase64()}`);
  assert.deepEqual(noteKeyId(blsWitnessKey(name, publicKey)), id);
  const derive = (seed: Bytes, type: number) => {
    assert.equal(type, NOTE_TYPE.private);
    return bls.skToPk(seed);
  };
  assert.deepEqual(parseNoteSecret(`${text}\n`, derive), secret);
  // Without its identifier, under another one, and as a key of another type.
  const damaged = [
    concat(Uint8Array.of(0xff), seed),
    concat(Uint8Array.of(0xff), utf8("countersign/bls-witness/v2"), seed),
    concat(Uint8Array.of(0x04), utf8("countersign/bls-witness/v1"), seed),
  ].map((bytes) => `PRIVATE+KEY+${name}+${id.toHex()}+${bytes.toBase64()}`);
  assertRefused(
    damaged,
    (damagedText) => parseNoteSecret(damagedText, () => publicKey),
    "invalid_key",
  );
  const zero = encodeNoteSecret({ ...secret, seed: new Uint8Array(32) }, publicKey);
  assertRefused([zero], (zeroText) => parseNoteSecret(zeroText, derive), "invalid_key");
});
