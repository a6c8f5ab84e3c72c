import assert from "node:assert/strict";
import fc from "fast-check";
import { KeyedHash, wordsOf } from "../../src/gateway/index/keyed_hash.ts";

function hashOf(key: Uint8Array, digest: Uint8Array): string {
  const hash = new KeyedHash(key);
  hash.hash(wordsOf(new Uint8Array(digest)), 0);
  return hash.high.toString(16).padStart(8, "0") + hash.low.toString(16).padStart(8, "0");
}

const counting = (length: number) => Uint8Array.from({ length }, (_, i) => i);

/** HalfSipHash-2-4 as in its paper, with arbitrary-precision integers. */
function reference(key: Uint8Array, message: Uint8Array): string {
  const mask = 0xffffffffn;
  const rotate = (x: bigint, by: bigint) => ((x << by) | (x >> (32n - by))) & mask;
  const word = (bytes: Uint8Array, at: number) =>
    [3, 2, 1, 0].reduce((value, i) => value << 8n | BigInt(bytes[at + i]!), 0n);
  let [v0, v1, v2, v3] = [
    word(key, 0),
    word(key, 4) ^ 0xeen,
    0x6c796765n ^ word(key, 0),
    0x74656462n ^ word(key, 4),
  ];
  const rounds = (count: number) => {
    for (let i = 0; i < count; i++) {
      v0 = v0 + v1 & mask;
      v1 = rotate(v1, 5n) ^ v0;
      v0 = rotate(v0, 16n);
      v2 = v2 + v3 & mask;
      v3 = rotate(v3, 8n) ^ v2;
      v0 = v0 + v3 & mask;
      v3 = rotate(v3, 7n) ^ v0;
      v2 = v2 + v1 & mask;
      v1 = rotate(v1, 13n) ^ v2;
      v2 = rotate(v2, 16n);
    }
  };
  const padded = [...message, 0, 0, 0, message.length];
  for (let at = 0; at < padded.length; at += 4) {
    const m = word(Uint8Array.from(padded), at);
    v3 ^= m;
    rounds(2);
    v0 ^= m;
  }
  v2 ^= 0xeen;
  rounds(4);
  const low = v1 ^ v3;
  v1 ^= 0xddn;
  rounds(4);
  return (v1 ^ v3).toString(16).padStart(8, "0") + low.toString(16).padStart(8, "0");
}

Deno.test("KeyedHash is HalfSipHash-2-4 of 64 bits, by its authors' vector", () => {
  // github.com/veorq/SipHash, vectors.h, vectors_hsip64, the entry of 32 bytes; little-endian.
  const vector = Uint8Array.fromHex("2870 9d46 d811 626c".replaceAll(" ", ""));
  const expected = vector.toReversed().toHex();
  assert.equal(hashOf(counting(8), counting(32)), expected);
  assert.equal(reference(counting(8), counting(32)), expected);
});

Deno.test("KeyedHash agrees with the definition for any key and digest", () => {
  const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
  fc.assert(fc.property(bytes(8), bytes(32), (key, digest) => {
    assert.equal(hashOf(key, digest), reference(key, digest));
  }));
  for (const fill of [0, 0x7f, 0x80, 0xff]) {
    const key = new Uint8Array(8).fill(fill);
    const digest = new Uint8Array(32).fill(fill);
    assert.equal(hashOf(key, digest), reference(key, digest));
  }
});

Deno.test("KeyedHash depends on every bit of its key and of the digest", () => {
  const seen = new Set([hashOf(counting(8), counting(32))]);
  for (let bit = 0; bit < 8 * 40; bit++) {
    const all = new Uint8Array([...counting(8), ...counting(32)]);
    all[bit >> 3]! ^= 1 << (bit & 7);
    seen.add(hashOf(all.slice(0, 8), all.slice(8)));
  }
  assert.equal(seen.size, 1 + 8 * 40);
});

Deno.test("KeyedHash hashes the digest at the given offset", () => {
  const hash = new KeyedHash(counting(8));
  const words = wordsOf(new Uint8Array([...new Uint8Array(32), ...counting(32)]));
  hash.hash(words, 8);
  const { high, low } = hash;
  hash.hash(wordsOf(counting(32)), 0);
  assert.deepEqual([high, low], [hash.high, hash.low]);
});

Deno.test("wordsOf() reads digests at any offset of their buffer", () => {
  const buffer = new Uint8Array(70);
  for (let offset = 0; offset < 6; offset++) {
    buffer.set(counting(32), offset);
    assert.deepEqual(wordsOf(buffer.subarray(offset, offset + 32)), wordsOf(counting(32)));
  }
});
