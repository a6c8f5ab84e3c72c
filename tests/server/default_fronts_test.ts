import assert from "node:assert/strict";
import { defaultFronts, MAX_FRONTS } from "../../src/server/roles/role_options.ts";

Deno.test("fronts are for the cores beside the sequencer's, from three cores on", () => {
  const shared = [1, 2, 3, 4, 8, 9, 64].map((cores) => defaultFronts(cores, true));
  assert.deepEqual(shared, [0, 0, 2, 3, 7, 8, MAX_FRONTS]);
});

Deno.test("a system that does not share ports has one front at most", () => {
  assert.deepEqual([1, 2, 3, 64].map((cores) => defaultFronts(cores, false)), [0, 0, 1, 1]);
});
