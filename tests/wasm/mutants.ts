/**
 * Mutants of a good module, with one fault each: a changed bit in a constant or table, a reversed
 * comparison, an inverted or fixed condition, or an operation replaced by a related one. A test suite
 * has to fail for them.
 *
 * @module
 */

import { type Bytes, concat } from "../../src/base/bytes.ts";
import {
  codeSection,
  type Edit,
  edited,
  functionsOf,
  type Instruction,
  instructionsOf,
  moduleOf,
  Reader,
  SectionId,
  sectionsOf,
  signed,
  vectorOf,
  type WasmFunction,
} from "./wasm_binary.ts";
import { Opcode } from "./wasm_opcodes.ts";

/** Kinds of faults. */
export type Fault = "table" | "constant" | "comparison" | "condition" | "operation";

export interface Mutant {
  readonly fault: Fault;
  /** The change and its place; unique within a module. */
  readonly name: string;
  readonly bytes: () => Bytes;
}

const SIMD = Opcode.prefixSimd << 12;

/** Pairs of related opcodes. */
type Pairs = readonly (readonly [number, number])[];

/** eq and ne, lt and ge, gt and le, of i32 and i64, and of the vectors that kernels compare. */
const COMPARISONS: Pairs = [
  [0x46, 0x47],
  [0x48, 0x4e],
  [0x49, 0x4f],
  [0x4a, 0x4c],
  [0x4b, 0x4d],
  [0x51, 0x52],
  [0x53, 0x59],
  [0x54, 0x5a],
  [0x55, 0x57],
  [0x56, 0x58],
  [SIMD | 0x37, SIMD | 0x38],
  [SIMD | 0xd6, SIMD | 0xd7],
];

/**
 * add and sub, and and or, shifts and rotations, of scalars and vectors. An xor becomes an and: where
 * no bit is set on both sides, as in SHA-256, an or would be the same.
 */
const OPERATIONS: Pairs = [
  [0x6a, 0x6b],
  [0x71, 0x72],
  [0x73, 0x71],
  [0x74, 0x76],
  [0x77, 0x78],
  [0x7c, 0x7d],
  [0x83, 0x84],
  [0x85, 0x83],
  [0x86, 0x88],
  [0x89, 0x8a],
  [0x6c, 0x6a],
  [0x7e, 0x7c],
  [0xa0, 0xa1],
  [0xa2, 0xa0],
  [SIMD | 0x4e, SIMD | 0x50],
  [SIMD | 0x51, SIMD | 0x4e],
  [SIMD | 0xae, SIMD | 0xb1],
  [SIMD | 0xce, SIMD | 0xd1],
  [SIMD | 0xab, SIMD | 0xad],
  [SIMD | 0xcb, SIMD | 0xcd],
  [SIMD | 0xcc, SIMD | 0xcd],
  [SIMD | 0xf0, SIMD | 0xf1],
  [SIMD | 0xf2, SIMD | 0xf0],
  [SIMD | 0xd5, SIMD | 0xce],
  [SIMD | 0x107, SIMD | 0x108],
];

function relatives(pairs: Pairs): ReadonlyMap<number, number> {
  return new Map([...pairs.map(([a, b]) => [b, a] as const), ...pairs]);
}

const COMPARED = relatives(COMPARISONS);
const OPERATED = relatives(OPERATIONS);

function opcodeBytes(opcode: number): Bytes {
  if (opcode < 0x100) return Uint8Array.of(opcode);
  const number = opcode & 0xfff;
  const prefix = opcode >> 12;
  return number < 128
    ? Uint8Array.of(prefix, number)
    : Uint8Array.of(prefix, number & 0x7f | 0x80, number >> 7);
}

/** One change of one instruction. */
interface Change {
  readonly fault: Fault;
  readonly what: string;
  readonly edit: Edit;
}

/**
 * Changes one word in place: of 4 bytes or fewer in its second lowest bit, since tables of odd digits do
 * without the lowest; of 8, which may be a float, in the middle of its mantissa. A zero of 8 bytes
 * becomes the float 1: a tiny float would vanish.
 */
function breakWord(word: Uint8Array): void {
  if (word.length < 8) word[0]! ^= 2;
  else if (word.every((byte) => byte === 0)) word.set([0xf0, 0x3f], 6);
  else word[3]! ^= 2;
}

/** Changes the lowest bit of a constant, or a bit of each half of a vector. */
function constantChanges(module: Uint8Array, { opcode, at, end }: Instruction): Change[] {
  const change = (what: string, bytes: Uint8Array): Change => ({
    fault: "constant",
    what,
    edit: { at, end, bytes },
  });
  if (opcode === Opcode.i32Const || opcode === Opcode.i64Const) {
    const value = new Reader(module, at + 1).signed();
    return [
      change(`${value} to ${value ^ 1n}`, concat(opcodeBytes(opcode), signed(value ^ 1n))),
    ];
  }
  const width = { [Opcode.f64Const]: 8, [Opcode.v128Const]: 16 }[opcode];
  if (width === undefined) return [];
  const places = width === 8 ? [0] : [0, 8];
  return places.map((place) => {
    const bytes = module.slice(at, end);
    const start = bytes.length - width + place;
    breakWord(bytes.subarray(start, start + 8));
    return change(`word ${place / 8} of ${module.slice(end - width, end).toHex()}`, bytes);
  });
}

function relativeChange(
  fault: Fault,
  { opcode, at }: Instruction,
  pairs: ReadonlyMap<number, number>,
): Change[] {
  const relative = pairs.get(opcode);
  if (relative === undefined) return [];
  const end = at + opcodeBytes(opcode).length;
  const what = `opcode ${opcode.toString(16)} to ${relative.toString(16)}`;
  return [{ fault, what, edit: { at, end, bytes: opcodeBytes(relative) } }];
}

/** Inverts the condition of a branch, or fixes it to false or true. */
function conditionChanges({ opcode, at }: Instruction): Change[] {
  const conditional: number[] = [Opcode.if, Opcode.brIf, Opcode.select, Opcode.selectTyped];
  if (!conditional.includes(opcode)) return [];
  const before = (what: string, ...bytes: number[]): Change => ({
    fault: "condition",
    what: `condition of ${opcode.toString(16)} ${what}`,
    edit: { at, end: at, bytes: Uint8Array.from(bytes) },
  });
  return [
    before("inverted", Opcode.i32Eqz),
    before("never met", Opcode.drop, Opcode.i32Const, 0),
    before("always met", Opcode.drop, Opcode.i32Const, 1),
  ];
}

function changesOf(module: Uint8Array, instruction: Instruction): Change[] {
  return [
    ...constantChanges(module, instruction),
    ...relativeChange("comparison", instruction, COMPARED),
    ...relativeChange("operation", instruction, OPERATED),
    ...conditionChanges(instruction),
  ];
}

function withSection(module: Uint8Array, id: number, contents: Uint8Array): Bytes {
  const sections = sectionsOf(module);
  return moduleOf(sections.map((section) => section.id === id ? { id, contents } : section));
}

function withEdit(
  module: Uint8Array,
  functions: readonly WasmFunction[],
  changed: WasmFunction,
  edit: Edit,
): Bytes {
  const bodies = functions.map(({ at, end, index }) =>
    edited(module, at, end, index === changed.index ? [edit] : [])
  );
  return withSection(module, SectionId.code, codeSection(bodies));
}

/** Names of exported functions by index. */
function exportNames(module: Uint8Array): ReadonlyMap<number, string> {
  const { reader, count } = vectorOf(module, SectionId.export);
  const names = new Map<number, string>();
  for (let rest = count; rest > 0; rest--) {
    const name = new TextDecoder().decode(reader.take(reader.unsigned()));
    const kind = reader.byte();
    const index = reader.unsigned();
    if (kind === 0) names.set(index, name);
  }
  return names;
}

function codeMutants(module: Uint8Array): Mutant[] {
  const functions = functionsOf(module);
  const names = exportNames(module);
  return functions.flatMap((func) => {
    const place = `${names.get(func.index) ?? "function"} (${func.index})`;
    const changes = instructionsOf(module, func).flatMap((instruction) =>
      changesOf(module, instruction)
    );
    return changes.map(({ fault, what, edit }): Mutant => ({
      fault,
      name: `${place} at ${edit.at}: ${what}`,
      bytes: () => withEdit(module, functions, func, edit),
    }));
  });
}

/** The layout of a module's tables. */
export interface Tables {
  /** Bytes of a word; words are little-endian and aligned. */
  readonly wordLength: number;
  /** Reports whether a word may change without effect: no code or no known input depends on it. */
  readonly isFree?: (word: Uint8Array) => boolean;
}

/** Breaks every word of every active data segment: limbs, round constants, tables. */
function tableMutants(module: Uint8Array, { wordLength, isFree }: Tables): Mutant[] {
  const { reader, count } = vectorOf(module, SectionId.data);
  const mutants: Mutant[] = [];
  for (let rest = count; rest > 0; rest--) {
    if (reader.unsigned() !== 0 || reader.byte() !== Opcode.i32Const) {
      throw new RangeError("Cannot mutate module: data is not active at a constant address");
    }
    const address = Number(reader.signed());
    reader.byte();
    const length = reader.unsigned();
    const start = reader.at;
    reader.take(length);
    // A segment may begin within a word: the optimizer leaves out zeros.
    for (let offset = -(address % wordLength); offset < length; offset += wordLength) {
      const from = Math.max(offset, 0);
      const to = Math.min(offset + wordLength, length);
      if (isFree?.(module.subarray(start + from, start + to))) continue;
      mutants.push(tableMutant(module, start + from, start + to, address + from));
    }
  }
  return mutants;
}

function tableMutant(module: Uint8Array, at: number, end: number, address: number): Mutant {
  return {
    fault: "table",
    name: `word at address ${address}`,
    bytes() {
      const bytes = module.slice();
      breakWord(bytes.subarray(at, end));
      return bytes;
    },
  };
}

/** Every mutant of `module`. */
export function mutantsOf(module: Uint8Array, tables: Tables): Mutant[] {
  return [...tableMutants(module, tables), ...codeMutants(module)];
}
