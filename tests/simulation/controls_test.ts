import assert from "node:assert/strict";
import { type Control, CONTROLS } from "./sabotages.ts";
import { simulate } from "./simulation.ts";

/** A seed that ends in a fault, which must be of one of the control's kinds. */
async function detectingSeed(
  { sabotage, engine, kinds, seeds, lately = 1 }: Control,
): Promise<number | undefined> {
  for (let i = 0; i < seeds; i++) {
    const seed = (lately - 1 + i) % seeds + 1;
    const { fault } = await simulate({
      seed,
      scheme: "ed25519",
      sabotage,
      ...(engine !== undefined && { engine }),
    });
    if (fault === undefined) continue;
    assert.ok(kinds.includes(fault.kind), `seed ${seed} ends with another fault: ${fault.message}`);
    return seed;
  }
  return undefined;
}

for (const [name, control] of Object.entries(CONTROLS)) {
  Deno.test(`the simulation detects ${name}`, async () => {
    const seed = await detectingSeed(control);
    assert.ok(seed !== undefined, `not detected in ${control.seeds} seeds`);
  });
}
