import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "./fixture.ts";

Deno.test("a gateway goes on after reads of its store failed for a while", async () => {
  const network = new TestNetwork();
  const store = await memoryStore();
  const { gateway, faults } = await network.start(store);
  const head = store.tree.head.bind(store.tree);
  let failures = 0;
  store.tree.head = () => {
    // Commits of the tree succeed, and what is read after them fails.
    if (failures++ < 3) return Promise.reject(new CountersignError("storage_failed", "A test"));
    return head();
  };
  for (const size of [5, 9]) {
    await gateway.jobs.submitAll(randomDigests(size === 5 ? 5 : 4), undefined);
    await until(() => gateway.log.latest()?.sth.tree_head.tree_size === size);
  }
  assert.ok(failures > 3);
  assert.deepEqual(faults, []);
  await gateway.stop();
});
