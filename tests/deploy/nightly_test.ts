/**
 * The workflow of the long runs: its tasks exist, and take the options that it gives them.
 *
 * @module
 */

import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

Deno.test("nightly.yml runs tasks that exist, with options that they document", async () => {
  const workflow = await Deno.readTextFile(new URL(".github/workflows/nightly.yml", ROOT));
  const { tasks } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT)));
  const runs = [...workflow.matchAll(/- \{ name: "?([\w:]+)"?, arguments: "(.*)" \}/g)];
  assert.deepEqual(
    [...new Set(runs.map(([, name]) => name))].toSorted(),
    [
      "bench:allocations",
      "crash",
      "failover",
      "fork",
      "fuzz",
      "publishing",
      "simulate",
      "test",
      "test:defects",
      "test:mutation",
    ],
  );
  for (const [, name, options] of runs) {
    assert.ok(name! in tasks, name!);
    for (const [option] of options!.matchAll(/--[a-z-]+/g)) {
      assert.ok(tasks[name!].description.includes(option), `${name} takes ${option}`);
    }
  }
});
