/**
 * Traces by another's hand: binaryen's passes log-execution, which calls out wherever a function
 * or a turn of a loop begins and before every return, and instrument-memory, which calls out with the
 * address of every load and store. They see less than `traced_module.ts`, neither arms of an `if`, nor
 * `select`, lanes, bulk memory or divisions; but nobody of ours decided what they see.
 *
 * @module
 */

import binaryen from "binaryen";
import type { Bytes } from "../../src/bytes.ts";
import type { Trace } from "./traced_module.ts";

/** An instance whose runs can be traced. */
export interface InstrumentedModule {
  readonly exports: WebAssembly.Exports;
  traceOf(run: () => void): Trace;
}

/**
 * What the passes call. Every place they instrument has a number, the first argument; addresses come
 * as number, width, offset and pointer. Values are secret, and leave no trace.
 */
const RECORDER = `(module
  (global $hash (export "hash") (mut i64) (i64.const 0))
  (global $events (export "events") (mut i32) (i32.const 0))
  (func $record (param $place i32) (param $value i32)
    (global.set $events (i32.add (global.get $events) (i32.const 1)))
    (global.set $hash
      (i64.mul
        (i64.xor
          (i64.xor (global.get $hash) (i64.shr_u (global.get $hash) (i64.const 29)))
          (i64.or
            (i64.shl (i64.extend_i32_u (local.get $place)) (i64.const 32))
            (i64.extend_i32_u (local.get $value))))
        (i64.const 0x9e3779b97f4a7c15))))
  (func (export "log_execution") (param i32)
    (call $record (local.get 0) (i32.const -1)))
  (func (export "ptr") (param i32 i32 i32 i32) (result i32)
    (call $record (local.get 0) (i32.add (local.get 2) (local.get 3)))
    (local.get 3))
  (func (export "i32") (param i32 i32) (result i32) (local.get 1))
  (func (export "i64") (param i32 i64) (result i64) (local.get 1))
  (func (export "f32") (param i32 f32) (result f32) (local.get 1))
  (func (export "f64") (param i32 f64) (result f64) (local.get 1)))`;

interface Recorder {
  readonly hash: WebAssembly.Global<"i64">;
  readonly events: WebAssembly.Global<"i32">;
}

type Parsed = ReturnType<typeof binaryen.parseText>;

function emitted(parsed: Parsed): WebAssembly.Module {
  try {
    return new WebAssembly.Module(new Uint8Array(parsed.emitBinary()));
  } finally {
    parsed.dispose();
  }
}

/**
 * The recorder's function for an import such as `load_ptr` or `store_val_i64`. Others are imported
 * too, for memory that grows and for arrays, and called by no module of ours.
 */
function calledFor(name: string): string {
  if (name === "log_execution") return name;
  const kind = name.slice(name.lastIndexOf("_") + 1);
  return ["ptr", "i32", "i64", "f32", "f64"].includes(kind) ? kind : "i32";
}

/** An instance of `module`, which imports nothing, with both instrumentations. */
export function instrumentedModule(module: Bytes): InstrumentedModule {
  const parsed = binaryen.readBinaryWithFeatures(module, binaryen.Features.All);
  parsed.runPasses(["log-execution", "instrument-memory"]);
  const instrumented = emitted(parsed);
  const recorder = new WebAssembly.Instance(emitted(binaryen.parseText(RECORDER))).exports;
  const env = Object.fromEntries(
    WebAssembly.Module.imports(instrumented).map(({ name }) => [name, recorder[calledFor(name)]!]),
  );
  const { hash, events } = recorder as unknown as Recorder;
  return {
    exports: new WebAssembly.Instance(instrumented, { env }).exports,
    traceOf(run) {
      [hash.value, events.value] = [0n, 0];
      run();
      return { hash: hash.value, events: events.value };
    },
  };
}
