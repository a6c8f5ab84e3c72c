/**
 * Which operands of WebAssembly instructions an observer of time could learn (core specification,
 * section 5.4): what decides over a branch, an address, a length or the time of a division.
 *
 * @module
 */

import type { ValueType } from "./wasm_binary.ts";
import { Opcode } from "./wasm_opcodes.ts";

const UNEVEN_FLOATS: readonly number[] = [
  Opcode.f32Sqrt,
  Opcode.f32Div,
  Opcode.f64Sqrt,
  Opcode.f64Div,
  Opcode.f32x4Sqrt,
  Opcode.f32x4Div,
  Opcode.f64x2Sqrt,
  Opcode.f64x2Div,
  Opcode.i64TruncF32U,
  Opcode.i64TruncF64U,
  Opcode.i64TruncSatF32U,
  Opcode.i64TruncSatF64U,
  Opcode.f32ConvertI64U,
  Opcode.f64ConvertI64U,
];

/** A value type by its name. */
export type Type = keyof typeof ValueType;

/** What stands on top of the stack before an instruction, from below; `recorded` where it counts. */
export interface Operand {
  readonly type: Type;
  readonly recorded: boolean;
}

const ADDRESS: Operand = { type: "i32", recorded: true };
const LONG: Operand = { type: "i64", recorded: true };

function value(type: Type): Operand {
  return { type, recorded: false };
}

function within(opcode: number, first: number, last: number): boolean {
  return opcode >= first && opcode <= last;
}

/** The operands of an instruction that has to be recorded; none for all others. */
export function operandsOf(opcode: number): readonly Operand[] {
  switch (opcode) {
    case Opcode.if:
    case Opcode.brIf:
    case Opcode.brTable:
    case Opcode.callIndirect:
    case Opcode.returnCallIndirect:
    case Opcode.select:
    case Opcode.selectTyped:
    case Opcode.memoryGrow:
      return [ADDRESS];
    case Opcode.memoryInit:
    case Opcode.memoryCopy:
    case Opcode.memoryFill:
      return [ADDRESS, ADDRESS, ADDRESS];
    case Opcode.f32Store:
      return [ADDRESS, value("f32")];
    case Opcode.f64Store:
      return [ADDRESS, value("f64")];
    case Opcode.i32Store:
    case Opcode.i32Store8:
    case Opcode.i32Store16:
      return [ADDRESS, value("i32")];
    case Opcode.v128Store:
      return [ADDRESS, value("v128")];
  }
  refuseUnevenFloats(opcode);
  if (within(opcode, Opcode.i32Load, Opcode.i64Load32u)) return [ADDRESS];
  if (within(opcode, Opcode.v128Load, Opcode.v128Load64Splat)) return [ADDRESS];
  if (within(opcode, Opcode.v128Load32Zero, Opcode.v128Load64Zero)) return [ADDRESS];
  if (within(opcode, Opcode.v128Load8Lane, Opcode.v128Store64Lane)) return [ADDRESS, value("v128")];
  if (opcode === Opcode.i64Store || within(opcode, Opcode.i64Store8, Opcode.i64Store32)) {
    return [ADDRESS, value("i64")];
  }
  if (within(opcode, Opcode.i32DivS, Opcode.i32RemU)) return [ADDRESS, ADDRESS];
  if (within(opcode, Opcode.i64DivS, Opcode.i64RemU)) return [LONG, LONG];
  return [];
}

/**
 * Division and roots of floats take a time of their operands, and conversions of unsigned integers
 * may branch on the top bit. No kernel needs them. What is left, sums, products and fused ones, takes
 * one time on any numbers that are not subnormal; those of `field_fma.ts` are integers, all of them.
 */
function refuseUnevenFloats(opcode: number): void {
  if (UNEVEN_FLOATS.includes(opcode)) {
    throw new RangeError(
      "Cannot trace module: no division, root or unsigned conversion of floats allowed",
    );
  }
}
