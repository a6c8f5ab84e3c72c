import assert from "node:assert/strict";
import { mutantsOf } from "./mutants.ts";
import { runMutants } from "./mutation_run.ts";
import { TOY_NAMES, toyModule } from "./toy_module.ts";

const POWERS = TOY_NAMES.filter((name) => name.endsWith("Power"));

Deno.test("mutantsOf() makes distinct modules that an engine loads", () => {
  const module = toyModule();
  const mutants = mutantsOf(module, { wordLength: 4 });
  assert.ok(mutants.length > 200);
  assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
  const texts = mutants.map(({ bytes }) => bytes().toHex());
  assert.ok(!texts.includes(module.toHex()));
  assert.equal(new Set(texts).size, texts.length);
  for (const { name, bytes } of mutants) assert.ok(WebAssembly.validate(bytes()), name);
});

Deno.test("runMutants() passes the good module and catches the mutants of checked functions", async () => {
  const module = toyModule();
  const good = { fault: "table", name: "none", bytes: () => module } as const;
  const [outcome] = await runMutants("toy", [good]);
  assert.equal(outcome!.caughtBy, undefined);

  const mutants = mutantsOf(module, { wordLength: 4 });
  const checked = mutants.filter(({ name }) => POWERS.some((power) => name.startsWith(power)));
  assert.ok(checked.length > 150);
  const survivors = (await runMutants("toy", checked)).filter(({ caughtBy }) => !caughtBy);
  // One mutant of each function is equivalent: a shift by 0 in the other direction.
  assert.equal(survivors.length, POWERS.length);
  assert.ok(survivors.every(({ mutant }) => mutant.name.endsWith(": opcode 76 to 74")));

  // Mutants of unchecked functions survive.
  const unchecked = mutants.filter(({ name }) => name.startsWith("division"));
  const outcomes = await runMutants("toy", unchecked);
  assert.ok(outcomes.length > 1 && outcomes.every(({ caughtBy }) => caughtBy === undefined));
});
