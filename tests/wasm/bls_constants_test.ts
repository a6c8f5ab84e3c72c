import assert from "node:assert/strict";
import { firstBlsFailure } from "./bls_checks.ts";
import { type BrokenConstant, brokenOperands, brokenTables } from "./bls_constants.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";

/** What every build keeps in tables. */
const TABLES = [
  ...["MONTGOMERY_SQUARE", "MODULUS_WORDS", "ONE", "FP2_ONE", "HALF", "CURVE_B", "TWIST_B"],
  ...["BETA", "GENERATOR_X", "GENERATOR_Y", "PSI_X", "PSI_Y", "FROBENIUS", "FROBENIUS_SQUARED"],
  ...["SSWU_A", "SSWU_B", "SSWU_Z", "SSWU_ROOT_OF_MINUS_Z", "ISOGENY_X_NUMERATOR"],
  ...["ISOGENY_X_DENOMINATOR", "ISOGENY_Y_NUMERATOR", "ISOGENY_Y_DENOMINATOR", "TWO_256"],
  ...["EXPONENT_ROOT", "MODULUS", "HALF_MODULUS", "ORDER", "X_SQUARED", "X_MAGNITUDE"],
];

/** Those of one build. */
const OWN_TABLES = {
  "bls.fma": ["CONSTANTS", "INTEGER_ONE", "THREE_MODULUS"],
  "bls.scalar": ["MODULUS_DIGITS"],
} as const;

function assertCaught(broken: readonly BrokenConstant[]): void {
  for (const { names, module } of broken) {
    assert.ok(firstBlsFailure(module) !== undefined, names.join());
  }
}

for (const [name, tables] of Object.entries(OWN_TABLES)) {
  Deno.test({
    name: `${name}: with a word of any table broken it is caught`,
    ignore: !committedBuilds("bls.").includes(name),
    fn() {
      const broken = brokenTables(name, committedBuild(name));
      const found = new Set(broken.flatMap(({ names }) => names));
      assert.deepEqual([...found].toSorted(), [...TABLES, ...tables].toSorted());
      assertCaught(broken);
    },
  });
}

Deno.test("bls.scalar: with a limb in the code broken it is caught", () => {
  const broken = brokenOperands("bls.scalar", committedBuild("bls.scalar"));
  assert.ok(broken.length >= 12);
  assertCaught(broken);
});
