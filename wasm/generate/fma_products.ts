/**
 * Writes the products of the field for engines with a fused multiply-add: two elements side by side
 * in the lanes of `f64x2`, fully unrolled. The numbers, bounds and their argument are in
 * `wasm/README.md`, "The field on fused multiply-adds".
 *
 * @module
 */

import { integerWords, wordsConstant } from "./constants.ts";
import { centred, inverse, modulo, P } from "./parameters.ts";

/** Bits of a limb. */
export const LIMB_BITS = 49n;

/** Limbs of an element. */
export const LIMBS = 8;

const RADIX = 1n << LIMB_BITS;
const WORD = (1n << 64n) - 1n;

/** The Montgomery factor. */
const MONTGOMERY = 1n << (LIMB_BITS * BigInt(LIMBS));

/** The low limbs that are folded by a table; the one that is left takes a Montgomery step. */
const FOLDED = LIMBS - 1;

/** Limbs of `value`, each but the last in [-2^48, 2^48). */
function balancedLimbs(value: bigint): bigint[] {
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
const HIGH = 1.5 * 2 ** 101;

/** Added to an integer below 2^51 in magnitude, puts it in the low bits. */
const LOW = 1.5 * 2 ** 52;

const HIGH_BITS = bitsOfDouble(HIGH);
const LOW_BITS = bitsOfDouble(LOW);

/** Makes a signed column positive; the half radix rounds, so that digits are balanced. */
const BIAS = (1n << 62n) + RADIX / 2n;

/** What the bias leaves in the carry. */
const CARRIED_BIAS = (1n << 62n) / RADIX;

/** Number of pairs (i, j) of limbs with i + j = k. */
function termsAt(k: number, isSquare: boolean): number {
  let terms = 0;
  for (let i = 0; i < LIMBS; i++) {
    const j = k - i;
    if (j >= 0 && j < LIMBS && (!isSquare || i <= j)) terms++;
  }
  return terms;
}

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

class Writer {
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

/** What is in a column before its terms, so that their magic numbers cancel. */
function columnStart(lowTerms: number, highTerms: number): bigint {
  return -(BigInt(lowTerms) * LOW_BITS + BigInt(highTerms) * HIGH_BITS);
}

type Factor = (limb: number) => string;

/** Columns of the sum of products of the given factors, into 256 bytes at `dst`. */
function writeProduct(
  out: Writer,
  head: string,
  products: readonly (readonly [Factor, Factor])[],
  isSquare: boolean,
): void {
  out.function(head, () => {
    out.productConstants();
    const loaded = new Map<string, string>();
    const load = (expression: string) => {
      const known = loaded.get(expression);
      if (known !== undefined) return known;
      const name = `v${loaded.size}`;
      loaded.set(expression, name);
      out.line(`const ${name}: v128 = ${expression};`);
      return name;
    };
    const terms = (k: number) => products.length * termsAt(k, isSquare);
    for (let k = 0; k < 2 * LIMBS; k++) {
      out.line(`let c${k}: v128 = ${out.constant(columnStart(terms(k), terms(k - 1)))};`);
    }
    for (let k = 0; k < 2 * LIMBS - 1; k++) {
      for (const [first, second] of products) {
        for (let i = Math.max(0, k - LIMBS + 1); i <= Math.min(LIMBS - 1, k); i++) {
          const j = k - i;
          if (isSquare && i > j) continue;
          const a = load(first(i));
          const b = isSquare && i < j
            ? load(`v128.add<f64>(${load(second(j))}, ${load(second(j))})`)
            : load(second(j));
          out.term(a, b, `c${k}`, `c${k + 1}`);
        }
      }
      out.line(`v128.store(dst, c${k}, ${16 * k});`);
    }
    out.line(`v128.store(dst, c${2 * LIMBS - 1}, ${16 * (2 * LIMBS - 1)});`);
  });
}

const DIGIT = (column: string) =>
  `v128.sub<f64>(v128.or(v128.and(${column}, MASK), TWO52), UNBIAS)`;

/** Columns at `src` to a reduced element at `dst`: 7 limbs folded, then one Montgomery step. */
function writeReduction(out: Writer): void {
  const fold = Array.from(
    { length: FOLDED },
    (_, k) => balancedLimbs(centred(inverse(1n << (LIMB_BITS * BigInt(FOLDED - k)), P), P)),
  );
  const modulus = balancedLimbs(P);
  const negativeInverse = centred(-inverse(P, RADIX), RADIX);
  const column = (k: number) => `v128.load(src, ${16 * k})`;
  out.function("wideReduce(dst: usize, src: usize)", () => {
    out.productConstants();
    out.line(`const MASK: v128 = ${out.constant(RADIX - 1n)};`);
    out.line(`const TWO52: v128 = ${out.number(2 ** 52)};`);
    out.line(`const UNBIAS: v128 = ${out.number(2n ** 52n + RADIX / 2n)};`);
    for (let k = 0; k < FOLDED; k++) {
      const biased = `v128.add<i64>(${column(k)}, ${
        out.constant(k === 0 ? BIAS : BIAS - CARRIED_BIAS)
      })`;
      const carried = k === 0 ? biased : `v128.add<i64>(${biased}, v128.shr<u64>(u${k - 1}, 49))`;
      out.line(`const u${k}: v128 = ${carried};`);
      out.line(`const t${k}: v128 = ${DIGIT(`u${k}`)};`);
    }
    for (let k = FOLDED; k < 2 * LIMBS; k++) {
      const low = k < 2 * LIMBS - 1 ? FOLDED + 1 : 0;
      const high = k > FOLDED ? FOLDED + 1 : 0;
      const bias = k < 2 * LIMBS - 1 ? BIAS - CARRIED_BIAS : LOW_BITS - CARRIED_BIAS;
      const start = out.constant(columnStart(low, high) + bias);
      out.line(`let s${k}: v128 = v128.add<i64>(${column(k)}, ${start});`);
    }
    out.line(`s${FOLDED} = v128.add<i64>(s${FOLDED}, v128.shr<u64>(u${FOLDED - 1}, 49));`);
    for (let j = 0; j < LIMBS; j++) {
      for (let k = 0; k < FOLDED; k++) {
        out.term(`t${k}`, out.number(fold[k]![j]!), `s${FOLDED + j}`, `s${FOLDED + j + 1}`);
      }
    }
    // The start of this column counts a term that is still to come.
    const digit = DIGIT(`v128.add<i64>(s${FOLDED}, ${out.constant(LOW_BITS)})`);
    out.line(`const z: v128 = ${digit};`);
    out.line(`const inv: v128 = ${out.number(negativeInverse)};`);
    out.line("const zh: v128 = v128.relaxed_madd<f64>(z, inv, HIGH);");
    out.line("const zl: v128 = v128.relaxed_madd<f64>(z, inv, v128.sub<f64>(BOTH, zh));");
    out.line(`const q: v128 = v128.sub<f64>(zl, ${out.number(LOW)});`);
    for (let j = 0; j < LIMBS; j++) {
      out.term("q", out.number(modulus[j]!), `s${FOLDED + j}`, `s${FOLDED + j + 1}`);
    }
    let carry = `v128.shr<u64>(s${FOLDED}, 49)`;
    for (let i = 0; i < LIMBS - 1; i++) {
      const name = `s${LIMBS + i}`;
      out.line(`${name} = v128.add<i64>(${name}, ${carry});`);
      out.line(`v128.store(dst, ${DIGIT(name)}, ${16 * i});`);
      carry = `v128.shr<u64>(${name}, 49)`;
    }
    const top = `v128.add<i64>(s${2 * LIMBS - 1}, ${carry})`;
    out.line(`v128.store(dst, v128.sub<f64>(${top}, ${out.number(LOW)}), ${16 * (LIMBS - 1)});`);
  });
}

/** A function that does the same to each of `count` vectors. */
function writeEach(
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

/**
 * Takes off the nearest multiple of p, which the top limb tells, and carries once in each limb, all at
 * once: values come down to 0.51 p and limbs to 2^48 + 2^3 in magnitude. Answers the limbs' names.
 */
function carried(out: Writer, round: string, limb: (i: number) => string): string[] {
  const modulus = balancedLimbs(P);
  const topPerModulus = Number(1n << (LIMB_BITS * BigInt(LIMBS - 1))) / Number(P);
  const top = LIMBS - 1;
  const [q, x, c, y] = ["q", "x", "c", "y"].map((name) => name + round);
  const scaled = `v128.mul<f64>(${limb(top)}, ${out.number(topPerModulus)})`;
  out.line(`const ${q}: v128 = v128.sub<f64>(v128.add<f64>(${scaled}, WHOLE), WHOLE);`);
  for (let i = 0; i < LIMBS; i++) {
    const multiple = `v128.mul<f64>(${q}, ${out.number(modulus[i]!)})`;
    out.line(`const ${x}${i}: v128 = v128.sub<f64>(${limb(i)}, ${multiple});`);
    if (i < top) {
      out.line(`const ${c}${i}: v128 = v128.sub<f64>(v128.add<f64>(${x}${i}, HIGH), HIGH);`);
    }
    const rest = i < top ? `v128.sub<f64>(${x}${i}, ${c}${i})` : `${x}${i}`;
    const sum = i === 0 ? rest : `v128.add<f64>(${rest}, v128.mul<f64>(${c}${i - 1}, INVERSE))`;
    out.line(`const ${y}${i}: v128 = ${sum};`);
  }
  return Array.from({ length: LIMBS }, (_, i) => `${y}${i}`);
}

/** Carrying alone, and 12 times an element: carried before, so that its limbs stay exact. */
function writeCarries(out: Writer): void {
  for (const factor of [1, 12]) {
    out.function(`pair${factor === 1 ? "Carry" : "Mul12"}(dst: usize, a: usize)`, () => {
      out.line(`const HIGH: v128 = ${out.number(HIGH)};`);
      out.line(`const WHOLE: v128 = ${out.number(LOW)};`);
      out.line(`const INVERSE: v128 = ${out.number(2 ** -49)};`);
      let limbs = carried(out, "a", (i) => `v128.load(a, ${16 * i})`);
      if (factor !== 1) {
        const small = limbs;
        out.line(`const FACTOR: v128 = ${out.number(factor)};`);
        for (const name of small) {
          out.line(`const m${name}: v128 = v128.mul<f64>(${name}, FACTOR);`);
        }
        limbs = carried(out, "b", (i) => `m${small[i]}`);
      }
      limbs.forEach((name, i) => out.line(`v128.store(dst, ${name}, ${16 * i});`));
    });
  }
}

/**
 * 3 times unreduced products, plus or minus 2 times an element: of the element, lifted by the
 * Montgomery factor, the upper columns take what is left beside the nearest multiple of p.
 */
function writeThrice(out: Writer): void {
  const modulus = balancedLimbs(P);
  const topPerModulus = Number(1n << (LIMB_BITS * BigInt(LIMBS - 1))) / Number(P);
  for (const [title, operation] of [["Plus", "add"], ["Minus", "sub"]] as const) {
    out.function(`wideThrice${title}Twice(dst: usize, a: usize, z: usize)`, () => {
      out.line(`const WHOLE: v128 = ${out.number(LOW)};`);
      out.line(`const WHOLE_BITS: v128 = ${out.constant(LOW_BITS)};`);
      const twice = (i: number) => `v128.mul<f64>(v128.load(z, ${16 * i}), ${out.number(2)})`;
      const scaled = `v128.mul<f64>(${twice(LIMBS - 1)}, ${out.number(topPerModulus)})`;
      out.line(`const q: v128 = v128.sub<f64>(v128.add<f64>(${scaled}, WHOLE), WHOLE);`);
      for (let k = 0; k < 2 * LIMBS; k++) {
        out.line(`const a${k}: v128 = v128.load(a, ${16 * k});`);
        let sum = `v128.add<i64>(v128.add<i64>(a${k}, a${k}), a${k})`;
        if (k >= LIMBS) {
          const multiple = `v128.mul<f64>(q, ${out.number(modulus[k - LIMBS]!)})`;
          const rest = `v128.sub<f64>(${twice(k - LIMBS)}, ${multiple})`;
          const integer = `v128.sub<i64>(v128.add<f64>(${rest}, WHOLE), WHOLE_BITS)`;
          sum = `v128.${operation}<i64>(${sum}, ${integer})`;
        }
        out.line(`v128.store(dst, ${sum}, ${16 * k});`);
      }
    });
  }
}

const SIGN = 1n << 63n;

/** The text of `bls/products.ts` for the build with fused multiply-adds. */
export function fmaProducts(): string {
  const out = new Writer();
  const a: Factor = (i) => `v128.load(a, ${16 * i})`;
  const b: Factor = (i) => `v128.load(b, ${16 * i})`;
  const lane = (name: string, l: number): Factor => (i) =>
    `v128.load64_splat(${name}, ${16 * i + 8 * l})`;
  const swapped = (value: string) => `v128.shuffle<i64>(${value}, ${value}, 1, 0)`;
  const sign0 = out.vector(SIGN, 0n);
  const sign1 = out.vector(0n, SIGN);
  const ones0 = out.vector(-1n, 0n);
  // (x0 + x1 u) u = -x1 + x0 u.
  const turned = (value: string) => `v128.xor(${swapped(value)}, ${sign0})`;

  writeProduct(out, "wideMul(dst: usize, a: usize, b: usize)", [[a, b]], false);
  writeProduct(out, "wideSqr(dst: usize, a: usize)", [[a, a]], true);
  // (a0 + a1 u) b = a0 b + a1 (b u).
  writeProduct(
    out,
    "wideFp2Mul(dst: usize, a: usize, b: usize)",
    [[lane("a", 0), b], [lane("a", 1), (i) => turned(b(i))]],
    false,
  );
  // The lanes of (a0 + a1 u)^2 are (a0 + a1)(a0 - a1) and (a0 + a0) a1.
  writeProduct(
    out,
    "wideFp2Sqr(dst: usize, a: usize)",
    [[
      (i) => `v128.add<f64>(${lane("a", 0)(i)}, ${swapped(a(i))})`,
      (i) => `v128.sub<f64>(${a(i)}, v128.load64_zero(a, ${16 * i + 8}))`,
    ]],
    false,
  );
  writeReduction(out);
  writeCarries(out);
  writeThrice(out);

  for (const [name, count, type] of [["pair", LIMBS, "f64"], ["wide", 2 * LIMBS, "i64"]] as const) {
    writeEach(out, `${name}Copy(dst: usize, a: usize)`, count, a);
    for (const [title, operation] of [["Add", "add"], ["Sub", "sub"]] as const) {
      writeEach(
        out,
        `${name}${title}(dst: usize, a: usize, b: usize)`,
        count,
        (i) => `v128.${operation}<${type}>(${a(i)}, ${b(i)})`,
      );
    }
  }
  writeEach(out, "pairZero(dst: usize)", LIMBS, () => "i64x2.splat(0)");
  writeEach(out, "pairNeg(dst: usize, a: usize)", LIMBS, (i) => `v128.neg<f64>(${a(i)})`);
  writeEach(out, "pairSwap(dst: usize, a: usize)", LIMBS, (i) => swapped(a(i)));
  writeEach(
    out,
    "pairMerge(dst: usize, a: usize, b: usize)",
    LIMBS,
    (i) => `v128.shuffle<i64>(${a(i)}, ${b(i)}, 0, 3)`,
  );
  for (const l of [0, 1]) {
    writeEach(out, `pairSplat${l}(dst: usize, a: usize)`, LIMBS, lane("a", l));
  }
  // Lane l is that of `a` where bit l of `lanes` is set, and of `b` otherwise: by masks.
  writeEach(
    out,
    "pairChoose(dst: usize, a: usize, b: usize, lanes: u32)",
    LIMBS,
    (i) => `v128.bitselect(${a(i)}, ${b(i)}, mask)`,
    "const mask: v128 = i64x2.ne(v128.and(i64x2.splat(<i64>lanes), " +
      `${out.vector(1n, 2n)}), i64x2.splat(0));`,
  );
  writeEach(out, "fp2Conj(dst: usize, a: usize)", LIMBS, (i) => `v128.xor(${a(i)}, ${sign1})`);
  writeEach(
    out,
    "fp2MulXi(dst: usize, a: usize)",
    LIMBS,
    (i) => `v128.add<f64>(${a(i)}, ${turned(a(i))})`,
  );
  const wideXi = (value: string) => {
    const inverted = `v128.xor(${swapped(value)}, ${ones0})`;
    return `v128.add<i64>(${value}, v128.sub<i64>(${inverted}, ${ones0}))`;
  };
  writeEach(out, "wideMulXi(dst: usize, a: usize)", 2 * LIMBS, (i) => wideXi(a(i)));
  writeEach(
    out,
    "wideAddXi(dst: usize, a: usize, b: usize)",
    2 * LIMBS,
    (i) => `v128.add<i64>(${a(i)}, ${wideXi(b(i))})`,
  );
  writeEach(
    out,
    "wideSubBoth(dst: usize, a: usize, b: usize, c: usize)",
    2 * LIMBS,
    (i) => `v128.sub<i64>(${a(i)}, v128.add<i64>(${b(i)}, v128.load(c, ${16 * i})))`,
  );
  return out.toString();
}
