/**
 * A short run of `deno task fork`: copies of a running gateway's store beside the original.
 *
 * @module
 */

import assert from "node:assert/strict";
import { forkPlan } from "./fork_run.ts";
import { runFork } from "./fork_trial.ts";

for (const [scheme, isQuiet] of [["ed25519", true], ["bls", true], ["ed25519", false]] as const) {
  const when = isQuiet ? "of the same size" : "that is behind";
  Deno.test(`${scheme}: a copy ${when} stops acknowledging, and the original goes on`, async () => {
    const plan = forkPlan(0, { seed: 14, scheme, kills: false });
    const { violations, originalAccepted } = await runFork({ ...plan, isQuiet });
    assert.deepEqual(violations, []);
    assert.ok(originalAccepted > 50);
  });
}
