/** Witnesses that are not ours cosign what the gateway publishes (`foreign_witnesses.ts`). */

import assert from "node:assert/strict";
import { cosignHeads } from "./foreign_witness_run.ts";

for (const name of ["litewitness", "sigsum"] as const) {
  Deno.test(`${name} cosigns each head, through kills of it and restarts of the gateway`, async () => {
    const plan = { heads: 40, gatewayEvery: 15, witnessEvery: 18 };
    const { witnessKills, gatewayStarts, answers } = await cosignHeads(name, plan);
    assert.deepEqual([witnessKills, gatewayStarts], [2, 3]);
    // Each start of the gateway but the first asks for a size that the witness is beyond.
    assert.ok(answers.get("size_conflict")! >= 2);
    assert.equal(answers.get("failed"), undefined);
  });
}
