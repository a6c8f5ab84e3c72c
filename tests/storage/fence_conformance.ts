/**
 * The conformance suite for processes that open one log.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { LogStore } from "../../src/gateway/ports.ts";
import { headCommit, round, row, sth } from "./log_records.ts";
import type { TestedLog } from "./log_store_conformance.ts";

/** Registers the suite. */
export function testFence(name: string, make: () => Promise<TestedLog>): void {
  Deno.test(`${name} is written by whoever took the fence last`, async () => {
    const log = await make();
    const first = await log.open();
    const second = await log.open();
    const third = await log.open();
    try {
      await first.takeFence();
      assert.equal(await first.rounds.commit([row(0, 3)], []), "stored");
      const { key } = first.index;
      await second.takeFence();
      assert.deepEqual(second.index.key, key);
      assert.deepEqual(await second.rounds.lastRow(), row(0, 3));
      await assertRefused(first);
      // Without the fence, as after its loss, no commit succeeds.
      await assertRefused(third);
      assert.deepEqual(await first.rounds.lastRow(), row(0, 3));
      assert.equal(await second.rounds.commit([row(3, 3)], []), "stored");
      assert.deepEqual(await first.rounds.lastRow(), row(3, 3));
      await first.takeFence();
      assert.equal(await first.rounds.commit([row(6, 3)], []), "stored");
      await assertRefused(second);
    } finally {
      for (const store of [first, second, third]) store.close();
      await log.remove();
    }
  });
}

async function assertRefused({ rounds, tree, sths, index }: LogStore): Promise<void> {
  const refusal = { code: "fence_lost" };
  await assert.rejects(rounds.commit([row(3, 3)], []), refusal);
  // Also when the commit would be a conflict.
  await assert.rejects(rounds.commit([row(0, 3)], []), refusal);
  await assert.rejects(rounds.commit([], [round(0, 3)]), refusal);
  await assert.rejects(tree.commit(headCommit(null, 1)), refusal);
  await assert.rejects(sths.commit(sth(1)), refusal);
  await assert.rejects(index.commitRows(0, [], true), refusal);
  assert.equal(await tree.head(), undefined);
  assert.equal(await sths.at(1), undefined);
  assert.equal(await index.runCount(), 0);
}
