/**
 * Implementations of the `bls` scheme with one fault each, which the suite must detect: missing
 * checks, lenient decoders, and a weak batch equation.
 *
 * @module
 */

import { bls12_381 } from "@noble/curves/bls12-381.js";
import { type Bytes, concat } from "../../../src/base/bytes.ts";
import type { Bls } from "../../../src/proof/crypto/bls.ts";
import { portableBls } from "../../../src/proof/crypto/portable_bls.ts";
import {
  encodeG1,
  encodeG2,
  G1,
  type G1Point,
  G2,
  type G2Point,
  hashedToG1,
  P,
  pointOfG1,
  pointOfG2,
} from "./bls_oracle.ts";

/** The checks of a decoder that an implementation can omit. */
interface Decoder {
  readonly subgroup: boolean;
  readonly identity: boolean;
  readonly canonical: boolean;
  readonly length: boolean;
}

const STRICT: Decoder = { subgroup: true, identity: true, canonical: true, length: true };

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytes.toHex()}`);
}

interface Decodable<Point> {
  readonly zero: Point;
  readonly length: number;
  readonly pointAt: (bytes: Uint8Array) => Point | undefined;
  readonly encode: (point: Point) => Bytes;
}

const IN_G1: Decodable<G1Point> = {
  zero: G1.ZERO,
  length: 48,
  pointAt: (bytes) => pointOfG1(numberOf(bytes) % P),
  encode: encodeG1,
};

const IN_G2: Decodable<G2Point> = {
  zero: G2.ZERO,
  length: 96,
  pointAt: (bytes) =>
    pointOfG2(numberOf(bytes.subarray(48)) % P, numberOf(bytes.subarray(0, 48)) % P),
  encode: encodeG2,
};

/** Decodes with the given checks only. */
function decoded<Point extends G1Point | G2Point>(
  bytes: Uint8Array,
  checks: Decoder,
  { zero, length, pointAt, encode }: Decodable<Point>,
): Point | undefined {
  if (checks.length ? bytes.length !== length : bytes.length < length) return undefined;
  const encoding = bytes.slice(0, length);
  const flags = encoding[0]! & 0xe0;
  if ((flags & 0x80) === 0) return undefined;
  if ((flags & 0x40) !== 0) return checks.identity ? undefined : zero;
  encoding[0]! &= 0x1f;
  let point = pointAt(encoding);
  if (point === undefined) return undefined;
  if ((encode(point)[0]! & 0x20) !== (flags & 0x20)) point = point.negate() as Point;
  if (checks.canonical && encode(point).toHex() !== bytes.slice(0, length).toHex()) {
    return undefined;
  }
  return checks.subgroup && !point.isTorsionFree() ? undefined : point;
}

function sumOf<Point extends G1Point | G2Point>(
  points: readonly (Point | undefined)[],
  checks: Decoder,
  { zero }: Decodable<Point>,
): Point | undefined {
  let sum = zero;
  for (const point of points) {
    if (point === undefined) return undefined;
    sum = sum.add(point as never) as Point;
  }
  return points.length === 0 || checks.identity && sum.is0() ? undefined : sum;
}

function isProductOne(pairs: readonly { g1: G1Point; g2: G2Point }[]): boolean {
  const { Fp12 } = bls12_381.fields;
  const nonzero = pairs.filter(({ g1, g2 }) => !g1.is0() && !g2.is0());
  if (nonzero.length === 0) return true;
  let product = Fp12.ONE;
  for (const { g1, g2 } of nonzero) {
    // Unlike noble's own pairing, this accepts points outside the subgroups.
    const lines = bls12_381.utils.calcPairingPrecomputes(new G2(g2.x, g2.y, G2.BASE.Z));
    const { x, y } = g1.toAffine();
    product = Fp12.mul(product, bls12_381.millerLoopBatch([[lines, x, y]]));
  }
  return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
}

/** A `Bls` whose decoders of signatures and keys make only these checks. */
function withDecoders(ofSignatures: Decoder, ofKeys: Decoder): Bls {
  const signature = (bytes: Uint8Array) => decoded(bytes, ofSignatures, IN_G1);
  const key = (bytes: Uint8Array) => decoded(bytes, ofKeys, IN_G2);
  const encodedSum = <Point extends G1Point | G2Point>(
    points: readonly (Point | undefined)[],
    checks: Decoder,
    group: Decodable<Point>,
  ) => {
    const sum = sumOf(points, checks, group);
    return sum === undefined ? undefined : group.encode(sum);
  };
  const bls: Bls = {
    ...portableBls,
    signatureValidate: (bytes) => signature(bytes) !== undefined,
    keyValidate: (bytes) => key(bytes) !== undefined,
    aggregate: (list) => encodedSum(list.map(signature), ofSignatures, IN_G1),
    aggregateKeys: (list) => encodedSum(list.map(key), ofKeys, IN_G2),
    verify: (publicKey, message, bytes, dst) =>
      bls.fastAggregateVerify([publicKey], message, bytes, dst),
    fastAggregateVerify(publicKeys, message, bytes, dst) {
      const g1 = signature(bytes);
      const g2 = sumOf(publicKeys.map(key), ofKeys, IN_G2);
      if (g1 === undefined || g2 === undefined) return false;
      return isProductOne([{ g1: g1.negate(), g2: G2.BASE }, { g1: hashedToG1(message, dst), g2 }]);
    },
    batchVerify: (checks, dst) =>
      checks.map(({ publicKeys, message, signature }) =>
        bls.fastAggregateVerify(publicKeys, message, signature, dst)
      ),
  };
  return bls;
}

/** A batch equation with the coefficients of `coefficientOf`, without bisection. */
function withCoefficients(coefficientOf: (index: number) => bigint): Bls["batchVerify"] {
  return (checks, dst) => {
    const alone = checks.map(({ publicKeys, message, signature }) =>
      portableBls.fastAggregateVerify(publicKeys, message, signature, dst)
    );
    const pairs: { g1: G1Point; g2: G2Point }[] = [];
    for (const [index, { publicKeys, message, signature }] of checks.entries()) {
      const g1 = decoded(signature, STRICT, IN_G1);
      const g2 = sumOf(publicKeys.map((key) => decoded(key, STRICT, IN_G2)), STRICT, IN_G2);
      if (g1 === undefined || g2 === undefined) return alone;
      const coefficient = coefficientOf(index);
      pairs.push({ g1: g1.multiplyUnsafe(coefficient).negate(), g2: G2.BASE });
      pairs.push({ g1: hashedToG1(message, dst).multiplyUnsafe(coefficient), g2 });
    }
    return isProductOne(pairs) ? checks.map(() => true) : alone;
  };
}

/** By name; each has only the named fault. `strict` has none: it is the negative control. */
export const RELATIVES: Readonly<Record<string, Bls>> = {
  strict: withDecoders(STRICT, STRICT),
  signaturesOfAnyOrder: withDecoders({ ...STRICT, subgroup: false }, STRICT),
  keysOfAnyOrder: withDecoders(STRICT, { ...STRICT, subgroup: false }),
  identitySignature: withDecoders({ ...STRICT, identity: false }, STRICT),
  identityKey: withDecoders(STRICT, { ...STRICT, identity: false }),
  unreducedSignature: withDecoders({ ...STRICT, canonical: false }, STRICT),
  unreducedKey: withDecoders(STRICT, { ...STRICT, canonical: false }),
  trailingSignature: withDecoders({ ...STRICT, length: false, canonical: false }, STRICT),
  equalCoefficients: { ...portableBls, batchVerify: withCoefficients(() => 1n) },
  countedCoefficients: {
    ...portableBls,
    batchVerify: withCoefficients((index) => BigInt(index + 1)),
  },
  oneTag: {
    ...portableBls,
    sign: (secretKey, message) => portableBls.sign(secretKey, message, "DST"),
    verify: (publicKey, message, signature) =>
      portableBls.verify(publicKey, message, signature, "DST"),
  },
  reducedSecret: {
    ...portableBls,
    skToPk: (secretKey) => portableBls.skToPk(reduced(secretKey)),
    sign: (secretKey, message, dst) => portableBls.sign(reduced(secretKey), message, dst),
  },
  sharedResults: withSharedResults(),
  keysCountedOnce: {
    ...portableBls,
    fastAggregateVerify: (publicKeys, message, signature, dst) =>
      portableBls.fastAggregateVerify(distinct(publicKeys), message, signature, dst),
  },
};

function reduced(secretKey: Uint8Array): Uint8Array {
  const scalar = numberOf(secretKey) % G1.Fn.ORDER;
  return Uint8Array.fromHex((scalar === 0n ? 1n : scalar).toString(16).padStart(64, "0"));
}

function distinct(keys: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(keys.map((key) => [key.toHex(), key])).values()];
}

/** Results are views of one buffer, like uncopied module memory. */
function withSharedResults(): Bls {
  const memory = new Uint8Array(96);
  const kept = (bytes: Uint8Array): Bytes => {
    memory.set(bytes);
    return memory.subarray(0, bytes.length);
  };
  return {
    ...portableBls,
    skToPk: (secretKey) => kept(portableBls.skToPk(secretKey)),
    hashToG1: (message, dst) => kept(portableBls.hashToG1(concat(message), dst)),
  };
}
