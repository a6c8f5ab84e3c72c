/**
 * Writes the products of the field for engines with a fused multiply-add: two elements side by side
 * in the lanes of `f64x2`, fully unrolled. The numbers, bounds and their argument are in
 * `wasm/README.md`, "The field on fused multiply-adds".
 *
 * @module
 */

import { writeCarries, writeLanewise, writeThrice } from "./fma_linear.ts";
import {
  balancedLimbs,
  type Factor,
  HIGH_BITS,
  LIMB_BITS,
  LIMBS,
  LOW,
  LOW_BITS,
  RADIX,
  vectorsOf,
  Writer,
} from "./fma_writer.ts";
import { centred, inverse, P } from "./parameters.ts";

/** The number of low limbs folded by a table; the remaining one takes a Montgomery step. */
const FOLDED = LIMBS - 1;

/** Makes a signed column positive; the half radix rounds, so that digits are balanced. */
const BIAS = (1n << 62n) + RADIX / 2n;

/** The contribution of the bias to the carry. */
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

/** The initial value of a column, which cancels the magic numbers of its terms. */
function columnStart(lowTerms: number, highTerms: number): bigint {
  return -(BigInt(lowTerms) * LOW_BITS + BigInt(highTerms) * HIGH_BITS);
}

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
    // The initial value of this column includes a later term.
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

/** The text of `bls/products.ts` for the build with fused multiply-adds. */
export function fmaProducts(): string {
  const out = new Writer();
  const vectors = vectorsOf(out);
  const { a, b, lane, swapped, turned } = vectors;

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
  writeLanewise(out, vectors);
  return out.toString();
}
