/**
 * The short version of `publishing_run.ts`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { seededRandom } from "../scenarios/crash_plan.ts";
import { SEED } from "../seed.ts";
import { killPublishers, publishingDelays } from "./publishing_drill.ts";

const KILLS = 4;

Deno.test("publishers that are killed leave a copy that the next one completes", async () => {
  const { violations, size } = await killPublishers(KILLS, seededRandom(SEED));
  assert.deepEqual(violations, []);
  assert.ok(size > 0);
});

for (const publisher of ["publish", "gateway"] as const) {
  Deno.test(`each head is in the copy of ${publisher}`, async () => {
    assert.equal((await publishingDelays(publisher, 1)).length, 1);
  });
}
