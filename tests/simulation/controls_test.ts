import assert from "node:assert/strict";
import { type Control, CONTROLS } from "./sabotages.ts";
import { simulate } from "./simulation.ts";

/** The first seed that ends in a fault of one of the control's kinds. */
async function seedThatNotices({ sabotage, kinds, seeds }: Control): Promise<number | undefined> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { fault } = await simulate({ seed, scheme: "ed25519", sabotage });
    if (fault === undefined) continue;
    assert.ok(kinds.includes(fault.kind), `seed ${seed} ends otherwise: ${fault.message}`);
    return seed;
  }
  return undefined;
}

for (const [name, control] of Object.entries(CONTROLS)) {
  Deno.test(`control: the simulation notices who ${name}`, async () => {
    const seed = await seedThatNotices(control);
    assert.ok(seed !== undefined, `nothing was noticed in ${control.seeds} seeds`);
  });
}
