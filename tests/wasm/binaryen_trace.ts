/**
 * Traces by binaryen's own passes, as an independent check of `traced_module.ts`: log-execution calls
 * out at the start of every function and loop iteration and before every return, instrument-memory
 * with the address of every load and store. They do not record the arms of an `if`, `select`, lanes,
 * bulk memory or divisions.
 *
 * @module
 */

import binaryen from "binaryen";
import type { Bytes } from "../../src/base/bytes.ts";
import type { Trace } from "./traced_module.ts";

/** An instance whose runs can be traced. */
export interface InstrumentedModule {
  readonly exports: WebAssembly.Exports;
  traceOf(run: () => void): Trace;
}

/**
 * The functions that the passes call. The first argument is the number of the instrumented place.
 * Addresses come as number, width, offset and pointer. Values are secret and are not recorded.
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
 * The recorder's function for an import such as `load_ptr` or `store_val_i64`. Others, for
 * growing memory and arrays, are imported but never called by our modules.
 */
function calledFor(name: string): string {
  if (name === "log_execution") return name;
  const kind = name.slice(name.lastIndexOf("_") + 1);
  return ["ptr", "i32", "i64", "f32", "f64"].includes(kind) ? kind : "i32";
}

/** Instantiates `module`, which has no imports, with both instrumentations. */
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
