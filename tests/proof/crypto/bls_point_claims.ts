/**
 * Properties of points: encodings, membership, sums, hashing and signing.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8 } from "../../../src/base/bytes.ts";
import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { BLS_SIGNATURE_DST } from "../../../src/proof/crypto/domains.ts";
import { type Claim, sampled } from "./bls_claim.ts";
import { encodingsOfG1, encodingsOfG2 } from "./bls_encodings.ts";
import {
  encodeG1,
  encodeG2,
  encodingOfG1,
  encodingOfG2,
  G1,
  G2,
  H1,
  H2,
  hashedToG1,
  multiple,
  negated,
  P,
  pointOfG1,
  pointOfG2,
  R,
  scalarBytes,
  signatureOf,
} from "./bls_oracle.ts";
import { BOUNDARY_SCALARS } from "./bls_scalars.ts";

/** Lists of scalars whose sums reach the special cases of addition formulas. */
const SUMS: readonly (readonly bigint[])[] = [
  [1n],
  [5n, 7n],
  [5n, 5n],
  [5n, 5n, 5n],
  [5n, 5n, 10n],
  [5n, -5n, 3n],
  [5n, 3n, -8n, 4n],
  [-5n, -5n],
  [R - 1n, 2n],
  [1n, 1n, 1n, 1n, 1n, 1n, 1n, 1n],
  [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n, 13n, 14n, 15n, 16n, 17n],
  [(R - 1n) / 2n, (R - 1n) / 2n],
  // The sum is the identity.
  [5n, -5n],
  [1n, 2n, -3n],
  [5n, 5n, -10n],
  [(R - 1n) / 2n, (R + 1n) / 2n],
];

function modR(scalar: bigint): bigint {
  return ((scalar % R) + R) % R;
}

function inG1(scalar: bigint): Uint8Array {
  return encodeG1(multiple(G1.BASE, modR(scalar), G1.ZERO));
}

function inG2(scalar: bigint): Uint8Array {
  return encodeG2(multiple(G2.BASE, modR(scalar), G2.ZERO));
}

interface Adding {
  readonly add: (encodings: readonly Uint8Array[]) => Uint8Array | undefined;
  readonly point: (scalar: bigint) => Uint8Array;
  readonly refused: () => Uint8Array[];
}

function signatures(bls: Bls): Adding {
  const refused = () => encodingsOfG1().filter(({ valid }) => !valid).map(({ bytes }) => bytes);
  return { add: (encodings) => bls.aggregate(encodings), point: inG1, refused };
}

function keys(bls: Bls): Adding {
  const refused = () => encodingsOfG2().filter(({ valid }) => !valid).map(({ bytes }) => bytes);
  return { add: (encodings) => bls.aggregateKeys(encodings), point: inG2, refused };
}

function checkSums({ add, point }: Adding): void {
  assert.equal(add([]), undefined);
  for (const scalars of SUMS) {
    const sum = modR(scalars.reduce((a, b) => a + b, 0n));
    const expected = sum === 0n ? undefined : point(sum);
    assert.deepEqual(add(scalars.map(point)), expected, scalars.join(" + "));
  }
}

/** An encoding that is refused alone is refused at any position of a list. */
function checkRefusals({ add, point, refused }: Adding, stride: number): void {
  const [a, b] = [point(3n), point(4n)];
  for (const encoding of sampled(refused(), stride)) {
    assert.equal(add([encoding]), undefined);
    for (const list of [[encoding, a, b], [a, encoding, b], [a, b, encoding]]) {
      assert.equal(add(list), undefined, encoding.toHex());
    }
  }
}

/** Long lists, which exceed fixed buffers. */
function checkLongSums({ add, point }: Adding, stride: number): void {
  const points = [1n, 2n, 3n, 5n, 8n, 13n, 21n, R - 2n].map(point);
  const scalars = [1n, 2n, 3n, 5n, 8n, 13n, 21n, -2n];
  for (const length of sampled([63, 64, 65, 127, 129, 256, 1000, 2049, 5000], stride)) {
    const list = Array.from({ length: Math.ceil(length / stride) }, (_, i) => points[i % 8]!);
    const sum = list.reduce((total, _, i) => total + scalars[i % 8]!, 0n);
    assert.deepEqual(add(list), point(sum), `${list.length}`);
  }
}

/** DSTs up to the limit of RFC 9380 section 5.3.1 and, hashed by section 5.3.3, beyond. */
const DSTS = [1, 2, 31, 42, 43, 44, 63, 64, 65, 127, 128, 254, 255, 256, 300].map((length) =>
  "D".repeat(length - 1) + "_"
);

export const POINT_CLAIMS: readonly Claim[] = [
  {
    name: "signatureValidate accepts exactly the members of G1",
    check(bls) {
      const table = encodingsOfG1();
      assert.equal(table.length, 439);
      assert.equal(table.filter(({ valid }) => valid).length, 60);
      for (const { name, bytes, valid } of table) {
        assert.equal(bls.signatureValidate(bytes), valid, `${name}: ${bytes.toHex()}`);
      }
    },
  },
  {
    name: "keyValidate accepts exactly the members of G2",
    check(bls) {
      const table = encodingsOfG2();
      assert.equal(table.length, 1025);
      assert.equal(table.filter(({ valid }) => valid).length, 61);
      for (const { name, bytes, valid } of table) {
        assert.equal(bls.keyValidate(bytes), valid, `${name}: ${bytes.toHex()}`);
      }
    },
  },
  {
    name: "a random point of E is refused, and its multiple by h1 is accepted",
    check(bls, stride) {
      const coordinates = fc.bigInt({ min: 0n, max: P - 1n });
      fc.assert(
        fc.property(coordinates, fc.constantFrom(0x80, 0xa0), (x, flags) => {
          assert.equal(bls.signatureValidate(encodingOfG1(x, flags)), false);
          const point = pointOfG1(x);
          if (point === undefined) return;
          const cleared = multiple(point, H1, G1.ZERO);
          const member = encodeG1(cleared);
          assert.equal(bls.signatureValidate(member), !cleared.is0());
          assert.deepEqual(bls.aggregate([member]), cleared.is0() ? undefined : member);
        }),
        { numRuns: Math.ceil(300 / stride) },
      );
    },
  },
  {
    name: "a random point of E' is refused, and its multiple by h2 is accepted",
    check(bls, stride) {
      const coordinates = fc.bigInt({ min: 0n, max: P - 1n });
      fc.assert(
        fc.property(coordinates, coordinates, fc.constantFrom(0x80, 0xa0), (c0, c1, flags) => {
          assert.equal(bls.keyValidate(encodingOfG2(c0, c1, flags)), false);
          const point = pointOfG2(c0, c1);
          if (point === undefined) return;
          const cleared = multiple(point, H2, G2.ZERO);
          const member = encodeG2(cleared);
          assert.equal(bls.keyValidate(member), !cleared.is0());
          assert.deepEqual(bls.aggregateKeys([member]), cleared.is0() ? undefined : member);
        }),
        { numRuns: Math.ceil(100 / stride) },
      );
    },
  },
  { name: "aggregate adds in G1", check: (bls) => checkSums(signatures(bls)) },
  { name: "aggregateKeys adds in G2", check: (bls) => checkSums(keys(bls)) },
  {
    name: "aggregate refuses a list with any refused signature",
    check: (bls, stride) => checkRefusals(signatures(bls), stride),
  },
  {
    name: "aggregateKeys refuses a list with any refused key",
    check: (bls, stride) => checkRefusals(keys(bls), stride),
  },
  {
    name: "aggregate adds long lists",
    check: (bls, stride) => checkLongSums(signatures(bls), stride),
  },
  {
    name: "aggregateKeys adds long lists",
    check: (bls, stride) => checkLongSums(keys(bls), stride),
  },
  {
    name: "the aggregate of one signature is that signature",
    check(bls) {
      for (const { bytes, valid } of encodingsOfG1()) {
        if (valid) assert.deepEqual(bls.aggregate([bytes]), bytes);
      }
      for (const { bytes, valid } of encodingsOfG2()) {
        if (valid) assert.deepEqual(bls.aggregateKeys([bytes]), bytes);
      }
    },
  },
  {
    name: "hashToG1 hashes messages of every length from 0 to 300",
    check(bls, stride) {
      const lengths = sampled(Array.from({ length: 301 }, (_, index) => index), stride);
      for (const length of [0, 1, ...lengths, 4096, 100_000, 1_000_000]) {
        const message = Uint8Array.from({ length }, (_, index) => index * 5 + length);
        const expected = encodeG1(hashedToG1(message, BLS_SIGNATURE_DST));
        assert.deepEqual(bls.hashToG1(message, BLS_SIGNATURE_DST), expected, `${length}`);
      }
    },
  },
  {
    name: "hashToG1 accepts domain separation tags of every length",
    check(bls) {
      for (const dst of DSTS) {
        const expected = encodeG1(hashedToG1(utf8("abc"), dst));
        assert.deepEqual(bls.hashToG1(utf8("abc"), dst), expected, `${dst.length}`);
      }
    },
  },
  {
    name: "hashToG1 hashes random messages under random tags",
    check(bls, stride) {
      const tags = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 80 });
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), tags, (message, dst) => {
          assert.deepEqual(bls.hashToG1(message, dst), encodeG1(hashedToG1(message, dst)));
        }),
        { numRuns: Math.ceil(200 / stride) },
      );
    },
  },
  {
    name: "sign multiplies the hashed message by every boundary scalar",
    check(bls) {
      for (const scalar of BOUNDARY_SCALARS) {
        const expected = signatureOf(scalar, utf8("message"), BLS_SIGNATURE_DST);
        const found = bls.sign(scalarBytes(scalar), utf8("message"), BLS_SIGNATURE_DST);
        assert.deepEqual(found, expected, `${scalar}`);
      }
    },
  },
  {
    name: "sign multiplies random messages by random scalars",
    check(bls, stride) {
      const scalars = fc.bigInt({ min: 1n, max: R - 1n });
      fc.assert(
        fc.property(scalars, fc.uint8Array(), (scalar, message) => {
          const found = bls.sign(scalarBytes(scalar), message, BLS_SIGNATURE_DST);
          assert.deepEqual(found, signatureOf(scalar, message, BLS_SIGNATURE_DST));
        }),
        { numRuns: Math.ceil(200 / stride) },
      );
    },
  },
  {
    name: "signing by r - s negates",
    check(bls) {
      const minus = bls.sign(scalarBytes(R - 77n), utf8("m"), BLS_SIGNATURE_DST);
      assert.deepEqual(minus, negated(signatureOf(77n, utf8("m"), BLS_SIGNATURE_DST)));
      assert.deepEqual(bls.skToPk(scalarBytes(R - 77n)), negated(inG2(77n)));
    },
  },
];
