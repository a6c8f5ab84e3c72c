import assert from "node:assert/strict";
import type { Bls } from "../../src/crypto/bls.ts";
import { wasmBls } from "../../src/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/crypto/wasm_bls_exports.ts";
import { BLS_MODULES } from "../../wasm/bls_modules.ts";
import { compileModule } from "../../wasm/compile.ts";
import {
  COMPRESSED,
  encodingOfG1,
  encodingOfG2,
  pointOfG1,
  pointOfG2,
} from "../crypto/bls_oracle.ts";
import { firstBlsFailureOf } from "./bls_checks.ts";
import { WEAKENED_CHECKS, weakenedSources } from "./weakened_checks.ts";

const ASSEMBLY = new URL("../../wasm/assembly/", import.meta.url);

const sources = weakenedSources((path) => Deno.readTextFileSync(new URL(path, ASSEMBLY)));
const [row] = BLS_MODULES;
const { bytes } = await compileModule({
  ...row!,
  generated: { ...row!.generated, ...sources },
});
const module = new WebAssembly.Module(bytes);

/** An instance without the checks of these names. */
function without(...names: readonly string[]): Bls {
  const { exports } = new WebAssembly.Instance(module);
  const bits = names.map((name) => {
    const bit = WEAKENED_CHECKS.findIndex((check) => check.name === name);
    assert.ok(bit >= 0, name);
    return 1 << bit;
  });
  (exports["weaken"] as (bits: number) => void)(bits.reduce((all, bit) => all | bit, 0));
  return wasmBls(exports as unknown as BlsExports);
}

Deno.test("a module whose checks can be weakened, but are not, is caught by nothing", () => {
  assert.ok(WEAKENED_CHECKS.length <= 32);
  assert.equal(firstBlsFailureOf(without()), undefined);
});

for (const { name } of WEAKENED_CHECKS) {
  if (name.endsWith("on the curve")) continue;
  Deno.test(`a module that does not check this is caught: ${name}`, () => {
    assert.ok(firstBlsFailureOf(without(name)) !== undefined);
  });
}

// What is not on the curve fails the subgroup's check too, but for one chance in p: what each of the
// two refuses is only seen without the other.
Deno.test("a signature is checked to be on the curve, and only then in the subgroup", () => {
  const off = encodingOfG1(xWithout((x) => pointOfG1(x)), COMPRESSED);
  assert.equal(without("a share in the subgroup").signatureValidate(off), false);
  assert.equal(without("a signature on the curve").signatureValidate(off), false);
  const neither = without("a share in the subgroup", "a signature on the curve");
  assert.equal(neither.signatureValidate(off), true);
});

Deno.test("a key is checked to be on the curve, and only then in the subgroup", () => {
  const off = encodingOfG2(xWithout((x) => pointOfG2(x, 1n)), 1n, COMPRESSED);
  assert.equal(without("a key in the subgroup").keyValidate(off), false);
  assert.equal(without("a key on the curve").keyValidate(off), false);
  assert.equal(without("a key in the subgroup", "a key on the curve").keyValidate(off), true);
});

/** The least x that has no point. */
function xWithout(pointAt: (x: bigint) => unknown): bigint {
  let x = 1n;
  while (pointAt(x) !== undefined) x++;
  return x;
}
