/**
 * The opcodes of WebAssembly that tests know by name (core specification, section 5.4), and the
 * length of the immediates of every one. A prefixed opcode is `prefix << 12 | number`.
 *
 * @module
 */

import type { Reader } from "./wasm_binary.ts";

const MISC = 0xfc << 12;
const SIMD = 0xfd << 12;

export const Opcode = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  brIf: 0x0d,
  brTable: 0x0e,
  call: 0x10,
  callIndirect: 0x11,
  returnCallIndirect: 0x13,
  drop: 0x1a,
  select: 0x1b,
  selectTyped: 0x1c,
  localGet: 0x20,
  localSet: 0x21,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Load: 0x28,
  i64Load32u: 0x35,
  i32Store: 0x36,
  i64Store: 0x37,
  f32Store: 0x38,
  f64Store: 0x39,
  i32Store8: 0x3a,
  i32Store16: 0x3b,
  i64Store8: 0x3c,
  i64Store32: 0x3e,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  f32Const: 0x43,
  f64Const: 0x44,
  i32Eqz: 0x45,
  i32DivS: 0x6d,
  i32RemU: 0x70,
  i64DivS: 0x7f,
  i64RemU: 0x82,
  f32Sqrt: 0x91,
  f32Div: 0x95,
  f64Sqrt: 0x9f,
  f64Div: 0xa3,
  i64TruncF32U: 0xaf,
  i64TruncF64U: 0xb1,
  f32ConvertI64U: 0xb5,
  f64ConvertI64U: 0xba,
  prefixMisc: 0xfc,
  prefixSimd: 0xfd,
  i64TruncSatF32U: MISC | 5,
  i64TruncSatF64U: MISC | 7,
  memoryInit: MISC | 8,
  memoryCopy: MISC | 10,
  memoryFill: MISC | 11,
  v128Load: SIMD | 0,
  v128Load64Splat: SIMD | 10,
  v128Store: SIMD | 11,
  v128Const: SIMD | 12,
  i8x16Shuffle: SIMD | 13,
  v128Load8Lane: SIMD | 84,
  v128Store64Lane: SIMD | 91,
  v128Load32Zero: SIMD | 92,
  v128Load64Zero: SIMD | 93,
  f32x4Sqrt: SIMD | 0xe3,
  f32x4Div: SIMD | 0xe7,
  f64x2Sqrt: SIMD | 0xef,
  f64x2Add: SIMD | 0xf0,
  f64x2Mul: SIMD | 0xf2,
  f64x2Div: SIMD | 0xf3,
  f64x2RelaxedMadd: SIMD | 0x107,
} as const;

/** Advances `reader`, which stands behind `opcode`, over the immediates. */
export function lengthOfImmediates(opcode: number, reader: Reader): void {
  if (opcode >= SIMD) return skipSimd(opcode, reader);
  if (opcode >= MISC) return skipMisc(opcode, reader);
  if (opcode === Opcode.brTable) {
    for (let targets = reader.unsigned() + 1; targets > 0; targets--) reader.unsigned();
  } else if (opcode === Opcode.selectTyped) {
    reader.take(reader.unsigned());
  } else if (opcode >= Opcode.i32Load && opcode <= Opcode.i64Store32) {
    skipMemoryArgument(reader);
  } else if (opcode === Opcode.f32Const) {
    reader.take(4);
  } else if (opcode === Opcode.f64Const) {
    reader.take(8);
  } else {
    for (let count = numbersBehind(opcode); count > 0; count--) reader.signed();
  }
}

/** How many LEB128 numbers follow an opcode of one byte. */
function numbersBehind(opcode: number): number {
  const isBlock = opcode >= Opcode.block && opcode <= Opcode.if;
  const isBranch = opcode === 0x0c || opcode === Opcode.brIf;
  const isVariable = opcode >= Opcode.localGet && opcode <= 0x26;
  const isMemorySize = opcode === 0x3f || opcode === Opcode.memoryGrow;
  const isConstant = opcode === Opcode.i32Const || opcode === Opcode.i64Const;
  const isReference = opcode === 0xd0 || opcode === 0xd2;
  if (isBlock || isBranch || isVariable || isMemorySize || isConstant || isReference) return 1;
  if (opcode === Opcode.call || opcode === 0x12) return 1;
  if (opcode === Opcode.callIndirect || opcode === Opcode.returnCallIndirect) return 2;
  const isBare = opcode <= 0x01 || opcode === 0x05 || opcode === Opcode.end || opcode === 0x0f ||
    opcode === Opcode.drop || opcode === Opcode.select || opcode >= 0x45 && opcode <= 0xc4 ||
    opcode === 0xd1;
  if (isBare) return 0;
  throw new RangeError(`Cannot read module: opcode ${opcode.toString(16)} is not known`);
}

function skipMisc(opcode: number, reader: Reader): void {
  const number = opcode - MISC;
  if (number > 17) throw new RangeError(`Cannot read module: opcode fc ${number} is not known`);
  const two = [8, 10, 12, 14];
  const count = number < 8 ? 0 : two.includes(number) ? 2 : 1;
  for (let rest = count; rest > 0; rest--) reader.unsigned();
}

function skipSimd(opcode: number, reader: Reader): void {
  const number = opcode - SIMD;
  if (number > 0x113) throw new RangeError(`Cannot read module: opcode fd ${number} is not known`);
  const isLaneAccess = opcode >= Opcode.v128Load8Lane && opcode <= Opcode.v128Store64Lane;
  const isZeroLoad = opcode === Opcode.v128Load32Zero || opcode === Opcode.v128Load64Zero;
  if (opcode <= Opcode.v128Store || isLaneAccess || isZeroLoad) skipMemoryArgument(reader);
  if (opcode === Opcode.v128Const || opcode === Opcode.i8x16Shuffle) reader.take(16);
  if (number >= 21 && number <= 34 || isLaneAccess) reader.byte();
}

function skipMemoryArgument(reader: Reader): void {
  const alignment = reader.unsigned();
  // Bit 6 announces the index of a memory.
  if (alignment >= 64) reader.unsigned();
  reader.unsigned();
}
