import assert from "node:assert/strict";
import { type Fault, mutantsOf } from "./mutants.ts";
import { runMutants, spread } from "./mutation_run.ts";
import { MUTATION_SUBJECTS } from "./mutation_subjects.ts";

const MODULES = Object.entries(MUTATION_SUBJECTS).filter(([name]) => name !== "toy");

/**
 * How many of each fault; `deno task test:mutation` runs over more. The BLS modules take longer, and
 * have their tables and checks broken by name elsewhere.
 */
function handful(name: string): number {
  return name.startsWith("bls.") ? 1 : 4;
}

const FAULTS: readonly Fault[] = ["table", "constant", "operation", "comparison", "condition"];

for (const [name, { module, tables }] of MODULES) {
  Deno.test(`${name}: with a word, a constant, an operation or a check broken it is caught`, async () => {
    const mutants = mutantsOf(module(), tables);
    const chosen = FAULTS.flatMap((fault) =>
      spread(mutants.filter((mutant) => mutant.fault === fault), handful(name))
    );
    assert.equal(chosen.length, FAULTS.length * handful(name));
    const outcomes = await runMutants(name, chosen);
    const survivors = outcomes.filter(({ caughtBy }) => caughtBy === undefined)
      .map(({ mutant }) => mutant);
    const names = survivors.map(({ name }) => name).join(", ");
    assert.ok(survivors.every(({ fault }) => fault !== "table"), names);
    // A few mutants are equivalent to the module: always the slower of two ways, say.
    assert.ok(survivors.length <= 2, names);
  });
}
