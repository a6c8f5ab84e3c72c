/**
 * Writes the products of the field for engines without vector instructions: the lanes one after the
 * other, fully unrolled. The numbers, bounds and their argument are in `wasm/README.md`, "The field
 * on 56-bit words".
 *
 * @module
 */

import { centred, inverse, modulo, P } from "./parameters.ts";
import { writeLinear } from "./scalar_linear.ts";
import {
  balancedDigits,
  COLUMNS,
  HALF_RADIX,
  LANE,
  LIMB_BITS,
  LIMBS,
  RADIX,
  ScalarWriter,
  type Values,
} from "./scalar_writer.ts";

/** Bytes from the columns of one lane to those of the other. */
const COLUMNS_LANE = 256;

/** Columns of a b, limb by limb. */
function schoolbook(out: ScalarWriter, a: Values, b: Values): Values {
  return Array.from({ length: a.length + b.length - 1 }, (_, k) => {
    const pairs = a.flatMap((value, i) => b[k - i] === undefined ? [] : [`${value} * ${b[k - i]}`]);
    return out.value(pairs.join(" + "));
  });
}

/** Columns of a b by one step of Karatsuba: 147 multiplications in place of 196. */
function product(out: ScalarWriter, a: Values, b: Values): Values {
  const half = LIMBS / 2;
  const [a0, a1, b0, b1] = [a.slice(0, half), a.slice(half), b.slice(0, half), b.slice(half)];
  const low = schoolbook(out, a0, b0);
  const high = schoolbook(out, a1, b1);
  const all = schoolbook(out, out.add(a0, a1), out.add(b0, b1));
  const middle = out.subtract(out.subtract(all, low), high);
  return Array.from({ length: COLUMNS }, (_, k) => {
    const parts = [low[k], middle[k - half], high[k - LIMBS]];
    return out.sum(parts.filter((part) => part !== undefined));
  });
}

/** Columns of a^2: 105 multiplications. */
function square(out: ScalarWriter, a: Values): Values {
  const doubled = out.add(a, a);
  return Array.from({ length: COLUMNS }, (_, k) => {
    const terms: string[] = [];
    for (let i = Math.max(0, k - LIMBS + 1); 2 * i <= k; i++) {
      terms.push(`${2 * i === k ? a[i] : doubled[i]} * ${a[k - i]}`);
    }
    return out.value(terms.join(" + "));
  });
}

const NEGATIVE_INVERSE = modulo(-inverse(P, RADIX), RADIX);

/** The multiple of p that is -1 mod 2^28: adding it times column 0 clears that column. */
const CLEARING = balancedDigits(centred(NEGATIVE_INVERSE, RADIX) * P, LIMB_BITS, LIMBS + 1);
const MODULUS = balancedDigits(P, LIMB_BITS, LIMBS);

/**
 * Columns to the words of a reduced element, by Montgomery steps. All but the last add a multiple of
 * p for which the quotient digit is the column itself, so that a step waits for one multiplication
 * and not for three; the last one adds p, which keeps the result below p.
 */
function reduce(out: ScalarWriter, columns: Values, pointer: string, offset: number): void {
  const last = LIMBS - 1;
  const quotients: string[] = [];
  let carry: string[] = [];
  // The terms that are available last are added last.
  const columnSum = (k: number) => {
    const terms = columns[k] === undefined ? [] : [columns[k]];
    quotients.forEach((quotient, i) => {
      const limb = (i < last ? CLEARING : MODULUS)[k - i];
      if (i < k && limb !== undefined) terms.push(`${quotient} * ${limb}`);
    });
    return out.sum([...terms, ...carry]);
  };
  for (let k = 0; k < LIMBS; k++) {
    const sum = columnSum(k);
    const digit = k < last
      ? `${sum} << 36`
      : `${sum} * ${BigInt.asIntN(64, NEGATIVE_INVERSE << 36n)}`;
    const quotient = out.value(`(${digit}) >> 36`);
    const cleared = k < last ? `${sum} + ${HALF_RADIX}` : `${sum} + ${quotient} * ${MODULUS[0]}`;
    quotients.push(quotient);
    carry = [out.value(`(${cleared}) >> ${LIMB_BITS}`)];
  }
  const upper: string[] = [];
  for (let k = LIMBS; k < COLUMNS; k++) {
    upper.push(columnSum(k));
    carry = [];
  }
  out.storeWords(pointer, offset, upper);
}

function writeProducts(out: ScalarWriter): void {
  out.function("columnsMul(columns: usize, a: usize, b: usize)", () => {
    out.store("columns", 0, product(out, out.loadLimbs("a", 0), out.loadLimbs("b", 0)));
  });
  out.function("columnsSqr(columns: usize, a: usize)", () => {
    out.store("columns", 0, square(out, out.loadLimbs("a", 0)));
  });
  // a0 b0 - a1 b1, and (a0 + a1)(b0 + b1) - a0 b0 - a1 b1.
  out.function("columnsFp2Mul(columns: usize, a: usize, b: usize)", () => {
    const [a0, a1] = [out.loadLimbs("a", 0), out.loadLimbs("a", LANE)];
    const [b0, b1] = [out.loadLimbs("b", 0), out.loadLimbs("b", LANE)];
    const [first, second] = [product(out, a0, b0), product(out, a1, b1)];
    const cross = product(out, out.add(a0, a1), out.add(b0, b1));
    out.store("columns", 0, out.subtract(first, second));
    out.store("columns", COLUMNS_LANE, out.subtract(out.subtract(cross, first), second));
  });
  // (a0 + a1)(a0 - a1), and (a0 + a0) a1.
  out.function("columnsFp2Sqr(columns: usize, a: usize)", () => {
    const [a0, a1] = [out.loadLimbs("a", 0), out.loadLimbs("a", LANE)];
    out.store("columns", 0, product(out, out.add(a0, a1), out.subtract(a0, a1)));
    out.store("columns", COLUMNS_LANE, product(out, out.add(a0, a0), a1));
  });
  out.function("reduceColumns(dst: usize, columns: usize)", () => {
    reduce(out, out.load("columns", 0, COLUMNS), "dst", 0);
  });
  out.function("reduceWords(dst: usize, words: usize)", () => {
    // The highest limb is always 0: the words of a product end with column 26.
    const words = out.load("words", 0, LIMBS);
    reduce(out, [...out.limbs(words.slice(0, -1)), words.at(-1)!], "dst", 0);
  });
  out.function("wordsOfColumns(dst: usize, columns: usize)", () => {
    out.storeWords("dst", 0, out.load("columns", 0, COLUMNS));
  });
}

/** The text of `bls/products.ts` for the build without vector instructions. */
export function scalarProducts(): string {
  const out = new ScalarWriter();
  writeProducts(out);
  writeLinear(out);
  return out.toString();
}
