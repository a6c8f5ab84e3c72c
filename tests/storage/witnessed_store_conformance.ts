/**
 * The conformance suite for every {@linkcode WitnessedStore}.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { WitnessedStore } from "../../src/gateway/witnessing/ports.ts";
import { witnessed } from "./anchor_records.ts";
import type { TestedStore } from "./anchor_store_conformance.ts";

/** Registers the suite; every call of `make` must return an empty store. */
export function testWitnessedStore(
  name: string,
  make: () => Promise<TestedStore<WitnessedStore>>,
): void {
  const test = (what: string, run: (tested: TestedStore<WitnessedStore>) => Promise<void>) =>
    Deno.test(`${name} ${what}`, async () => {
      const tested = await make();
      try {
        await run(tested);
      } finally {
        await tested.remove();
      }
    });

  test("keeps the cosignatures of a size, and replaces them", async ({ store, reopen }) => {
    assert.equal(await store.at(9), undefined);
    assert.equal(await store.covering(0), undefined);
    const record = witnessed(9, false);
    await store.save(record);
    assert.deepEqual(await store.at(9), record);
    const renewed = { ...record, lines: [...record.lines, ...record.lines] };
    await store.save(renewed);
    assert.deepEqual(await store.at(9), renewed);
    await store.save({ ...renewed, meetsQuorum: true });
    const kept = await reopen();
    assert.deepEqual(await kept.at(9), { ...renewed, meetsQuorum: true });
  });

  test("keeps 64 checkpoints without a quorum, and none below one with it", async ({ store }) => {
    for (let size = 1; size <= 100; size++) await store.save(witnessed(size, false));
    assert.equal(await store.at(36), undefined);
    assert.equal((await store.at(37))?.size, 37);
    assert.equal(await store.covering(1), 100);
    assert.equal(await store.covering(101), undefined);
    await store.save(witnessed(90, true));
    assert.equal(await store.at(89), undefined);
    assert.equal((await store.at(91))?.meetsQuorum, false);
    assert.equal(await store.covering(50), 90);
    assert.equal(await store.covering(95), 100);
    // Late cosignatures of an old checkpoint are of no use.
    await store.save(witnessed(80, false));
    assert.equal(await store.at(80), undefined);
    await store.save(witnessed(95, true));
    assert.equal((await store.at(95))?.meetsQuorum, true);
    assert.equal(await store.at(91), undefined);
    assert.equal(await store.covering(1), 90);
  });

  test("a record without a quorum replaces that of the same size with one", async ({ store }) => {
    await store.save(witnessed(9, true));
    await store.save(witnessed(9, false));
    assert.equal((await store.at(9))?.meetsQuorum, false);
    assert.equal(await store.covering(1), 9);
  });
}
