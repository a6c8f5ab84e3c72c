/**
 * Valid and invalid encodings of points of G1 and G2, with the expected verdict.
 *
 * @module
 */

import { concat } from "../../../src/base/bytes.ts";
import {
  bigEndian,
  COMPRESSED,
  encodeG1,
  encodeG2,
  encodingOfG1,
  encodingOfG2,
  G1,
  type G1Point,
  G2,
  type G2Point,
  H1,
  H2,
  INFINITY,
  multiple,
  P,
  pointOfG1,
  pointOfG2,
  R,
  SIGN,
} from "./bls_oracle.ts";
import { BOUNDARY_SCALARS } from "./bls_scalars.ts";
import { G1_PRIMES, G2_PRIMES, smallOrderG1, smallOrderG2, torsionPlane } from "./bls_torsion.ts";

export interface Encoding {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** True for the encoding of a point of the group other than the identity. */
  readonly valid: boolean;
}

const ALL_FLAGS = [0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0] as const;
const FIELD_LIMIT = 2n ** 381n;
const BOUNDARY_VALUES = [0n, 1n, 2n, 3n, 4n, P - 2n, P - 1n] as const;

function entry(name: string, bytes: Uint8Array, valid: boolean): Encoding {
  return { name, bytes, valid };
}

/** A valid encoding with every other combination of flags. The other sign is valid too. */
function flagged(name: string, bytes: Uint8Array): Encoding[] {
  return ALL_FLAGS.map((flags) => {
    const changed = Uint8Array.from(bytes);
    changed[0] = flags | changed[0]! & 0x1f;
    const valid = flags === COMPRESSED || flags === (COMPRESSED | SIGN);
    return entry(`${name} with flags ${flags.toString(16)}`, changed, valid);
  });
}

/** A valid encoding with wrong lengths. */
function resized(name: string, bytes: Uint8Array): Encoding[] {
  const zero = Uint8Array.of(0);
  return [
    entry(`${name} without its last byte`, bytes.subarray(0, -1), false),
    entry(`${name} without its first byte`, bytes.subarray(1), false),
    entry(`${name} with a byte behind`, concat(bytes, zero), false),
    entry(`${name} with a byte before`, concat(zero, bytes), false),
    entry(`${name} twice`, concat(bytes, bytes), false),
    entry(`${name}, half`, bytes.subarray(0, bytes.length / 2), false),
    entry(`${name}, first byte`, bytes.subarray(0, 1), false),
    entry("nothing", new Uint8Array(), false),
  ];
}

/** The identity with every combination of flags, and with junk after the right ones. */
function identities(length: number): Encoding[] {
  const bare = ALL_FLAGS.map((flags) => {
    const bytes = new Uint8Array(length);
    bytes[0] = flags;
    return entry(`zero with flags ${flags.toString(16)}`, bytes, false);
  });
  const junk = Array.from({ length }, (_, index) => {
    const bytes = new Uint8Array(length);
    bytes[0] = COMPRESSED | INFINITY;
    bytes[index]! |= 1;
    return entry(`identity with a bit in byte ${index}`, bytes, false);
  });
  return [...bare, ...junk];
}

function repeated(byte: number, length: number): Encoding {
  return entry(`all ${byte.toString(16)}`, new Uint8Array(length).fill(byte), false);
}

function isInG1(point: G1Point | undefined): boolean {
  return point !== undefined && multiple(point, R, G1.ZERO).is0();
}

function isInG2(point: G2Point | undefined): boolean {
  return point !== undefined && multiple(point, R, G2.ZERO).is0();
}

function bothSigns(encode: (flags: number) => Encoding): Encoding[] {
  return [encode(COMPRESSED), encode(COMPRESSED | SIGN)];
}

/** Members of G1: multiples of the generator, and points whose cofactor was cleared. */
function membersOfG1(): Encoding[] {
  const multiples = BOUNDARY_SCALARS.map((scalar) =>
    entry(`[${scalar}]G1`, encodeG1(multiple(G1.BASE, scalar, G1.ZERO)), true)
  );
  const cleared = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].flatMap((x) => {
    const point = pointOfG1(x);
    if (point === undefined) return [];
    return [entry(`[h1](${x}, y)`, encodeG1(multiple(point, H1, G1.ZERO)), true)];
  });
  return [...multiples, ...cleared];
}

function membersOfG2(): Encoding[] {
  const multiples = BOUNDARY_SCALARS.map((scalar) =>
    entry(`[${scalar}]G2`, encodeG2(multiple(G2.BASE, scalar, G2.ZERO)), true)
  );
  const cleared = [1n, 2n, 3n, 4n, 5n, 6n].flatMap((c0) => {
    const point = pointOfG2(c0, 1n);
    if (point === undefined) return [];
    return [entry(`[h2](${c0} + u, y)`, encodeG2(multiple(point, H2, G2.ZERO)), true)];
  });
  return [...multiples, ...cleared];
}

/** A member whose x coordinate leaves room for x + p below 2^381. */
function lowMemberOfG1(): { readonly x: bigint; readonly flags: number } {
  for (let point = G1.BASE;; point = point.add(G1.BASE)) {
    const { x } = point.toAffine();
    if (x < FIELD_LIMIT - P) return { x, flags: encodeG1(point)[0]! & 0xe0 };
  }
}

/** A member whose c1 and c0 both leave room for another p. */
function lowMemberOfG2(): { readonly c0: bigint; readonly c1: bigint; readonly flags: number } {
  for (let point = G2.BASE;; point = point.add(G2.BASE)) {
    const { x: { c0, c1 } } = point.toAffine();
    if (c1 < FIELD_LIMIT - P) return { c0, c1, flags: encodeG2(point)[0]! & 0xe0 };
  }
}

function unreducedG1(): Encoding[] {
  const { x, flags } = lowMemberOfG1();
  return [
    entry("a member of G1", encodingOfG1(x, flags), true),
    entry("a member of G1 with x + p", encodingOfG1(x + P, flags), false),
    ...[P, P + 1n, P + 2n, P + 4n, FIELD_LIMIT - 1n].flatMap((value) =>
      bothSigns((sign) => entry(`x = ${value}`, encodingOfG1(value, sign), false))
    ),
  ];
}

function unreducedG2(): Encoding[] {
  const { c0, c1, flags } = lowMemberOfG2();
  // The first three bits of c0 are not flags, but give a number above p.
  const more = [1n, 2n, 3n].map((times) => c0 + times * P).filter((value) => value < 2n ** 384n);
  return [
    entry("a member of G2", encodingOfG2(c0, c1, flags), true),
    entry("a member of G2 with c1 + p", encodingOfG2(c0, c1 + P, flags), false),
    ...more.map((value) =>
      entry(`a member of G2 with c0 = ${value}`, encodingOfG2(value, c1, flags), false)
    ),
    ...[383n, 382n, 381n].map((bit) =>
      entry(`a member of G2 with bit ${bit} of c0`, encodingOfG2(c0 + 2n ** bit, c1, flags), false)
    ),
    ...[P, P + 1n, FIELD_LIMIT - 1n].flatMap((value) => [
      ...bothSigns((sign) => entry(`c1 = ${value}`, encodingOfG2(c0, value, sign), false)),
      ...bothSigns((sign) => entry(`c0 = ${value}`, encodingOfG2(value, c1, sign), false)),
      ...bothSigns((sign) => entry(`c0 = c1 = ${value}`, encodingOfG2(value, value, sign), false)),
    ]),
  ];
}

function boundaryG1(): Encoding[] {
  return BOUNDARY_VALUES.flatMap((x) => {
    const valid = isInG1(pointOfG1(x));
    return bothSigns((sign) => entry(`x = ${x}`, encodingOfG1(x, sign), valid));
  });
}

function boundaryG2(): Encoding[] {
  return BOUNDARY_VALUES.flatMap((c0) =>
    BOUNDARY_VALUES.flatMap((c1) => {
      const valid = isInG2(pointOfG2(c0, c1));
      return bothSigns((sign) => entry(`x = ${c0} + ${c1}u`, encodingOfG2(c0, c1, sign), valid));
    })
  );
}

/**
 * Every point of the small torsion groups and some of the larger ones, alone and added to a member.
 */
function outsideG1(): Encoding[] {
  const points = [
    ...smallOrderG1(3n, 1),
    ...torsionPlane(11n, smallOrderG1(11n, 8), G1.ZERO),
    ...G1_PRIMES.slice(2).flatMap((prime) => smallOrderG1(prime, 4)),
  ];
  return points.flatMap((point) => [
    entry("a point of small order on E", encodeG1(point), false),
    entry("a member of G1 and a small order", encodeG1(point.add(G1.BASE)), false),
  ]);
}

function outsideG2(): Encoding[] {
  const points = [
    ...torsionPlane(13n, smallOrderG2(13n, 8), G2.ZERO),
    ...torsionPlane(23n, smallOrderG2(23n, 8), G2.ZERO).filter((_, index) => index % 3 === 0),
    ...G2_PRIMES.slice(2).flatMap((prime) => smallOrderG2(prime, 2)),
  ];
  return points.flatMap((point) => [
    entry("a point of small order on E'", encodeG2(point), false),
    entry("a member of G2 and a small order", encodeG2(point.add(G2.BASE)), false),
  ]);
}

/** The uncompressed forms, which are always refused. */
function uncompressed(): { readonly g1: Encoding[]; readonly g2: Encoding[] } {
  const a = G1.BASE.toAffine();
  const b = G2.BASE.toAffine();
  const g1 = concat(bigEndian(a.x, 48), bigEndian(a.y, 48));
  const g2 = concat(
    ...[b.x.c1, b.x.c0, b.y.c1, b.y.c0].map((value) => bigEndian(value, 48)),
  );
  const all = (name: string, bytes: Uint8Array) =>
    flagged(name, bytes).map((encoding) => ({ ...encoding, valid: false }));
  return { g1: all("G1 uncompressed", g1), g2: all("G2 uncompressed", g2) };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** Encodings of signatures, 48 bytes when valid. */
export const encodingsOfG1 = once((): readonly Encoding[] => [
  ...membersOfG1(),
  ...flagged("G1", encodeG1(G1.BASE)),
  ...resized("G1", encodeG1(G1.BASE)),
  ...identities(48),
  ...resized("identity of G1", encodingOfG1(0n, COMPRESSED | INFINITY)),
  ...boundaryG1(),
  ...unreducedG1(),
  ...outsideG1(),
  ...uncompressed().g1,
  repeated(0xff, 48),
  repeated(0x80, 48),
]);

/** Encodings of public keys, 96 bytes when valid. */
export const encodingsOfG2 = once((): readonly Encoding[] => [
  ...membersOfG2(),
  ...flagged("G2", encodeG2(G2.BASE)),
  ...resized("G2", encodeG2(G2.BASE)),
  ...identities(96),
  ...resized("identity of G2", encodingOfG2(0n, 0n, COMPRESSED | INFINITY)),
  ...boundaryG2(),
  ...unreducedG2(),
  ...outsideG2(),
  ...uncompressed().g2,
  // A point of E(Fp) is on another curve than one of E'(Fp2) with the same x.
  entry("x of G1", encodingOfG2(G1.BASE.toAffine().x, 0n, COMPRESSED), false),
  repeated(0xff, 96),
  repeated(0x80, 96),
]);
