import assert from "node:assert/strict";
import { CONSTANT_TIME, TOY_NAMES, type ToyFunctions, toyModule } from "./toy_module.ts";
import { firstDifference, tracedModule, type TraceGlobals, traceOf } from "./traced_module.ts";
import { codeSection, functionsOf, instructionsOf, moduleOf } from "./wasm_binary.ts";

/** What a module exports, after it was instantiated without imports. */
function exportsOf(module: Uint8Array<ArrayBuffer>): ToyFunctions & TraceGlobals {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module));
  return instance.exports as unknown as ToyFunctions & TraceGlobals;
}

const plain = exportsOf(toyModule());
const traced = exportsOf(tracedModule(toyModule()));
const SECRETS = [...Array(64).keys()];

/** 3^exponent modulo 2^32, signed. */
function power(exponent: number): number {
  return Number(BigInt.asIntN(32, 3n ** BigInt(exponent)));
}

Deno.test("tracedModule() does not change results", () => {
  assert.equal(TOY_NAMES.length, 14);
  for (const name of TOY_NAMES) {
    for (const secret of SECRETS) {
      const expected = plain[name]!(secret);
      assert.equal(traced[name]!(secret), expected, name);
      if (name.endsWith("Power")) assert.equal(expected, power(secret), name);
    }
  }
});

for (const name of TOY_NAMES) {
  const run = (secret: number) => () => void traced[name]!(secret);
  const tracesOf = () => new Set(SECRETS.map((secret) => traceOf(traced, run(secret)).hash));

  if (CONSTANT_TIME.includes(name)) {
    Deno.test(`${name}: the trace is the same for every secret`, () => {
      assert.equal(tracesOf().size, 1);
      assert.equal(firstDifference(traced, run(0), run(63)), undefined);
    });
    continue;
  }
  Deno.test(`${name}: traces differ, and firstDifference() finds the leaking instruction`, () => {
    assert.ok(tracesOf().size > 1);
    const [a, b] = [0, 63];
    assert.notEqual(traceOf(traced, run(a)).hash, traceOf(traced, run(b)).hash);
    const site = firstDifference(traced, run(a), run(b));
    const func = functionsOf(toyModule())[TOY_NAMES.indexOf(name)]!;
    assert.ok(instructionsOf(toyModule(), func).some(({ at }) => at === site), `${site}`);
  });
}

Deno.test("traceOf() depends on the run and repeats with it", () => {
  const once = traceOf(traced, () => void traced["constantAddress"]!(1));
  const again = traceOf(traced, () => void traced["constantAddress"]!(1));
  const twice = traceOf(traced, () => {
    traced["constantAddress"]!(1);
    traced["constantAddress"]!(1);
  });
  assert.deepEqual(once, again);
  assert.equal(once.events, 2);
  assert.equal(twice.events, 4);
  assert.notEqual(twice.hash, once.hash);
});

Deno.test("tracedModule() refuses float division and conversions of unsigned integers", () => {
  const withBody = (...body: number[]) =>
    moduleOf([
      { id: 1, contents: Uint8Array.of(1, 0x60, 0, 0) },
      { id: 3, contents: Uint8Array.of(1, 0) },
      { id: 10, contents: codeSection([Uint8Array.of(0, ...body, 0x1a, 0x0b)]) },
    ]);
  const one = [0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f];
  const long = [0x42, 1];
  assert.ok(WebAssembly.validate(tracedModule(withBody(...one, ...one, 0xa2))), "f64.mul");
  assert.ok(WebAssembly.validate(tracedModule(withBody(...long, 0xb9))), "f64.convert_i64_s");
  const refused = { name: "RangeError", message: /^Cannot trace module/ };
  assert.throws(() => tracedModule(withBody(...one, ...one, 0xa3)), refused, "f64.div");
  assert.throws(() => tracedModule(withBody(...one, 0x9f)), refused, "f64.sqrt");
  assert.throws(() => tracedModule(withBody(...long, 0xba)), refused, "f64.convert_i64_u");
  assert.throws(() => tracedModule(withBody(...one, 0xfc, 7)), refused, "i64.trunc_sat_f64_u");
});
