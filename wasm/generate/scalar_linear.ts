/**
 * Writes sums, moves and carries of the field for engines without vector instructions.
 *
 * @module
 */

import { P } from "./parameters.ts";
import {
  balancedDigits,
  LANE,
  type ScalarWriter,
  type Values,
  WIDE_LANE,
  WORD_BITS,
  WORDS,
} from "./scalar_writer.ts";

type WordOf = (word: number) => string;

/** A function that computes the words of both lanes; all are read before one is written. */
function writeEach(
  out: ScalarWriter,
  head: string,
  lane: number,
  lane0: WordOf,
  lane1: WordOf,
): void {
  const count = lane === LANE ? WORDS : 2 * WORDS;
  out.function(head, () => {
    for (let i = 0; i < count; i++) {
      const values = [lane0(i), lane1(i)].map((value) => out.value(value));
      values.forEach((value, l) => out.store("dst", lane * l + 8 * i, [value]));
    }
  });
}

/** The name of word i of one lane of an operand. */
function words(pointer: string, lane: number, l: number): WordOf {
  return (i) => `load<i64>(${pointer}, ${lane * l + 8 * i})`;
}

/** Sums and copies, of elements (`pair`) or of unreduced products (`wide`). */
function writeSums(out: ScalarWriter, name: string, lane: number): void {
  const lanes = (value: (l: number) => WordOf): [WordOf, WordOf] => [value(0), value(1)];
  const a = (l: number) => words("a", lane, l);
  const b = (l: number) => words("b", lane, l);
  writeEach(out, `${name}Copy(dst: usize, a: usize)`, lane, ...lanes(a));
  for (const [title, sign] of [["Add", "+"], ["Sub", "-"]]) {
    const head = `${name}${title}(dst: usize, a: usize, b: usize)`;
    writeEach(out, head, lane, ...lanes((l) => (i) => `${a(l)(i)} ${sign} ${b(l)(i)}`));
  }
}

// (x0 + x1 u)(1 + u) = x0 - x1 + (x0 + x1) u.
function xi(pointer: string, lane: number): [WordOf, WordOf] {
  const [x0, x1] = [words(pointer, lane, 0), words(pointer, lane, 1)];
  return [(i) => `${x0(i)} - ${x1(i)}`, (i) => `${x0(i)} + ${x1(i)}`];
}

function writeWideSums(out: ScalarWriter): void {
  writeSums(out, "wide", WIDE_LANE);
  const [a0, a1] = [words("a", WIDE_LANE, 0), words("a", WIDE_LANE, 1)];
  const plusXi = xi("b", WIDE_LANE);
  writeEach(out, "wideMulXi(dst: usize, a: usize)", WIDE_LANE, ...xi("a", WIDE_LANE));
  writeEach(
    out,
    "wideAddXi(dst: usize, a: usize, b: usize)",
    WIDE_LANE,
    (i) => `${a0(i)} + (${plusXi[0](i)})`,
    (i) => `${a1(i)} + (${plusXi[1](i)})`,
  );
  const both = (l: number): WordOf => (i) =>
    `${words("a", WIDE_LANE, l)(i)} - ${words("b", WIDE_LANE, l)(i)} - ` +
    words("c", WIDE_LANE, l)(i);
  const head = "wideSubBoth(dst: usize, a: usize, b: usize, c: usize)";
  writeEach(out, head, WIDE_LANE, both(0), both(1));
}

function writeMoves(out: ScalarWriter): void {
  const [a0, a1] = [words("a", LANE, 0), words("a", LANE, 1)];
  const [b0, b1] = [words("b", LANE, 0), words("b", LANE, 1)];
  const negative = (value: WordOf): WordOf => (i) => `0 - ${value(i)}`;
  const unary = (name: string, lane0: WordOf, lane1: WordOf) =>
    writeEach(out, `${name}(dst: usize, a: usize)`, LANE, lane0, lane1);
  writeEach(out, "pairZero(dst: usize)", LANE, () => "0", () => "0");
  unary("pairNeg", negative(a0), negative(a1));
  unary("fp2Conj", a0, negative(a1));
  unary("fp2MulXi", ...xi("a", LANE));
  unary("pairSwap", a1, a0);
  unary("pairSplat0", a0, a0);
  unary("pairSplat1", a1, a1);
  writeEach(out, "pairMerge(dst: usize, a: usize, b: usize)", LANE, a0, b1);
  // Lane l is that of `a` where bit l of `lanes` is set, and of `b` otherwise: by masks.
  const choose = (l: number, a: WordOf, b: WordOf): WordOf => (i) =>
    `${b(i)} ^ ((${a(i)} ^ ${b(i)}) & (0 - <i64>((lanes >> ${l}) & 1)))`;
  const head = "pairChoose(dst: usize, a: usize, b: usize, lanes: u32)";
  writeEach(out, head, LANE, choose(0, a0, b0), choose(1, a1, b1));
}

/** Bits after the point of the quotient of a top word by the modulus. */
const QUOTIENT_BITS = 56n;
const TOP_PER_MODULUS = (1n << QUOTIENT_BITS + WORD_BITS * BigInt(WORDS - 1)) / P;

/**
 * Subtracts the nearest multiple of p, computed from the top word, and carries once in each word in
 * parallel: values are then at most 0.51 p and words at most 2^55 + 2^7 in magnitude.
 */
function carried(out: ScalarWriter, from: Values): Values {
  const half = 1n << WORD_BITS - 1n;
  const modulus = balancedDigits(P, WORD_BITS, WORDS);
  const scaled = `${from.at(-1)} * ${TOP_PER_MODULUS} + ${1n << QUOTIENT_BITS - 1n}`;
  const quotient = out.value(`(${scaled}) >> ${QUOTIENT_BITS}`);
  const rests = from.map((word, i) => out.value(`${word} - ${quotient} * ${modulus[i]}`));
  return rests.map((word, i) => {
    const rest = i < WORDS - 1 ? `((${word} << 8) >> 8)` : word;
    const carry = i === 0 ? "0" : `((${rests[i - 1]} + ${half}) >> ${WORD_BITS})`;
    return out.value(`${rest} + ${carry}`);
  });
}

function writeCarries(out: ScalarWriter): void {
  out.function("pairCarry(dst: usize, a: usize)", () => {
    for (const offset of [0, LANE]) {
      out.store("dst", offset, carried(out, out.load("a", offset, WORDS)));
    }
  });
  out.function("pairMul12(dst: usize, a: usize)", () => {
    for (const offset of [0, LANE]) {
      const small = carried(out, out.load("a", offset, WORDS));
      out.store("dst", offset, carried(out, small.map((word) => out.value(`${word} * 12`))));
    }
  });
}

/** Everything but products. */
export function writeLinear(out: ScalarWriter): void {
  writeSums(out, "pair", LANE);
  writeWideSums(out);
  writeMoves(out);
  writeCarries(out);
}
