/**
 * Writes the sums, carries and lane moves of the field on fused multiply-adds.
 *
 * @module
 */

import { P } from "./parameters.ts";
import {
  balancedLimbs,
  HIGH,
  LIMB_BITS,
  LIMBS,
  LOW,
  LOW_BITS,
  type Vectors,
  writeEach,
  type Writer,
} from "./fma_writer.ts";

/**
 * Subtracts the nearest multiple of p, computed from the top limb, and carries once in each limb in
 * parallel: values are then at most 0.51 p and limbs at most 2^48 + 2^3 in magnitude. Returns the
 * limbs' names.
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
export function writeCarries(out: Writer): void {
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
export function writeThrice(out: Writer): void {
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

/** Functions that apply one operation to each vector of a pair or of an unreduced product. */
export function writeLanewise(out: Writer, vectors: Vectors): void {
  const { a, b, lane, swapped, sign1, ones0, turned } = vectors;
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
}
