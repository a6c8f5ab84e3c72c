/**
 * Writes the constants of the curve in the element form of a build's field.
 *
 * @module
 */

import { X_DENOMINATOR, X_NUMERATOR, Y_DENOMINATOR, Y_NUMERATOR } from "./isogeny.ts";
import {
  centred,
  type Fp2,
  inverse,
  modulo,
  multiplyFp2,
  P,
  power,
  powerFp2,
  X,
} from "./parameters.ts";

/** The encoding of two elements of Fp, given as integers, in 64-bit words. */
export type PairEncoding = (lane0: bigint, lane1: bigint) => bigint[];

/** A constant's text: named words in static memory. */
export function wordsConstant(name: string, words: readonly bigint[]): string {
  const texts = words.map((word) => `0x${(word & (1n << 64n) - 1n).toString(16)}`);
  return `export const ${name}: usize = memory.data<u64>([${texts.join(", ")}], 16);\n`;
}

/** The words of an integer below 2^(64 count), least significant first. */
export function integerWords(value: bigint, count: number): bigint[] {
  return Array.from({ length: count }, (_, i) => value >> BigInt(64 * i) & (1n << 64n) - 1n);
}

function bytesConstant(name: string, bytes: readonly number[]): string {
  return `export const ${name}: usize = memory.data<u8>([${bytes.join(", ")}]);\n`;
}

/** Bits of one digit of an exponent at most. */
const WINDOW = 5;

/**
 * A public exponent in sliding windows: the number of its terms, and for each, from the most
 * significant, the squarings before it and its odd digit. A last digit may be 0.
 */
function exponentConstant(name: string, exponent: bigint): string {
  const bits = exponent.toString(2);
  const terms: number[] = [];
  let squarings = 0;
  for (let at = 0; at < bits.length;) {
    if (bits[at] === "0") {
      squarings++;
      at++;
      continue;
    }
    const digit = bits.slice(at, at + WINDOW).replace(/0+$/, "");
    terms.push(squarings + digit.length, parseInt(digit, 2));
    squarings = 0;
    at += digit.length;
  }
  if (squarings > 0) terms.push(squarings, 0);
  return bytesConstant(name, [terms.length / 2, ...terms]);
}

/** The cube root of unity by which (x, y) -> (beta x, y) multiplies points of order r by -X^2. */
const BETA = 0x5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688de17d813620a00022e01fffffffefffen;

const GENERATOR_G2: readonly [x: Fp2, y: Fp2] = [
  [
    0x024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8n,
    0x13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7en,
  ],
  [
    0x0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801n,
    0x0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79ben,
  ],
];

/** The curve E': y^2 = x^3 + A' x + B' of the simplified SWU map, and its Z (RFC 9380 8.8.1). */
const SSWU = {
  a: 0x144698a3b8e9433d693a02c96d4982b0ea985383ee66a8d8e8981aefd881ac98936f8da0e0f97f5cf428082d584c1dn,
  b: 0x12e2908d11688030018b12e8753eee3b2016c1f0f24f4070a0b9c14fcef35ef55a23215a316ceaa5d1cc48e98e172be0n,
  z: 11n,
};

const XI: Fp2 = [1n, 1n];

function invertFp2(value: Fp2): Fp2 {
  const norm = inverse(value[0] * value[0] + value[1] * value[1], P);
  return [modulo(value[0] * norm, P), modulo(-value[1] * norm, P)];
}

/** The text of `bls/curve_constants.ts`. */
export function curveConstants(encode: PairEncoding): string {
  const both = (name: string, value: bigint) =>
    wordsConstant(name, encode(modulo(value, P), modulo(value, P)));
  const fp2 = (name: string, [c0, c1]: Fp2) => wordsConstant(name, encode(c0, c1));
  const list = (name: string, values: readonly bigint[]) =>
    wordsConstant(name, values.flatMap((value) => encode(value, value)));
  const frobenius = Array.from(
    { length: 5 },
    (_, i) => powerFp2(XI, BigInt(i + 1) * (P - 1n) / 6n),
  );
  const squared = frobenius.map((value) => multiplyFp2(value, [value[0], P - value[1]]));
  if (!squared.every(([, c1]) => c1 === 0n)) throw new Error("A Frobenius square outside Fp");
  // psi = twist^-1 . frobenius . twist: x -> conj(x) / xi^((p-1)/3), y -> conj(y) / xi^((p-1)/2).
  const psi = [3n, 2n].map((n) => invertFp2(powerFp2(XI, (P - 1n) / n)));
  const rootOfMinusZ = power(-SSWU.z, (P + 1n) / 4n, P);
  return [
    both("ONE", 1n),
    fp2("FP2_ONE", [1n, 0n]),
    both("HALF", inverse(2n, P)),
    both("CURVE_B", 4n),
    fp2("TWIST_B", [4n, 4n]),
    both("BETA", BETA),
    fp2("GENERATOR_X", GENERATOR_G2[0]),
    fp2("GENERATOR_Y", GENERATOR_G2[1]),
    fp2("PSI_X", psi[0]!),
    fp2("PSI_Y", psi[1]!),
    wordsConstant("FROBENIUS", frobenius.flatMap(([c0, c1]) => encode(c0, c1))),
    list("FROBENIUS_SQUARED", squared.map(([c0]) => c0)),
    both("SSWU_A", SSWU.a),
    both("SSWU_B", SSWU.b),
    both("SSWU_Z", SSWU.z),
    both("SSWU_ROOT_OF_MINUS_Z", rootOfMinusZ),
    list("ISOGENY_X_NUMERATOR", X_NUMERATOR),
    list("ISOGENY_X_DENOMINATOR", X_DENOMINATOR),
    list("ISOGENY_Y_NUMERATOR", Y_NUMERATOR),
    list("ISOGENY_Y_DENOMINATOR", Y_DENOMINATOR),
    both("TWO_256", 1n << 256n),
    exponentConstant("EXPONENT_ROOT", (P - 3n) / 4n),
    wordsConstant("MODULUS", integerWords(P, 6)),
    wordsConstant("HALF_MODULUS", integerWords((P - 1n) / 2n, 6)),
    wordsConstant("ORDER", integerWords(X ** 4n - X ** 2n + 1n, 4)),
    wordsConstant("X_SQUARED", integerWords(X * X, 2)),
    wordsConstant("X_MAGNITUDE", [-X]),
  ].join("");
}

if (modulo(BETA ** 3n, P) !== 1n || centred(BETA, P) === 1n) throw new Error("No root of unity");
