/**
 * Points of small order on E(Fp) and E'(Fp2): on the curve, outside the groups of order r. Their
 * pairing is one, so a verifier without a subgroup check accepts a signature or a key plus such a
 * point.
 *
 * @module
 */

import {
  G1,
  type G1Point,
  G2,
  type G2Point,
  H1,
  H2,
  multiple,
  pointOfG1,
  pointOfG2,
  R,
} from "./bls_oracle.ts";

/** The prime factors of H1. All but 3 divide it twice, and then E(Fp)[l] is Z_l x Z_l. */
export const G1_PRIMES = [3n, 11n, 10177n, 859267n, 52437899n] as const;

/** The prime factors of H2 below 2^20, and the rest. 13 and 23 divide it twice, as above. */
export const G2_PRIMES = [
  13n,
  23n,
  2713n,
  11953n,
  262069n,
  H2 / (13n * 23n) ** 2n / 2713n / 11953n / 262069n,
] as const;

/** The part of `order` that is prime to `prime`, which divides it once or twice. */
function without(order: bigint, prime: bigint): bigint {
  const once = order / prime;
  return once % prime === 0n ? once / prime : once;
}

/** `count` points of order `prime` on E(Fp), from the smallest x coordinates. */
export function smallOrderG1(prime: bigint, count: number): G1Point[] {
  const points: G1Point[] = [];
  for (let x = 1n; points.length < count; x++) {
    const seed = pointOfG1(x);
    if (seed === undefined) continue;
    const point = multiple(seed, R * without(H1, prime), G1.ZERO);
    if (!point.is0()) points.push(point);
  }
  return points;
}

/** `count` points of order `prime` on E'(Fp2), from small x coordinates. */
export function smallOrderG2(prime: bigint, count: number): G2Point[] {
  const points: G2Point[] = [];
  for (let c0 = 1n; points.length < count; c0++) {
    const seed = pointOfG2(c0, 1n);
    if (seed === undefined) continue;
    const point = multiple(seed, R * without(H2, prime), G2.ZERO);
    if (!point.is0()) points.push(point);
  }
  return points;
}

interface Addable<Point> {
  add(other: Point): Point;
  is0(): boolean;
}

/**
 * Every point of order l on a curve with l-torsion Z_l x Z_l: l^2 - 1 of them. An endomorphism has
 * other eigenvalues on other lines of that plane, so a subgroup check by endomorphism could fail on
 * some lines only.
 */
export function torsionPlane<Point extends Addable<Point>>(
  prime: bigint,
  spanning: readonly Point[],
  zero: Point,
): Point[] {
  const [first] = spanning;
  if (first === undefined) {
    throw new RangeError("Cannot span torsion: a point required, none found");
  }
  const line = multiplesOf(first, prime, zero);
  const second = spanning.find((point) => !line.some((other) => isSame(point, other)));
  if (second === undefined) throw new RangeError("Cannot span torsion: two lines required");
  const plane = multiplesOf(second, prime, zero).flatMap((a) => line.map((b) => a.add(b)));
  return plane.filter((point) => !point.is0());
}

function multiplesOf<Point extends Addable<Point>>(
  point: Point,
  count: bigint,
  zero: Point,
): Point[] {
  const points = [zero];
  while (points.length < count) points.push(points.at(-1)!.add(point));
  return points;
}

function isSame<Point>(a: Point, b: Point): boolean {
  return (a as { equals(other: Point): boolean }).equals(b);
}
