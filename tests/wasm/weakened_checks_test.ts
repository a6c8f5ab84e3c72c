import assert from "node:assert/strict";
import type { Bls } from "../../src/proof/crypto/bls.ts";
import { wasmBls } from "../../src/proof/crypto/wasm_bls.ts";
import type { BlsExports } from "../../src/proof/crypto/wasm_bls_exports.ts";
import { BLS_MODULES } from "../../wasm/bls_modules.ts";
import { compileModule } from "../../wasm/compile.ts";
import {
  COMPRESSED,
  encodingOfG1,
  encodingOfG2,
  pointOfG1,
  pointOfG2,
} from "../proof/crypto/bls_oracle.ts";
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

Deno.test("a module with no check weakened passes", () => {
  assert.ok(WEAKENED_CHECKS.length <= 32);
  assert.equal(firstBlsFailureOf(without()), undefined);
});

for (const { name } of WEAKENED_CHECKS) {
  if (name.endsWith("on the curve")) continue;
  Deno.test(`a module without this check is caught: ${name}`, () => {
    assert.ok(firstBlsFailureOf(without(name)) !== undefined);
  });
}

// A point off the curve fails both checks (the subgroup check except with probability 1 / p), so each
// is weakened alone and then with the other.
Deno.test("the curve check and the subgroup check of a signature each refuse a point off the curve", () => {
  const off = encodingOfG1(xWithout((x) => pointOfG1(x)), COMPRESSED);
  assert.equal(without("a share in the subgroup").signatureValidate(off), false);
  assert.equal(without("a signature on the curve").signatureValidate(off), false);
  const neither = without("a share in the subgroup", "a signature on the curve");
  assert.equal(neither.signatureValidate(off), true);
});

Deno.test("the curve check and the subgroup check of a key each refuse a point off the curve", () => {
  const off = encodingOfG2(xWithout((x) => pointOfG2(x, 1n)), 1n, COMPRESSED);
  assert.equal(without("a key in the subgroup").keyValidate(off), false);
  assert.equal(without("a key on the curve").keyValidate(off), false);
  assert.equal(without("a key in the subgroup", "a key on the curve").keyValidate(off), true);
});

/** The smallest x without a point. */
function xWithout(pointAt: (x: bigint) => unknown): bigint {
  let x = 1n;
  while (pointAt(x) !== undefined) x++;
  return x;
}
