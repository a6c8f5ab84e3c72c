/**
 * Writes a field that weighs: the field of the build without vector instructions, in which every
 * element carries, where its lane has no words, the bounds that the argument in `wasm/README.md`
 * gives it. Run over the whole scheme it shows that no sum and no product leaves them. Weights do not
 * depend on values, so that one run of each operation speaks for all.
 *
 * @module
 */

/** Bounds of one lane: of words as a weight, of the value in p (in p^2 where unreduced). */
interface Bounds {
  readonly weight: string;
  readonly value: string;
}

const SUM: Bounds = { weight: "wa + wb", value: "va + vb" };
const SAME: Bounds = { weight: "wa", value: "va" };

/** Results (dst, a, b) of pairs whose bounds in each lane follow from those of a and b there. */
const IN_LANES: Readonly<Record<string, Bounds>> = {
  pairAdd: SUM,
  pairSub: SUM,
  pairCopy: SAME,
  pairNeg: SAME,
  fp2Conj: SAME,
  pairDbl: { weight: "2 * wa", value: "2 * va" },
  pairCarry: { weight: "carried(wa)", value: "<f32>0.51" },
  pairMul12: { weight: "carried(wa)", value: "<f32>0.51" },
  pairMul: { weight: "1", value: "reduced(product(wa, wb), va * vb)" },
  pairSqr: { weight: "1", value: "reduced(square(wa), va * va)" },
};

/** The same where each lane takes part in both: a, b are the heavier of the lanes. */
const ACROSS_LANES: Readonly<Record<string, Bounds>> = {
  pairSwap: SAME,
  pairSplat0: SAME,
  pairSplat1: SAME,
  pairMerge: { weight: "max(wa, wb)", value: "max(va, vb)" },
  fp2MulXi: { weight: "2 * wa", value: "2 * va" },
  fp2Mul: { weight: "1", value: "reduced(2 * product(wa, wb), 2 * va * vb)" },
  fp2Sqr: { weight: "1", value: "reduced(4 * square(wa), 2 * va * va)" },
};

/** Unreduced results of pairs. */
const WIDENING: Readonly<Record<string, Bounds>> = {
  wideMul: { weight: "product(wa, wb)", value: "va * vb" },
  wideSqr: { weight: "square(wa)", value: "va * va" },
  wideFp2Mul: { weight: "2 * product(wa, wb)", value: "2 * va * vb" },
  wideFp2Sqr: { weight: "4 * square(wa)", value: "2 * va * va" },
};

/** Unreduced results (dst, a, b, c) of unreduced operands, by the heavier lanes. */
const WIDE: Readonly<Record<string, Bounds>> = {
  wideCopy: SAME,
  wideAdd: SUM,
  wideSub: SUM,
  wideMulXi: { weight: "2 * wa", value: "2 * va" },
  wideAddXi: { weight: "wa + 2 * wb", value: "va + 2 * vb" },
  wideSubBoth: { weight: "wa + wb + wc", value: "va + vb + vc" },
};

const UNARY = /Copy|Neg|Conj|Dbl|Carry|12|Sqr|Swap|Splat|MulXi/;

const RULES = `
import * as field from "./field_scalar";
export const PAIR: usize = 128;
export const WIDE: usize = 256;

let broken: u32 = 0;
let heaviestProduct: f32 = 0;
let heaviestSum: f32 = 0;
let largestSum: f32 = 0;

export function brokenRules(): u32 { return broken; }
export function heaviestProductOf(): f32 { return heaviestProduct; }
export function heaviestSumOf(): f32 { return heaviestSum; }
export function largestSumOf(): f32 { return largestSum; }

function at(a: usize, offset: usize, lane: usize): f32 { return load<f32>(a + lane + offset); }
function most(a: usize, offset: usize, lane: usize): f32 {
  return max(load<f32>(a + offset), load<f32>(a + offset + lane));
}
function set(dst: usize, lane: usize, offset: usize, weight: f32, value: f32): void {
  store<f32>(dst + lane + offset, weight);
  store<f32>(dst + lane + offset + 4, value);
}
function require(holds: bool): void { if (!holds) broken++; }
function product(a: f32, b: f32): f32 {
  heaviestProduct = max(heaviestProduct, a * b);
  require(a * b <= 16);
  return a * b;
}
function square(a: f32): f32 { require(a <= 2); return a * a; }
function carried(a: f32): f32 { require(a <= 7); return 1.001; }
function reduced(weight: f32, value: f32): f32 {
  heaviestSum = max(heaviestSum, weight);
  largestSum = max(largestSum, value);
  require(weight <= 200 && value <= 2000);
  return 0.501 + value / 2500;
}
export function wideReduce(dst: usize, src: usize): void {
  const value0 = reduced(at(src, 112, 0), at(src, 116, 0));
  const value1 = reduced(at(src, 112, 128), at(src, 116, 128));
  field.wideReduce(dst, src);
  set(dst, 0, 56, 1, value0);
  set(dst, 64, 56, 1, value1);
}
function thrice(dst: usize, a: usize, z: usize): void {
  // 2 z is carried: at most 0.51 p, lifted by the Montgomery factor, which is 2521 p at most.
  require(most(z, 56, 64) <= 3.5);
  const weight: f32 = 3 * most(a, 112, 128) + 1;
  const value: f32 = 3 * most(a, 116, 128) + 1286;
  set(dst, 0, 112, weight, value);
  set(dst, 128, 112, weight, value);
}
export function wideThricePlusTwice(dst: usize, a: usize, z: usize): void {
  field.wideThricePlusTwice(dst, a, z);
  thrice(dst, a, z);
}
export function wideThriceMinusTwice(dst: usize, a: usize, z: usize): void {
  field.wideThriceMinusTwice(dst, a, z);
  thrice(dst, a, z);
}
export function pairZero(dst: usize): void {
  field.pairZero(dst);
  set(dst, 0, 56, 0, 0);
  set(dst, 64, 56, 0, 0);
}
export function pairFromWords(dst: usize, words0: usize, words1: usize): void {
  field.pairFromWords(dst, words0, words1);
  set(dst, 0, 56, 1, 0.51);
  set(dst, 64, 56, 1, 0.51);
}
export function pairToWords(words: usize, a: usize, lane: u32): void {
  require(most(a, 56, 64) <= 16);
  field.pairToWords(words, a, lane);
}
export function pairIsZero(a: usize): u32 {
  require(most(a, 56, 64) <= 16);
  return field.pairIsZero(a);
}
export function pairChoose(dst: usize, a: usize, b: usize, lanes: u32): void {
  const weight = max(most(a, 56, 64), most(b, 56, 64));
  const value = max(most(a, 60, 64), most(b, 60, 64));
  field.pairChoose(dst, a, b, lanes);
  set(dst, 0, 56, weight, value);
  set(dst, 64, 56, weight, value);
}
`;

interface Shape {
  /** Number of operands after dst. */
  readonly operands: readonly string[];
  /** Offset of the bounds of an operand and distance of its lanes; then those of the result. */
  readonly from: readonly [offset: number, lane: number];
  readonly to: readonly [offset: number, lane: number];
  /** Whether the two lanes have bounds of their own. */
  readonly isInLanes: boolean;
}

function weighedFunction(name: string, bounds: Bounds, shape: Shape): string {
  const [offset, lane] = shape.from;
  const [toOffset, toLane] = shape.to;
  const head = ["dst", ...shape.operands].map((operand) => `${operand}: usize`).join(", ");
  const lines = [0, 1].flatMap((l) => {
    const names: string[] = [];
    const local = (text: string) => text.replace(/\b([wv][abc])\b/g, `$1${l}`);
    for (const operand of shape.operands) {
      for (const [kind, at] of [["w", offset], ["v", offset + 4]]) {
        const bound = shape.isInLanes
          ? `at(${operand}, ${at}, ${l * lane})`
          : `most(${operand}, ${at}, ${lane})`;
        names.push(`const ${kind}${operand}${l} = ${bound};`);
      }
    }
    return [
      ...names,
      `const weight${l}: f32 = ${local(bounds.weight)};`,
      `const value${l}: f32 = ${local(bounds.value)};`,
    ];
  });
  return [
    `export function ${name}(${head}): void {`,
    ...lines,
    `field.${name}(${["dst", ...shape.operands].join(", ")});`,
    `set(dst, 0, ${toOffset}, weight0, value0);`,
    `set(dst, ${toLane}, ${toOffset}, weight1, value1);`,
    "}",
  ].join("\n");
}

/** The text of `bls/field.ts`. */
export function weighedField(): string {
  const pair = [56, 64] as const;
  const wide = [112, 128] as const;
  const functions = [
    { table: IN_LANES, from: pair, to: pair, isInLanes: true },
    { table: ACROSS_LANES, from: pair, to: pair, isInLanes: false },
    { table: WIDENING, from: pair, to: wide, isInLanes: false },
    { table: WIDE, from: wide, to: wide, isInLanes: false },
  ].flatMap(({ table, ...shape }) =>
    Object.entries(table).map(([name, bounds]) => {
      const three = name === "wideSubBoth" ? ["a", "b", "c"] : ["a", "b"];
      const operands = UNARY.test(name) ? ["a"] : three;
      return weighedFunction(name, bounds, { ...shape, operands });
    })
  );
  return RULES + functions.join("\n");
}

/** A constant's words with its bounds in the last word of each lane. */
export function weighed(words: readonly bigint[]): bigint[] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat32(0, 1, true);
  view.setFloat32(4, 0.5, true);
  return words.map((word, i) => i % 8 === 7 ? view.getBigUint64(0, true) : word);
}
