/**
 * The elements of the field for engines without vector instructions, and a writer of unrolled
 * functions on them. The numbers, bounds and their argument are in `wasm/README.md`, "The field on
 * 56-bit words".
 *
 * @module
 */

import { integerWords, wordsConstant } from "./constants.ts";
import { centred, P } from "./parameters.ts";

/** Bits of a word of an element. */
export const WORD_BITS = 56n;

/** Words of an element. */
export const WORDS = 7;

/** A word is cut into two limbs when it is multiplied. */
export const LIMB_BITS = WORD_BITS / 2n;
export const LIMBS = 2 * WORDS;

/** 2 to the bits of a limb. */
export const RADIX = 1n << LIMB_BITS;

/** Columns of a product. */
export const COLUMNS = 2 * LIMBS - 1;

/** The Montgomery factor. */
const MONTGOMERY = RADIX ** BigInt(LIMBS);

/** Bytes from one lane of an element to the other. */
export const LANE = 64;

/** Bytes from one lane of an unreduced product to the other. */
export const WIDE_LANE = 128;

const LIMB_MASK = RADIX - 1n;

/** Rounds a division by the radix. */
export const HALF_RADIX = RADIX / 2n;

/** `value` in `count` digits of `bits` bits, each but the last in [-2^(bits-1), 2^(bits-1)). */
export function balancedDigits(value: bigint, bits: bigint, count: number): bigint[] {
  const digits: bigint[] = [];
  let rest = value;
  for (let i = 0; i < count - 1; i++) {
    const digit = BigInt.asIntN(Number(bits), rest);
    digits.push(digit);
    rest = (rest - digit) >> bits;
  }
  return [...digits, rest];
}

function wordsOfInteger(value: bigint): bigint[] {
  return [...balancedDigits(centred(value, P), WORD_BITS, WORDS), 0n];
}

/** The 16 words of one element's both lanes, as they lie in memory. */
export function scalarWordsOfPair(lane0: bigint, lane1: bigint): bigint[] {
  return [lane0, lane1].flatMap((value) => wordsOfInteger(value * MONTGOMERY));
}

/** The text of `bls/field_constants.ts`: what conversions need. */
export function scalarFieldConstants(): string {
  const digits = Array.from(
    { length: WORDS },
    (_, i) => P >> WORD_BITS * BigInt(i) & ((1n << WORD_BITS) - 1n),
  );
  return [
    wordsConstant("MONTGOMERY_SQUARE", wordsOfInteger(MONTGOMERY * MONTGOMERY)),
    wordsConstant("MODULUS_DIGITS", digits),
    wordsConstant("MODULUS_WORDS", integerWords(P, 6)),
  ].join("");
}

/** Names of values, least significant first. */
export type Values = readonly string[];

/** Collects the lines of functions, and names every value. */
export class ScalarWriter {
  readonly #lines: string[] = [];
  #names = 0;

  line(text: string): void {
    this.#lines.push(text);
  }

  value(expression: string): string {
    const name = `v${this.#names++}`;
    this.line(`const ${name}: i64 = ${expression};`);
    return name;
  }

  sum(terms: Values): string {
    return terms.length === 1 ? terms[0]! : this.value(terms.join(" + "));
  }

  add(a: Values, b: Values): Values {
    return a.map((value, i) => this.value(`${value} + ${b[i]}`));
  }

  subtract(a: Values, b: Values): Values {
    return a.map((value, i) => this.value(`${value} - ${b[i]}`));
  }

  store(pointer: string, offset: number, values: Values): void {
    values.forEach((value, i) => this.line(`store<i64>(${pointer}, ${value}, ${offset + 8 * i});`));
  }

  load(pointer: string, offset: number, count: number): Values {
    return Array.from(
      { length: count },
      (_, i) => this.value(`load<i64>(${pointer}, ${offset + 8 * i})`),
    );
  }

  /** The limbs of words: the low one in [-2^27, 2^27), the high one the rest. */
  limbs(words: Values): Values {
    const shift = 64n - LIMB_BITS;
    return words.flatMap((word) => [
      this.value(`(${word} << ${shift}) >> ${shift}`),
      this.value(`(${word} + ${HALF_RADIX}) >> ${LIMB_BITS}`),
    ]);
  }

  loadLimbs(pointer: string, offset: number): Values {
    return this.limbs(this.load(pointer, offset, WORDS));
  }

  /**
   * Stores columns as words and passes on the carry, each but the last word in [-2^55, 2^55). The
   * last one takes the rest, because there is one column less than limbs.
   */
  storeWords(pointer: string, offset: number, columns: Values): void {
    for (let i = 0; i + 2 < columns.length; i += 2) {
      const high = this.value(`${columns[i + 1]} + (${columns[i]} >> ${LIMB_BITS})`);
      const word = `(${columns[i]} & ${LIMB_MASK}) + ((${high} << 36) >> 8)`;
      this.store(pointer, offset + 4 * i, [word]);
      const carried = `${columns[i + 2]} + ((${high} + ${HALF_RADIX}) >> ${LIMB_BITS})`;
      columns = columns.with(i + 2, this.value(carried));
    }
    this.store(pointer, offset + 4 * (columns.length - 1), [columns.at(-1)!]);
  }

  function(head: string, body: () => void): void {
    this.line(`export function ${head}: void {`);
    body();
    this.line("}");
  }

  toString(): string {
    return this.#lines.join("\n") + "\n";
  }
}
