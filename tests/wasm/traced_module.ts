/**
 * Instruments a WebAssembly module to record all that an observer of its time could learn: every
 * operand on which the time or place of an instruction depends enters a running hash.
 * Two runs with equal hashes took the same branches, touched the same addresses in the same order,
 * and divided the same numbers.
 *
 * Recorded are the conditions of `if`, `br_if` and `select` (which engines may compile to a
 * branch), the indices of `br_table` and `call_indirect`, the addresses of all loads and stores
 * with those of vectors and lanes, the operands of bulk memory instructions and of `memory.grow`,
 * and those of integer division. Binaryen's passes record less (`binaryen_trace.ts`).
 *
 * @module
 */

import { type Bytes, concat, utf8 } from "../../src/base/bytes.ts";
import {
  codeSection,
  type Edit,
  edited,
  functionsOf,
  importCounts,
  type Instruction,
  instructionsOf,
  moduleOf,
  parameterCounts,
  Reader,
  SectionId,
  sectionsOf,
  signed,
  unsigned,
  ValueType,
  vectorOf,
  type WasmFunction,
} from "./wasm_binary.ts";
import { type Operand, operandsOf, type Type } from "./timed_operands.ts";
import { Opcode } from "./wasm_opcodes.ts";

/** The additional exported globals of a traced module. */
export interface TraceGlobals {
  /** The running 64-bit hash of the trace. */
  readonly "trace.hash": WebAssembly.Global<"i64">;
  /** How many more events are recorded, unsigned. */
  readonly "trace.left": WebAssembly.Global<"i32">;
  /** Offset in the original module of the last instruction that was recorded. */
  readonly "trace.site": WebAssembly.Global<"i32">;
}

/** Spare locals: at most three operands of one type are saved at once. */
const SPARE: readonly Type[] = ["i32", "i32", "i32", "i64", "i64", "f32", "f64", "v128"];

function spareLocal(first: number, taken: Type[], type: Type): number {
  const nth = taken.filter((other) => other === type).length;
  taken.push(type);
  return first + SPARE.indexOf(type) + nth;
}

/** Code that records the operands on the stack and keeps them there. */
function recording(
  operands: readonly Operand[],
  at: number,
  record: number,
  firstSpare: number,
): Bytes {
  const call = concat(
    Uint8Array.of(Opcode.i32Const),
    signed(BigInt(at)),
    Uint8Array.of(Opcode.call),
    unsigned(record),
  );
  if (operands.length === 1) return call;
  const taken: Type[] = [];
  const locals = operands.map(({ type }) => spareLocal(firstSpare, taken, type));
  const set = locals.toReversed().map((local) => variable(Opcode.localSet, local));
  const get = operands.map(({ type, recorded }, index) => {
    const read = variable(Opcode.localGet, locals[index]!);
    if (!recorded) return read;
    return type === "i64" ? concat(halves(read, call), read) : concat(read, call);
  });
  return concat(...set, ...get);
}

function variable(opcode: number, index: number): Bytes {
  return concat(Uint8Array.of(opcode), unsigned(index));
}

/** Records both halves of a long number. */
function halves(read: Bytes, call: Bytes): Bytes {
  const wrap = Uint8Array.of(0xa7);
  const shift = Uint8Array.of(Opcode.i64Const, 32, 0x88);
  const drop = Uint8Array.of(Opcode.drop);
  return concat(read, wrap, call, drop, read, shift, wrap, call, drop);
}

/** A function with its recorded instructions, and the locals that they need. */
function tracedBody(
  module: Uint8Array,
  func: WasmFunction,
  parameters: number,
  record: number,
): Bytes {
  const reader = new Reader(module, func.at);
  const groups = reader.unsigned();
  const declared = module.subarray(reader.at, func.bodyAt);
  const spare = SPARE.flatMap((type) => [1, ValueType[type]]);
  const locals = concat(unsigned(groups + SPARE.length), declared, Uint8Array.from(spare));
  const firstSpare = parameters + func.locals;
  const edits = instructionsOf(module, func).flatMap(({ opcode, at }: Instruction): Edit[] => {
    const operands = operandsOf(opcode);
    if (operands.length === 0) return [];
    return [{ at, end: at, bytes: recording(operands, at, record, firstSpare) }];
  });
  return concat(locals, edited(module, func.bodyAt, func.end, edits));
}

/**
 * `record(value, site) -> value`, in instructions: while events are left, the hash becomes
 * (hash ^ value ^ site << 32) * odd, folded.
 */
function recordBody(hash: number, left: number, site: number): Bytes {
  const [getHash, setHash] = [variable(Opcode.globalGet, hash), variable(Opcode.globalSet, hash)];
  const [getLeft, setLeft] = [variable(Opcode.globalGet, left), variable(Opcode.globalSet, left)];
  const constant = (value: bigint) => concat(Uint8Array.of(Opcode.i64Const), signed(value));
  return concat(
    Uint8Array.of(0),
    getLeft,
    Uint8Array.of(Opcode.if, 0x40),
    getLeft,
    Uint8Array.of(Opcode.i32Const, 1, 0x6b),
    setLeft,
    variable(Opcode.localGet, 1),
    variable(Opcode.globalSet, site),
    getHash,
    variable(Opcode.localGet, 0),
    Uint8Array.of(0xad, 0x85),
    variable(Opcode.localGet, 1),
    Uint8Array.of(0xad),
    constant(32n),
    Uint8Array.of(0x86, 0x85),
    constant(-0x61c8864680b583ebn),
    Uint8Array.of(0x7e),
    setHash,
    getHash,
    getHash,
    constant(29n),
    Uint8Array.of(0x88, 0x85),
    setHash,
    Uint8Array.of(Opcode.end),
    variable(Opcode.localGet, 0),
    Uint8Array.of(Opcode.end),
  );
}

/** A section with more entries at its end, or a new one. */
function appended(module: Uint8Array, id: number, entries: readonly Uint8Array[]): Bytes {
  const section = sectionsOf(module).find((section) => section.id === id);
  const { reader, count } = vectorOf(module, id);
  const old = section?.contents.subarray(reader.at - section.at) ?? new Uint8Array();
  return concat(unsigned(count + entries.length), old, ...entries);
}

function exported(name: string, kind: number, index: number): Bytes {
  return concat(unsigned(name.length), utf8(name), Uint8Array.of(kind), unsigned(index));
}

/** `module` with the exports of {@linkcode TraceGlobals}, and everything else as it was. */
export function tracedModule(module: Uint8Array): Bytes {
  const functions = functionsOf(module);
  const parameters = parameterCounts(module);
  const imports = importCounts(module);
  const record = imports.functions + functions.length;
  const hash = imports.globals + vectorOf(module, SectionId.global).count;
  const bodies = functions.map((func) =>
    tracedBody(module, func, parameters[func.typeIndex]!, record)
  );
  const { i32, i64 } = ValueType;
  const global = (type: number, zero: number) => Uint8Array.of(type, 1, zero, 0, Opcode.end);
  const contents = new Map([
    [SectionId.type, appended(module, 1, [Uint8Array.of(0x60, 2, i32, i32, 1, i32)])],
    [SectionId.function, appended(module, 3, [unsigned(parameters.length)])],
    [
      SectionId.global,
      appended(module, 6, [
        global(i64, Opcode.i64Const),
        global(i32, Opcode.i32Const),
        global(i32, Opcode.i32Const),
      ]),
    ],
    [
      SectionId.export,
      appended(module, 7, [
        exported("trace.hash", 3, hash),
        exported("trace.left", 3, hash + 1),
        exported("trace.site", 3, hash + 2),
      ]),
    ],
    [SectionId.code, codeSection([...bodies, recordBody(hash, hash + 1, hash + 2)])],
  ] as [number, Bytes][]);
  return withSections(module, contents);
}

/** `module` with these sections replaced or added. */
function withSections(module: Uint8Array, contents: ReadonlyMap<number, Bytes>): Bytes {
  const kept = sectionsOf(module).filter(({ id }) => !contents.has(id));
  const sections = [...kept, ...[...contents].map(([id, bytes]) => ({ id, contents: bytes }))];
  // Custom sections go last; a count of data segments (12) goes before the code (10).
  const place = (id: number) => id === 0 ? 99 : id === 12 ? 9.5 : id;
  return moduleOf(sections.toSorted((a, b) => place(a.id) - place(b.id)));
}

/** The trace of a run. Equal traces mean equal branches and addresses. */
export interface Trace {
  readonly hash: bigint;
  readonly events: number;
}

const ALL_EVENTS = 2 ** 32 - 1;

/** The trace of `run`, of its first `limit` events. */
export function traceOf(globals: TraceGlobals, run: () => void, limit = ALL_EVENTS): Trace {
  globals["trace.hash"].value = 0n;
  globals["trace.left"].value = limit | 0;
  run();
  const events = limit - (globals["trace.left"].value >>> 0);
  return { hash: globals["trace.hash"].value, events };
}

/**
 * Where two runs first differ: the offset in the original module of that instruction, `undefined`
 * when they do not. Each is run some thirty times.
 */
export function firstDifference(
  globals: TraceGlobals,
  a: () => void,
  b: () => void,
): number | undefined {
  const differs = (limit: number) =>
    traceOf(globals, a, limit).hash !== traceOf(globals, b, limit).hash;
  if (!differs(ALL_EVENTS)) return undefined;
  let [equal, different] = [0, ALL_EVENTS];
  while (different - equal > 1) {
    const middle = Math.floor((equal + different) / 2);
    if (differs(middle)) different = middle;
    else equal = middle;
  }
  traceOf(globals, b, different);
  return globals["trace.site"].value;
}
