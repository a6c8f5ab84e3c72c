/**
 * A small module whose functions each use a secret in one way: controls of the trace, most of which
 * leak.
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../src/base/bytes.ts";
import { codeSection, moduleOf, unsigned } from "./wasm_binary.ts";

/** Each takes a secret and answers a number. */
export type ToyFunctions = Readonly<Record<string, (secret: number) => number>>;

const SECRET = [0x20, 0];
const CONSTANT = (value: number) => [0x41, value];
const AND = 0x71;
const XOR = 0x73;

/** A load or store of 4 bytes, aligned, at offset 0. */
const ACCESS = (opcode: number) => [opcode, 2, 0];

/**
 * 3^secret modulo 2^32 by square and multiply over 6 bits in locals: 1 is the result, 2 the bit.
 * `multiply` puts the product by 3 in the result where the bit is set.
 */
function power(multiply: readonly number[]): number[] {
  const bits = [5, 4, 3, 2, 1, 0].flatMap((bit) => [
    0x20,
    1,
    0x20,
    1,
    0x6c,
    0x21,
    1,
    ...SECRET,
    ...CONSTANT(bit),
    0x76,
    ...CONSTANT(1),
    AND,
    0x21,
    2,
    ...multiply,
  ]);
  return [...CONSTANT(1), 0x21, 1, ...bits, 0x20, 1];
}

/** By name, the instructions of each function, without the last `end`. */
const BODIES: Readonly<Record<string, readonly number[]>> = {
  // result += result * 2 * bit: a product by 3 or by 1, always made.
  constantPower: power([0x20, 1, 0x20, 1, ...CONSTANT(1), 0x74, 0x20, 2, 0x6c, 0x6a, 0x21, 1]),
  // if (bit) result *= 3
  branchPower: power([0x20, 2, 0x04, 0x40, 0x20, 1, ...CONSTANT(3), 0x6c, 0x21, 1, 0x0b]),
  // result = bit ? result * 3 : result
  selectPower: power([0x20, 1, ...CONSTANT(3), 0x6c, 0x20, 1, 0x20, 2, 0x1b, 0x21, 1]),
  // block { br_if 0 (bit == 0); result *= 3 }
  skipPower: power([
    0x02,
    0x40,
    0x20,
    2,
    0x45,
    0x0d,
    0,
    0x20,
    1,
    ...CONSTANT(3),
    0x6c,
    0x21,
    1,
    0x0b,
  ]),
  constantAddress: [...CONSTANT(16), ...SECRET, ...ACCESS(0x36), ...CONSTANT(16), ...ACCESS(0x28)],
  loadAddress: [...SECRET, ...CONSTANT(60), AND, ...ACCESS(0x28)],
  storeAddress: [...SECRET, ...CONSTANT(60), AND, ...CONSTANT(1), ...ACCESS(0x36), ...CONSTANT(7)],
  longStoreAddress: [...SECRET, ...CONSTANT(56), AND, 0x42, 1, 0x37, 3, 0, ...CONSTANT(7)],
  vectorAddress: [
    ...SECRET,
    ...CONSTANT(32),
    AND,
    0xfd,
    0,
    4,
    0,
    0xfd,
    27,
    0,
  ],
  laneAddress: [
    ...SECRET,
    ...CONSTANT(60),
    AND,
    ...CONSTANT(0),
    0xfd,
    17,
    0xfd,
    90,
    2,
    0,
    1,
    ...CONSTANT(7),
  ],
  copyLength: [
    ...CONSTANT(0),
    ...CONSTANT(32),
    ...SECRET,
    ...CONSTANT(7),
    AND,
    0xfc,
    10,
    0,
    0,
    ...CONSTANT(7),
  ],
  division: [...CONSTANT(63), ...SECRET, ...CONSTANT(1), 0x72, 0x6e],
  longDivision: [
    0x42,
    63,
    ...SECRET,
    0xad,
    0x42,
    1,
    0x84,
    0x80,
    0xa7,
  ],
  table: [
    0x02,
    0x40,
    0x02,
    0x40,
    ...SECRET,
    ...CONSTANT(1),
    AND,
    0x0e,
    1,
    0,
    1,
    0x0b,
    0x0b,
    ...SECRET,
    ...CONSTANT(5),
    XOR,
  ],
};

/** The names, in the order of the functions' indices. */
export const TOY_NAMES: readonly string[] = Object.keys(BODIES);

/** The functions that do not leak. */
export const CONSTANT_TIME: readonly string[] = ["constantPower", "constantAddress"];

export function toyModule(): Bytes {
  const type = Uint8Array.of(1, 0x60, 1, 0x7f, 1, 0x7f);
  const indices = Uint8Array.of(TOY_NAMES.length, ...TOY_NAMES.map(() => 0));
  const exported = TOY_NAMES.flatMap((
    name,
    index,
  ) => [unsigned(name.length), utf8(name), Uint8Array.of(0, index)]);
  // Two locals in addition to the secret.
  const bodies = Object.values(BODIES).map((body) => Uint8Array.of(1, 2, 0x7f, ...body, 0x0b));
  return moduleOf([
    { id: 1, contents: type },
    { id: 3, contents: indices },
    { id: 5, contents: Uint8Array.of(1, 1, 1, 1) },
    { id: 7, contents: concat(unsigned(TOY_NAMES.length), ...exported) },
    { id: 10, contents: codeSection(bodies) },
  ]);
}
