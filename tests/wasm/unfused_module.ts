/**
 * Modules without a fused multiply-add: `f64x2.relaxed_madd` may round the product before the sum
 * (core specification, section 4.4.4), and these modules do so on every machine.
 *
 * @module
 */

import { type Bytes, concat } from "../../src/base/bytes.ts";
import {
  codeSection,
  edited,
  functionsOf,
  instructionsOf,
  moduleOf,
  parameterCounts,
  Reader,
  SectionId,
  sectionsOf,
  unsigned,
  ValueType,
  type WasmFunction,
} from "./wasm_binary.ts";
import { Opcode } from "./wasm_opcodes.ts";

/** a b c -> a * b + c, by way of a local. */
function productAndSum(local: number): Bytes {
  return concat(
    Uint8Array.of(Opcode.localSet),
    unsigned(local),
    Uint8Array.of(Opcode.prefixSimd),
    unsigned(Opcode.f64x2Mul & 0xfff),
    Uint8Array.of(Opcode.localGet),
    unsigned(local),
    Uint8Array.of(Opcode.prefixSimd),
    unsigned(Opcode.f64x2Add & 0xfff),
  );
}

function unfusedBody(module: Uint8Array, func: WasmFunction, parameters: number): Bytes {
  const reader = new Reader(module, func.at);
  const groups = reader.unsigned();
  const declared = module.subarray(reader.at, func.bodyAt);
  const locals = concat(unsigned(groups + 1), declared, Uint8Array.of(1, ValueType.v128));
  const bytes = productAndSum(parameters + func.locals);
  const edits = instructionsOf(module, func)
    .filter(({ opcode }) => opcode === Opcode.f64x2RelaxedMadd)
    .map(({ at, end }) => ({ at, end, bytes }));
  return concat(locals, edited(module, func.bodyAt, func.end, edits));
}

/** `module` with two roundings for each `f64x2.relaxed_madd`. */
export function unfusedModule(module: Bytes): Bytes {
  const parameters = parameterCounts(module);
  const bodies = functionsOf(module).map((func) =>
    unfusedBody(module, func, parameters[func.typeIndex]!)
  );
  return moduleOf(
    sectionsOf(module).map((section) =>
      section.id === SectionId.code ? { id: section.id, contents: codeSection(bodies) } : section
    ),
  );
}
