/**
 * The conformance suite for processes that open one log.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { LogStore } from "../../src/gateway/ports.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { headCommit, round, row, sth } from "./log_records.ts";
import type { TestedLog } from "./log_store_conformance.ts";

const { links: [link, later] } = threeEpochs();

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
      assert.equal(await first.successions.commitDocument(1, link), "stored");
      assert.equal(await first.successions.commitLink(1, link), "stored");
      const { key } = first.index;
      await second.takeFence();
      assert.deepEqual(await second.successions.links(), [link]);
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

async function assertRefused(store: LogStore): Promise<void> {
  const { rounds, tree, sths, index, successions } = store;
  const refusal = { code: "fence_lost" };
  await assert.rejects(rounds.commit([row(3, 3)], []), refusal);
  // Also when the commit would be a conflict.
  await assert.rejects(rounds.commit([row(0, 3)], []), refusal);
  await assert.rejects(rounds.commit([], [round(0, 3)]), refusal);
  await assert.rejects(tree.commit(headCommit(null, 1)), refusal);
  await assert.rejects(sths.commit(sth(1)), refusal);
  await assert.rejects(index.commitRows(0, [], true), refusal);
  await assert.rejects(successions.commitDocument(2, later), refusal);
  await assert.rejects(successions.commitLink(2, later), refusal);
  await assert.rejects(successions.commitLink(1, link), refusal);
  assert.deepEqual(await successions.links(), [link]);
  assert.equal(await successions.document(2), undefined);
  assert.equal(await tree.head(), undefined);
  assert.equal(await sths.at(1), undefined);
  assert.equal(await index.runCount(), 0);
}
