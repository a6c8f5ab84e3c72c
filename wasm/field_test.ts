/**
 * Tests every function of both builds of the field of BLS12-381 against integers. Compiles a test
 * entry, because the product's modules do not export the field.
 *
 * @module
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { BLS_MODULES } from "./bls_modules.ts";
import { compileModule } from "./compile.ts";
import { type Fp2, inverse, modulo, multiplyFp2, P } from "./generate/parameters.ts";

const BOUNDARIES = [0n, 1n, 2n, P - 1n, P - 2n, (P - 1n) / 2n, (P + 1n) / 2n, 1n << 380n];
const RANDOM_CASES = 100;

type FieldFunction = (...operands: number[]) => number;

/** An instance of one build's field, with memory for operands. */
class Field {
  readonly #exports: Readonly<Record<string, FieldFunction>>;
  readonly #words: BigUint64Array;
  readonly #scratch: number;

  constructor(instance: WebAssembly.Instance) {
    const memory = instance.exports["memory"] as WebAssembly.Memory;
    this.#scratch = 65_536 * memory.grow(1);
    this.#words = new BigUint64Array(memory.buffer);
    this.#exports = instance.exports as unknown as Record<string, FieldFunction>;
  }

  static async compile(name: string): Promise<Field> {
    const module = BLS_MODULES.find((module) => module.name === name);
    assert.ok(module);
    // Without the module's fixed size: the operands get a separate page.
    const { pages: _pages, ...row } = module;
    const { bytes } = await compileModule({ ...row, entry: "bls/field_entry.ts" });
    return new Field((await WebAssembly.instantiate(bytes)).instance);
  }

  /** The address of operand `i`: a pair or an unreduced product. */
  place(i: number): number {
    return this.#scratch + 1024 + 256 * i;
  }

  /** Calls a function with operands by their number; larger numbers are passed unchanged. */
  call(name: string, ...operands: number[]): number {
    const exported = this.#exports[name];
    assert.ok(exported, name);
    return exported(...operands);
  }

  /** Writes an integer as 6 words into the region of integers, as number `i` of it. */
  putInteger(i: number, value: bigint): number {
    const place = this.#scratch + 48 * i;
    for (let word = 0; word < 6; word++) {
      this.#words[place / 8 + word] = BigInt.asUintN(64, value >> BigInt(64 * word));
    }
    return place;
  }

  getInteger(i: number): bigint {
    let value = 0n;
    for (let word = 5; word >= 0; word--) {
      value = value << 64n | this.#words[this.#scratch / 8 + 6 * i + word]!;
    }
    return value;
  }

  put(i: number, [lane0, lane1]: Fp2): void {
    const [words0, words1] = [this.putInteger(0, lane0), this.putInteger(1, lane1)];
    this.call("pairFromWords", this.place(i), words0, words1);
  }

  get(i: number): Fp2 {
    const [lane0, lane1] = [0, 1].map((lane) => {
      this.call("pairToWords", this.#scratch, this.place(i), lane);
      return this.getInteger(0);
    });
    return [lane0!, lane1!];
  }
}

type Lanes = (a: bigint, b: bigint) => bigint;

const inLanes = (lane: Lanes) => (a: Fp2, b: Fp2): Fp2 => [lane(a[0], b[0]), lane(a[1], b[1])];
const xi = ([c0, c1]: Fp2): Fp2 => [c0 - c1, c0 + c1];

/** Functions (dst, a) and (dst, a, b) of pairs, with their expected results. */
const PAIR_FUNCTIONS: Readonly<Record<string, (a: Fp2, b: Fp2) => Fp2>> = {
  pairMul: inLanes((a, b) => a * b),
  pairSqr: inLanes((a) => a * a),
  fp2Mul: multiplyFp2,
  fp2Sqr: (a) => multiplyFp2(a, a),
  pairAdd: inLanes((a, b) => a + b),
  pairSub: inLanes((a, b) => a - b),
  pairDbl: inLanes((a) => 2n * a),
  pairNeg: inLanes((a) => -a),
  pairCopy: (a) => a,
  pairCarry: (a) => a,
  pairMul12: inLanes((a) => 12n * a),
  pairZero: () => [0n, 0n],
  pairSwap: ([a0, a1]) => [a1, a0],
  pairMerge: ([a0], [, b1]) => [a0, b1],
  pairSplat0: ([a0]) => [a0, a0],
  pairSplat1: ([, a1]) => [a1, a1],
  fp2Conj: ([a0, a1]) => [a0, -a1],
  fp2MulXi: xi,
};

/** Functions (dst, a, b, c) of unreduced products; these, from operands 0, 1: a b, a^2, b^2. */
const WIDE_FUNCTIONS: Readonly<Record<string, (a: Fp2, b: Fp2, c: Fp2) => Fp2>> = {
  wideCopy: (a) => a,
  wideAdd: inLanes((a, b) => a + b),
  wideSub: inLanes((a, b) => a - b),
  wideMulXi: xi,
  wideAddXi: (a, b) => inLanes((a, b) => a + b)(a, xi(b)),
  wideSubBoth: (a, b, c) => [a[0] - b[0] - c[0], a[1] - b[1] - c[1]],
};

const canonical = ([c0, c1]: Fp2): Fp2 => [modulo(c0, P), modulo(c1, P)];

function randomElement(): bigint {
  return BigInt(`0x${randomBytes(64).toString("hex")}`) % P;
}

function* operands(): Generator<[a: Fp2, b: Fp2]> {
  for (const a of BOUNDARIES) {
    for (const b of BOUNDARIES) yield [[a, b], [b, BOUNDARIES[3]!]];
  }
  for (let i = 0; i < RANDOM_CASES; i++) {
    yield [[randomElement(), randomElement()], [randomElement(), randomElement()]];
  }
}

/** The result at a separate address, and at that of either operand. */
function checkPairs(field: Field, a: Fp2, b: Fp2): void {
  for (const [name, expected] of Object.entries(PAIR_FUNCTIONS)) {
    for (const dst of [2, 0, 1]) {
      field.put(0, a);
      field.put(1, b);
      field.call(name, field.place(dst), field.place(0), field.place(1));
      assert.deepEqual(field.get(dst), canonical(expected(a, b)), `${name} into ${dst}`);
    }
  }
  field.put(0, a);
  field.put(1, b);
  for (let lanes = 0; lanes < 4; lanes++) {
    field.call("pairChoose", field.place(2), field.place(0), field.place(1), lanes);
    const expected = [0, 1].map((l) => (lanes >> l & 1 ? a : b)[l]);
    assert.deepEqual(field.get(2), expected, `pairChoose ${lanes}`);
  }
  const zeros = Number(a[0] === 0n) + 2 * Number(a[1] === 0n);
  assert.equal(field.call("pairIsZero", field.place(0)), zeros);
  field.call("pairSub", field.place(2), field.place(0), field.place(0));
  assert.equal(field.call("pairIsZero", field.place(2)), 3);
}

function checkWides(field: Field, a: Fp2, b: Fp2): void {
  const products = [
    ["wideFp2Mul", multiplyFp2(a, b)],
    ["wideFp2Sqr", multiplyFp2(a, a)],
    ["wideMul", inLanes((a, b) => a * b)(a, b)],
    ["wideSqr", inLanes((a) => a * a)(a, a)],
  ] as const;
  field.put(0, a);
  field.put(1, b);
  for (const [i, [name, expected]] of products.entries()) {
    field.call(name, field.place(3 + i), field.place(0), field.place(1));
    field.call("wideReduce", field.place(2), field.place(3 + i));
    assert.deepEqual(field.get(2), canonical(expected), name);
  }
  const [x, y, z] = products.map(([, expected]) => expected) as unknown as [Fp2, Fp2, Fp2];
  for (const [name, expected] of Object.entries(WIDE_FUNCTIONS)) {
    for (const dst of [7, 8, 9, 10]) {
      for (let i = 0; i < 3; i++) field.call("wideCopy", field.place(8 + i), field.place(3 + i));
      field.call(name, field.place(dst), ...[8, 9, 10].map((i) => field.place(i)));
      field.call("wideReduce", field.place(2), field.place(dst));
      assert.deepEqual(field.get(2), canonical(expected(x, y, z)), `${name} into ${dst}`);
    }
  }
}

/** The heaviest operands that the weights allow, by repeated sums of both signs. */
function checkWeights(field: Field, a: Fp2, b: Fp2): void {
  const heavy = (dst: number, value: Fp2, weight: number, sign: "pairAdd" | "pairSub") => {
    field.put(dst, value);
    // Weight 1, because conversion ends with a product.
    field.put(11, value);
    for (let i = 1; i < weight; i++) {
      field.call(sign, field.place(dst), field.place(dst), field.place(11));
    }
    const factor = BigInt(sign === "pairAdd" ? weight : 2 - weight);
    return inLanes((c) => c * factor)(value, value);
  };
  for (const sign of ["pairAdd", "pairSub"] as const) {
    const [four, alsoFour] = [heavy(0, a, 4, sign), heavy(1, b, 4, sign)];
    for (const [name, expected] of Object.entries(PAIR_FUNCTIONS)) {
      if (!/Mul$/.test(name)) continue;
      field.call(name, field.place(2), field.place(0), field.place(1));
      assert.deepEqual(field.get(2), canonical(expected(four, alsoFour)), `${name} ${sign}`);
    }
    const seven = heavy(0, a, 7, sign);
    for (const name of ["pairCarry", "pairMul12"]) {
      field.call(name, field.place(2), field.place(0));
      const expected = PAIR_FUNCTIONS[name]!(seven, seven);
      assert.deepEqual(field.get(2), canonical(expected), `${name} ${sign}`);
    }
  }
}

/**
 * z -> 3 z^2 - 2 z, as in the cyclotomic subgroup, keeps z in sums for ever: without taking multiples
 * of p off, its value would double each time.
 */
function checkFeedback(field: Field, start: Fp2): void {
  for (
    const [name, sign] of [["wideThriceMinusTwice", -2n], ["wideThricePlusTwice", 2n]] as const
  ) {
    let expected = start;
    field.put(0, start);
    for (let i = 0; i < 200; i++) {
      field.call("wideFp2Sqr", field.place(3), field.place(0));
      const dst = field.place(i % 2 === 0 ? 3 : 4);
      field.call(name, dst, field.place(3), field.place(0));
      field.call("wideReduce", field.place(0), dst);
      const square = multiplyFp2(expected, expected);
      expected = canonical(inLanes((s, z) => 3n * s + sign * z)(square, expected));
    }
    assert.deepEqual(field.get(0), expected, name);
  }
}

const inverseOrZero = (value: bigint): bigint => value === 0n ? 0n : inverse(value, P);

/** Inverses of integers and of pairs, whose lanes share one inversion. */
function checkInverses(field: Field, value: Fp2): void {
  for (const dst of [0, 1]) {
    const from = field.putInteger(0, value[0]);
    field.call("wordsInverse", from + 48 * dst, from);
    assert.equal(field.getInteger(dst), inverseOrZero(value[0]), `into ${dst}`);
  }
  for (const dst of [0, 1]) {
    field.put(0, value);
    field.call("pairInverse", field.place(dst), field.place(0));
    assert.deepEqual(field.get(dst), value.map(inverseOrZero), `into ${dst}`);
  }
}

for (const { name } of BLS_MODULES) {
  Deno.test(`field of ${name} agrees with integers on every function`, async () => {
    const field = await Field.compile(name);
    let cases = 0;
    for (const [a, b] of operands()) {
      checkPairs(field, a, b);
      checkWides(field, a, b);
      checkWeights(field, a, b);
      checkFeedback(field, a);
      checkInverses(field, a);
      cases++;
    }
    assert.equal(cases, BOUNDARIES.length ** 2 + RANDOM_CASES);
  });
}
