import assert from "node:assert/strict";
import { type Fault, mutantsOf } from "./mutants.ts";
import { runMutants, spread } from "./mutation_run.ts";
import { MUTATION_SUBJECTS } from "./mutation_subjects.ts";

/** `bls_constants_test.ts` and `deno task test:mutation` break the BLS modules, which take longer. */
const MODULES = Object.entries(MUTATION_SUBJECTS).filter(([name]) => name.startsWith("hashing."));

/** Mutants of each fault; `deno task test:mutation` tries more. */
const MUTANTS = 4;

const FAULTS: readonly Fault[] = ["table", "constant", "operation", "comparison", "condition"];

for (const [name, { module, tables }] of MODULES) {
  Deno.test(`${name}: the checks catch a broken word, constant, operation or condition`, async () => {
    const mutants = mutantsOf(module(), tables);
    const chosen = FAULTS.flatMap((fault) =>
      spread(mutants.filter((mutant) => mutant.fault === fault), MUTANTS)
    );
    assert.equal(chosen.length, FAULTS.length * MUTANTS);
    const outcomes = await runMutants(name, chosen);
    const survivors = outcomes.filter(({ caughtBy }) => caughtBy === undefined)
      .map(({ mutant }) => mutant);
    const names = survivors.map(({ name }) => name).join(", ");
    assert.ok(survivors.every(({ fault }) => fault !== "table"), names);
    // A few mutants are equivalent to the module, such as one that always takes the slower path.
    assert.ok(survivors.length <= 2, names);
  });
}
