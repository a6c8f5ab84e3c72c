import { expand_message_xmd } from "@noble/curves/abstract/hash-to-curve.js";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";
import assert from "node:assert/strict";
import { uint64, utf8 } from "../../../src/base/bytes.ts";
import type { BlsCheck } from "../../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import { jsonVectors, vectorTest } from "../../vectors.ts";
import { sampled } from "./bls_claim.ts";
import { implementations } from "./bls_implementations.ts";
import { encodeG1, G1, negated, scalarBytes } from "./bls_oracle.ts";

interface HashVectors {
  readonly dst: string;
  readonly vectors: readonly {
    readonly P: { readonly x: string; readonly y: string };
    readonly msg: string;
  }[];
}

interface ExpandVectors {
  readonly DST: string;
  readonly tests: readonly {
    readonly msg: string;
    readonly len_in_bytes: string;
    readonly uniform_bytes: string;
  }[];
}

interface Quicknet {
  readonly public_key_g2: string;
  readonly dst: string;
  readonly rounds: readonly { readonly round: number; readonly signature: string }[];
}

/** The points of a file of RFC 9380, compressed, with the messages that hash to them. */
function hashed(bytes: Uint8Array): { dst: string; cases: [Uint8Array, Uint8Array][] } {
  const { dst, vectors } = jsonVectors<HashVectors>(bytes);
  assert.equal(vectors.length, 5);
  const cases = vectors.map(({ P: { x, y }, msg }): [Uint8Array, Uint8Array] => {
    const point = G1.fromAffine({ x: BigInt(x), y: BigInt(y) });
    return [utf8(msg), encodeG1(point)];
  });
  return { dst, cases };
}

const RFC9380 = "rfc9380/BLS12381G1_XMD_SHA-256_SSWU";

vectorTest("hashToG1 hashes as RFC 9380 says", `${RFC9380}_RO_.json`, (bytes) => {
  const { dst, cases } = hashed(bytes);
  for (const { name, bls } of implementations()) {
    for (const [message, point] of cases) {
      assert.deepEqual(bls.hashToG1(message, dst), point, name);
      assert.notDeepEqual(bls.hashToG1(message, BLS_SIGNATURE_DST), point, name);
    }
  }
});

vectorTest("the oracle encodes to G1 as RFC 9380 says", `${RFC9380}_NU_.json`, (bytes) => {
  const { dst, cases } = hashed(bytes);
  for (const [message, point] of cases) {
    assert.deepEqual(encodeG1(bls12_381.G1.encodeToCurve(message, { DST: dst })), point);
  }
});

for (const [length, count] of [[38, 10], [256, 10]] as const) {
  const file = `rfc9380/expand_message_xmd_SHA256_${length}.json`;
  vectorTest(`the oracle expands under a tag of ${length} as RFC 9380 says`, file, (bytes) => {
    const { DST, tests } = jsonVectors<ExpandVectors>(bytes);
    assert.equal(tests.length, count);
    assert.equal(DST.length, length);
    for (const { msg, len_in_bytes, uniform_bytes } of tests) {
      const uniform = expand_message_xmd(utf8(msg), utf8(DST), Number(len_in_bytes), sha256);
      assert.equal(uniform.toHex(), uniform_bytes);
    }
  });
}

/** Encodings of [0]B to [999]B for the generator B, `length` bytes each. */
function multiplesIn(bytes: Uint8Array, length: number): Uint8Array[] {
  assert.equal(bytes.length, 1000 * length);
  return Array.from({ length: 1000 }, (_, i) => bytes.slice(i * length, (i + 1) * length));
}

/**
 * Pairs of indices whose sum is also an index: neighbours, doubles, halves of every size, and
 * differences. [0] is the identity and never an operand.
 */
function sums(stride: number): [number, number][] {
  const indices = sampled([...Array(999).keys()].map((index) => index + 1), stride);
  return indices.flatMap((index): [number, number][] => [
    ...(index < 999 ? [[index, 1] as [number, number]] : []),
    ...(index < 500 ? [[index, index] as [number, number]] : []),
    ...(index < 999 ? [[index, 999 - index] as [number, number]] : []),
  ]);
}

const G1_MULTIPLES = "zkcrypto/g1_compressed_valid_test_vectors.dat";
const G2_MULTIPLES = "zkcrypto/g2_compressed_valid_test_vectors.dat";

vectorTest("zkcrypto's multiples in G1 are valid and add up", G1_MULTIPLES, (bytes) => {
  const multiples = multiplesIn(bytes, 48);
  for (const { name, bls, stride } of implementations()) {
    multiples.forEach((encoding, index) => {
      assert.equal(bls.signatureValidate(encoding), index !== 0, `${name} ${index}`);
    });
    for (const [a, b] of sums(stride)) {
      const sum = bls.aggregate([multiples[a]!, multiples[b]!]);
      assert.deepEqual(sum, multiples[a + b], `${name} ${a} + ${b}`);
      if (a === b) continue;
      const difference = bls.aggregate([multiples[a]!, negated(multiples[b]!)]);
      const expected = multiples[Math.abs(a - b)]!;
      assert.deepEqual(difference, a > b ? expected : negated(expected), `${name} ${a} - ${b}`);
    }
  }
});

vectorTest("zkcrypto's multiples in G2 are the keys of 1 to 999", G2_MULTIPLES, (bytes) => {
  const multiples = multiplesIn(bytes, 96);
  for (const { name, bls, stride } of implementations()) {
    multiples.forEach((encoding, index) => {
      if (index % 5 !== 0 && stride !== 1) return;
      assert.equal(bls.keyValidate(encoding), index !== 0, `${name} ${index}`);
    });
    for (const [a, b] of sums(stride)) {
      assert.deepEqual(bls.skToPk(scalarBytes(BigInt(a))), multiples[a], `${name} ${a}`);
      const sum = bls.aggregateKeys([multiples[a]!, multiples[b]!]);
      assert.deepEqual(sum, multiples[a + b], `${name} ${a} + ${b}`);
    }
  }
});

vectorTest("real drand beacons verify, and only as themselves", "drand-quicknet.json", (bytes) => {
  const { public_key_g2, dst, rounds } = jsonVectors<Quicknet>(bytes);
  const publicKey = Uint8Array.fromHex(public_key_g2);
  assert.equal(rounds.length, 4);
  const messageOf = (round: number) => sha256(uint64(round));
  const beacons = rounds.map(({ round, signature }) => ({
    publicKeys: [publicKey],
    message: messageOf(round),
    signature: Uint8Array.fromHex(signature),
  }));
  for (const { name, bls } of implementations()) {
    assert.equal(bls.keyValidate(publicKey), true, name);
    const verify = ({ message, signature }: BlsCheck, tag = dst) =>
      bls.verify(publicKey, message, signature, tag);
    beacons.forEach((beacon, index) => {
      assert.equal(verify(beacon), true, name);
      assert.equal(verify(beacon, BLS_SIGNATURE_DST), false, name);
      assert.equal(verify({ ...beacon, message: uint64(rounds[index]!.round) }), false, name);
      assert.equal(verify({ ...beacon, message: messageOf(rounds[index]!.round + 1) }), false);
      assert.equal(verify({ ...beacon, signature: negated(beacon.signature) }), false, name);
      const { signature } = beacons[(index + 1) % 4]!;
      assert.equal(verify({ ...beacon, signature }), false, name);
    });
    assert.deepEqual(bls.batchVerify(beacons, dst), [true, true, true, true], name);
    const mixed = beacons.with(2, { ...beacons[2]!, signature: beacons[3]!.signature });
    assert.deepEqual(bls.batchVerify(mixed, dst), [true, true, false, true], name);
    // The four under one key are one signature of the sum of their hashes, but not of any one
    // message.
    const sum = bls.aggregate(beacons.map(({ signature }) => signature));
    assert.equal(sum === undefined || verify({ ...beacons[0]!, signature: sum }), false, name);
  }
});
