/**
 * Reads and rewrites the binary format of WebAssembly modules (core specification, chapter 5):
 * sections, functions and instructions by their offset.
 *
 * @module
 */

import { type Bytes, concat } from "../../src/base/bytes.ts";
import { lengthOfImmediates, Opcode } from "./wasm_opcodes.ts";

/** Section ids of section 5.5.2. */
export const SectionId = {
  type: 1,
  import: 2,
  function: 3,
  global: 6,
  export: 7,
  code: 10,
  data: 11,
} as const;

/** Type bytes of section 5.3. */
export const ValueType = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;

/** A cursor over bytes. */
export class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new RangeError("Cannot read module: it ends early");
    return byte;
  }

  /** An unsigned LEB128 number below 2^53. */
  unsigned(): number {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** A signed LEB128 number. */
  signed(): bigint {
    let value = 0n;
    for (let shift = 0n;; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(Number(shift) + 7, value);
    }
  }

  take(length: number): Uint8Array {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** Unsigned LEB128. */
export function unsigned(value: number): Bytes {
  const bytes: number[] = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push(value % 128 | 0x80);
  return Uint8Array.of(...bytes, value);
}

/** Signed LEB128. */
export function signed(value: bigint): Bytes {
  const bytes: number[] = [];
  for (; value < -64n || value > 63n; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(value & 0x7fn));
}

/** A section: its id and its contents, which begin at byte `at` of the module. */
export interface Section {
  readonly id: number;
  readonly at: number;
  readonly contents: Uint8Array;
}

export interface Instruction {
  readonly opcode: number;
  /** From the first byte of the opcode to behind the last one of the immediates, in the module. */
  readonly at: number;
  readonly end: number;
}

/** A function that the module defines. Offsets are in the module. */
export interface WasmFunction {
  /** In the index space that begins with imported functions. */
  readonly index: number;
  readonly typeIndex: number;
  /** Where the declarations of locals begin, where the instructions do, and the end. */
  readonly at: number;
  readonly bodyAt: number;
  readonly end: number;
  /** Declared locals, without the parameters. */
  readonly locals: number;
}

const HEADER_LENGTH = 8;

export function sectionsOf(module: Uint8Array): Section[] {
  const reader = new Reader(module, HEADER_LENGTH);
  const sections: Section[] = [];
  while (reader.at < module.length) {
    const id = reader.byte();
    const length = reader.unsigned();
    sections.push({ id, at: reader.at, contents: reader.take(length) });
  }
  return sections;
}

/** The module of these sections. */
export function moduleOf(sections: readonly Pick<Section, "id" | "contents">[]): Bytes {
  const header = Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00);
  const parts = sections.flatMap((
    { id, contents },
  ) => [Uint8Array.of(id), unsigned(contents.length), contents]);
  return concat(header, ...parts);
}

/** A cursor behind the count of section `id`, and the count; 0 where there is no such section. */
export function vectorOf(module: Uint8Array, id: number): { reader: Reader; count: number } {
  const section = sectionsOf(module).find((section) => section.id === id);
  if (section === undefined) return { reader: new Reader(module), count: 0 };
  const reader = new Reader(module, section.at);
  return { reader, count: reader.unsigned() };
}

/** How many parameters each function type has. */
export function parameterCounts(module: Uint8Array): number[] {
  const { reader, count } = vectorOf(module, SectionId.type);
  return Array.from({ length: count }, () => {
    if (reader.byte() !== 0x60) throw new RangeError("Cannot read module: not a function type");
    const parameters = reader.take(reader.unsigned()).length;
    reader.take(reader.unsigned());
    return parameters;
  });
}

/** How many functions and globals the module imports. */
export function importCounts(module: Uint8Array): { functions: number; globals: number } {
  // No address of the module is needed: its own description is enough.
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(module.slice()));
  const count = (kind: string) => imports.filter((entry) => entry.kind === kind).length;
  return { functions: count("function"), globals: count("global") };
}

/** Every function that the module defines, in order. */
export function functionsOf(module: Uint8Array): WasmFunction[] {
  const imported = importCounts(module).functions;
  const { reader: types } = vectorOf(module, SectionId.function);
  const { reader, count } = vectorOf(module, SectionId.code);
  return Array.from({ length: count }, (_, position) => {
    const length = reader.unsigned();
    const at = reader.at;
    let locals = 0;
    for (let groups = reader.unsigned(); groups > 0; groups--) {
      locals += reader.unsigned();
      reader.byte();
    }
    const bodyAt = reader.at;
    reader.at = at + length;
    const typeIndex = types.unsigned();
    return { index: imported + position, typeIndex, at, bodyAt, end: reader.at, locals };
  });
}

/** Every instruction of a function, the closing `end` too. */
export function instructionsOf(module: Uint8Array, { bodyAt, end }: WasmFunction): Instruction[] {
  const reader = new Reader(module, bodyAt);
  const instructions: Instruction[] = [];
  while (reader.at < end) {
    const at = reader.at;
    let opcode = reader.byte();
    if (opcode === Opcode.prefixMisc || opcode === Opcode.prefixSimd) {
      opcode = opcode << 12 | reader.unsigned();
    }
    lengthOfImmediates(opcode, reader);
    instructions.push({ opcode, at, end: reader.at });
  }
  return instructions;
}

/** A piece of a function to put in place of the bytes from `at` to `end`, which may be equal. */
export interface Edit {
  readonly at: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

/** The bytes from `start` to `end` with `edits` made, which are in order and do not overlap. */
export function edited(
  module: Uint8Array,
  start: number,
  end: number,
  edits: readonly Edit[],
): Bytes {
  const parts: Uint8Array[] = [];
  let from = start;
  for (const edit of edits) {
    parts.push(module.subarray(from, edit.at), edit.bytes);
    from = edit.end;
  }
  return concat(...parts, module.subarray(from, end));
}

/** The contents of a code section of these function bodies, each with its locals. */
export function codeSection(bodies: readonly Uint8Array[]): Bytes {
  const entries = bodies.flatMap((body) => [unsigned(body.length), body]);
  return concat(unsigned(bodies.length), ...entries);
}
