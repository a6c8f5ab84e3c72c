import assert from "node:assert/strict";
import { firstBlsFailure } from "./bls_checks.ts";
import { type BrokenConstant, brokenOperands, brokenTables } from "./bls_constants.ts";
import { committedBuild, committedBuilds } from "./committed_builds.ts";
import { spread } from "./mutation_run.ts";

/** The tables of every build. */
const TABLES = [
  "MONTGOMERY_SQUARE",
  "MODULUS_WORDS",
  "ONE",
  "FP2_ONE",
  "HALF",
  "CURVE_B",
  "TWIST_B",
  "BETA",
  "GENERATOR_X",
  "GENERATOR_Y",
  "PSI_X",
  "PSI_Y",
  "FROBENIUS",
  "FROBENIUS_SQUARED",
  "SSWU_A",
  "SSWU_B",
  "SSWU_Z",
  "SSWU_ROOT_OF_MINUS_Z",
  "ISOGENY_X_NUMERATOR",
  "ISOGENY_X_DENOMINATOR",
  "ISOGENY_Y_NUMERATOR",
  "ISOGENY_Y_DENOMINATOR",
  "TWO_256",
  "EXPONENT_ROOT",
  "MODULUS",
  "HALF_MODULUS",
  "ORDER",
  "X_SQUARED",
  "X_MAGNITUDE",
];

/** The tables of one build. */
const OWN_TABLES = {
  "bls.fma": ["CONSTANTS", "INTEGER_ONE", "THREE_MODULUS"],
  "bls.scalar": ["MODULUS_DIGITS"],
} as const;

/** Constants to break in each build. `deno task test:mutation` breaks more of the tables. */
const BROKEN = 12;

function assertCaught(broken: readonly BrokenConstant[]): void {
  for (const { names, module } of spread(broken, BROKEN)) {
    assert.ok(firstBlsFailure(module) !== undefined, names.join());
  }
}

for (const [name, tables] of Object.entries(OWN_TABLES)) {
  Deno.test({
    name: `${name}: the checks catch a broken word of a table`,
    ignore: !committedBuilds("bls.").includes(name),
    fn() {
      const broken = brokenTables(name, committedBuild(name));
      const found = new Set(broken.flatMap(({ names }) => names));
      assert.deepEqual([...found].toSorted(), [...TABLES, ...tables].toSorted());
      assertCaught(broken);
    },
  });
}

Deno.test("bls.scalar: the checks catch a broken limb in the code", () => {
  const broken = brokenOperands("bls.scalar", committedBuild("bls.scalar"));
  assert.ok(broken.length >= 12);
  assertCaught(broken);
});
