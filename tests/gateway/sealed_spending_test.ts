/** Tests that need a whole run of 2^20 ids: redeeming sealed ids, before and during sealing. */

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { concat } from "../../src/base/bytes.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { SpentIds } from "../../src/gateway/index/spent_ids.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { checkIndex } from "./checker.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";
import { Spending } from "./spending.ts";
import { sealSuspecting } from "./suspecting_run.ts";
import { withWrites } from "./store_writes.ts";

const PLACES = Array.from({ length: KV_LOG_LIMITS.digestsPerRow }, (_, place) => place);
/** All of the first run but the last. */
const ids = randomDigests(RUN_LEAVES - 1);

/** A log with few digests in which one more id fills a run. */
function almostFullLog(): MemoryLog {
  const log = new MemoryLog(KV_LOG_LIMITS);
  log.rows.set(0, { first: 0, acceptedAt: 1, digests: randomDigests(28) });
  for (let first = 0; first < RUN_LEAVES - 1; first += PLACES.length) {
    const offsets = PLACES.slice(0, RUN_LEAVES - 1 - first);
    const end = first + offsets.length;
    log.spent.set(first, { first, intakeRow: 0, offsets, ids: ids.slice(first * 32, end * 32) });
  }
  return log;
}

async function open(store: LogStore, log: MemoryLog) {
  await store.takeFence();
  const clock = new FakeClock();
  const index = await HashIndex.open(store.index, store.rounds, log.end);
  const spent = await SpentIds.open(store, log.end);
  const events = { accepted: () => {}, confirmed: () => {}, failed: assert.fail };
  const committer = new Committer(store.rounds, index, log.end, {
    writes: new StoreWrites(clock),
    spent,
    events,
  });
  return {
    spent,
    intake: new Intake(index, new Assigner(index, committer, spent), { spent: spent?.index }),
  };
}

Deno.test("sealed ids stay redeemed: during look-ups, for later requests and after a start", async () => {
  const log = almostFullLog();
  const { spent, intake } = await open(new MemoryLogStore(log), log);
  const last = randomDigests(1);
  const admitted = Promise.withResolvers<void>();
  // Requested before the id is redeemed, answered after it is sealed.
  const pair = randomDigests(2);
  const early = intake.submit(pair, {
    admit: () => admitted.promise.then(() => concat(randomDigests(1), last)),
  });
  const refused = assert.rejects(early, {
    code: "token_spent",
    message: new RegExp(partOf(pair, 1, 1).toHex()),
  });
  assert.deepEqual(await intake.submit(randomDigests(1), new Spending(last)), [28]);
  await withWrites((writes) => spent.seal(writes));
  assert.equal(spent.index.sealedRuns, 1);
  admitted.resolve();
  await refused;
  const fresh = randomDigests(1);
  for (const id of [last, partOf(ids, 0, 1), partOf(ids, 777_777, 1)]) {
    const request = new Spending(concat(fresh, id));
    await assert.rejects(intake.submit(randomDigests(2), request), { code: "token_spent" });
  }
  assert.deepEqual(await intake.submit(randomDigests(1), new Spending(fresh)), [29]);
  assert.deepEqual(log.violations, []);
  const store = new MemoryLogStore(log);
  await checkIndex({ index: store.spentIndex }, concat(ids, last, fresh));
  const reopened = await open(store, log);
  for (const id of [last, partOf(ids, 5, 1), fresh]) {
    const again = reopened.intake.submit(randomDigests(1), new Spending(id));
    await assert.rejects(again, { code: "token_spent" });
  }
});

Deno.test("a look-up during sealing misses no redeemed id", async () => {
  const log = almostFullLog();
  const suspect = randomDigests(1);
  sealSuspecting(log, suspect);
  const store = new MemoryLogStore(log);
  const answered = Promise.withResolvers<void>();
  let asked = 0;
  const slow = {
    ...store.index,
    bucket: async (run: number, bucket: number) => {
      // Once before the admission check, and once after it.
      if (++asked === 2) await answered.promise;
      return await store.index.bucket(run, bucket);
    },
  };
  const { rounds, tree, sths, successions, spent: spentStore, spentIndex } = store;
  const { spent, intake } = await open({
    rounds,
    tree,
    sths,
    successions,
    index: slow,
    spent: spentStore,
    spentIndex,
    takeFence: () => store.takeFence(),
    checkFence: () => store.checkFence(),
    close: () => store.close(),
  }, log);
  const last = randomDigests(1);
  const early = new Spending(concat(randomDigests(1), last));
  const refused = assert.rejects(intake.submit(concat(suspect, randomDigests(1)), early), {
    code: "token_spent",
  });
  while (asked < 2) await setImmediate();
  await intake.submit(randomDigests(1), new Spending(last));
  await withWrites((writes) => spent.seal(writes));
  assert.equal(spent.index.sealedRuns, 1);
  answered.resolve();
  await refused;
  assert.deepEqual(early.asked, [[0, 1]]);
  assert.equal(log.end, RUN_LEAVES + 1);
});
