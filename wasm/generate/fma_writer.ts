/**
 * The elements of the field for engines with a fused multiply-add, and a writer of unrolled functions
 * on them. The numbers, bounds and their argument are in `wasm/README.md`, "The field on fused
 * multiply-adds".
 *
 * @module
 */

import { integerWords, wordsConstant } from "./constants.ts";
import { centred, modulo, P } from "./parameters.ts";

/** Bits of a limb. */
export const LIMB_BITS = 49n;

/** Limbs of an element. */
export const LIMBS = 8;

export const RADIX = 1n << LIMB_BITS;
const WORD = (1n << 64n) - 1n;

/** The Montgomery factor. */
const MONTGOMERY = 1n << (LIMB_BITS * BigInt(LIMBS));

/** Limbs of `value`, each but the last in [-2^48, 2^48). */
export function balancedLimbs(value: bigint): bigint[] {
  const limbs: bigint[] = [];
  let rest = value;
  for (let i = 0; i < LIMBS - 1; i++) {
    let limb = modulo(rest, RADIX);
    if (limb >= RADIX / 2n) limb -= RADIX;
    limbs.push(limb);
    rest = (rest - limb) / RADIX;
  }
  return [...limbs, rest];
}

function bitsOfDouble(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}

/** Added to a product, rounds it to a multiple of the radix, whose bits are then an integer. */
export const HIGH = 1.5 * 2 ** 101;

/** Added to an integer below 2^51 in magnitude, puts it in the low bits. */
export const LOW = 1.5 * 2 ** 52;

export const HIGH_BITS = bitsOfDouble(HIGH);
export const LOW_BITS = bitsOfDouble(LOW);

/** The 16 words of one element's both lanes, as they lie in memory. */
export function wordsOfPair(lane0: bigint, lane1: bigint): bigint[] {
  const [a, b] = [lane0, lane1].map((value) =>
    balancedLimbs(centred(value * MONTGOMERY, P)).map((limb) => bitsOfDouble(Number(limb)))
  );
  return a!.flatMap((word, i) => [word, b![i]!]);
}

/** The text of `bls/field_constants.ts`: what conversions need. */
export function fmaFieldConstants(): string {
  const unsigned = Array.from(
    { length: LIMBS },
    (_, i) => 3n * P >> LIMB_BITS * BigInt(i) & (RADIX - 1n),
  );
  // Integers, not residues: a product with 1 leaves Montgomery form, one with the square enters it.
  const [one, square] = [1n, modulo(MONTGOMERY * MONTGOMERY, P)].map((value) =>
    balancedLimbs(centred(value, P)).flatMap((limb) => {
      const word = bitsOfDouble(Number(limb));
      return [word, word];
    })
  );
  return [
    wordsConstant("INTEGER_ONE", one!),
    wordsConstant("MONTGOMERY_SQUARE", square!),
    wordsConstant("THREE_MODULUS", unsigned),
    wordsConstant("MODULUS_WORDS", integerWords(P, 6)),
  ].join("");
}

export class Writer {
  readonly #lines: string[] = [];
  readonly #constants: bigint[] = [];
  #names = 0;

  line(text: string): void {
    this.#lines.push(text);
  }

  /**
   * Loads a constant into both lanes. From memory: an engine that knows its value would rebuild it
   * in three instructions at each use.
   */
  constant(word: bigint): string {
    const bits = word & WORD;
    let place = this.#constants.indexOf(bits);
    if (place < 0) place = this.#constants.push(bits) - 1;
    return `v128.load64_splat(CONSTANTS, ${8 * place})`;
  }

  /** Loads two constants, one for each lane. */
  vector(lane0: bigint, lane1: bigint): string {
    const place = this.#constants.push(lane0 & WORD, lane1 & WORD) - 2;
    return `v128.load(CONSTANTS, ${8 * place})`;
  }

  number(value: bigint | number): string {
    return this.constant(bitsOfDouble(Number(value)));
  }

  /** Adds the low and the high half of the product a * b to two columns. */
  term(a: string, b: string, low: string, high: string): void {
    const name = this.#names++;
    this.line(`const h${name}: v128 = v128.relaxed_madd<f64>(${a}, ${b}, HIGH);`);
    this.line(
      `${low} = v128.add<i64>(${low}, ` +
        `v128.relaxed_madd<f64>(${a}, ${b}, v128.sub<f64>(BOTH, h${name})));`,
    );
    this.line(`${high} = v128.add<i64>(${high}, h${name});`);
  }

  function(head: string, body: () => void): void {
    this.line(`export function ${head}: void {`);
    body();
    this.line("}");
  }

  /** The constants that products share, in registers as far as the engine has them. */
  productConstants(): void {
    this.line(`const HIGH: v128 = ${this.number(HIGH)};`);
    this.line(`const BOTH: v128 = ${this.number(HIGH + LOW)};`);
  }

  toString(): string {
    const words = this.#constants.map((word) => `0x${word.toString(16)}`).join(", ");
    return `const CONSTANTS: usize = memory.data<u64>([${words}], 16);\n${
      this.#lines.join("\n")
    }\n`;
  }
}

export type Factor = (limb: number) => string;

/** A function that applies one operation to each of `count` vectors. */
export function writeEach(
  out: Writer,
  head: string,
  count: number,
  value: Factor,
  first: string = "",
): void {
  out.function(head, () => {
    out.line(first);
    for (let i = 0; i < count; i++) out.line(`v128.store(dst, ${value(i)}, ${16 * i});`);
  });
}

const SIGN = 1n << 63n;

/** Vectors of the operands of a function, as text; i is the limb or column. */
export interface Vectors {
  readonly a: Factor;
  readonly b: Factor;
  /** Lane `l` of an operand in both lanes. */
  readonly lane: (name: string, l: number) => Factor;
  readonly swapped: (value: string) => string;
  /** (x0 + x1 u) u = -x1 + x0 u. */
  readonly turned: (value: string) => string;
  /** Negates lane 1 by an XOR. */
  readonly sign1: string;
  /** All ones in lane 0. */
  readonly ones0: string;
}

/** The constants shared by functions of `out`. */
export function vectorsOf(out: Writer): Vectors {
  const swapped = (value: string) => `v128.shuffle<i64>(${value}, ${value}, 1, 0)`;
  const sign0 = out.vector(SIGN, 0n);
  return {
    a: (i) => `v128.load(a, ${16 * i})`,
    b: (i) => `v128.load(b, ${16 * i})`,
    lane: (name, l) => (i) => `v128.load64_splat(${name}, ${16 * i + 8 * l})`,
    swapped,
    turned: (value) => `v128.xor(${swapped(value)}, ${sign0})`,
    sign1: out.vector(0n, SIGN),
    ones0: out.vector(-1n, 0n),
  };
}
