/** A store whose reads reject: each read that is started is waited for, whoever returns early. */

import assert from "node:assert/strict";
import { CountersignError } from "../../src/errors.ts";
import type { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { Jobs } from "../../src/gateway/intake/jobs.ts";
import type { Pipeline } from "../../src/gateway/pipeline.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";
import { Scenario } from "./scenario.ts";

/** How many rejections are left unhandled by what `act` starts. */
async function unhandledBy(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const listener = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    count++;
  };
  globalThis.addEventListener("unhandledrejection", listener);
  try {
    await act();
    // They are told of after a turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    globalThis.removeEventListener("unhandledrejection", listener);
  }
  return count;
}

const damaged = () => Promise.reject(new CountersignError("store_corrupt", "Cannot read: damaged"));

/** `store`, whose reads of rounds and published heads reject once `isDamaged` says so. */
function damagedReads(store: LogStore, isDamaged: () => boolean): LogStore {
  const { rounds, sths, tree, index, spent, spentIndex } = store;
  return {
    ...{ tree, index, spent, spentIndex },
    rounds: {
      limits: rounds.limits,
      commit: (...write) => rounds.commit(...write),
      rowAt: (first) => rounds.rowAt(first),
      rows: (start, end) => isDamaged() ? damaged() : rounds.rows(start, end),
      lastRow: () => rounds.lastRow(),
      roundAt: (first) => rounds.roundAt(first),
      roundBefore: (at) => isDamaged() ? damaged() : rounds.roundBefore(at),
      rounds: (...range) => isDamaged() ? damaged() : rounds.rounds(...range),
    },
    sths: {
      commit: (record) => sths.commit(record),
      at: (size) => isDamaged() ? damaged() : sths.at(size),
      firstAbove: (size) => isDamaged() ? damaged() : sths.firstAbove(size),
      below: (...page) => isDamaged() ? damaged() : sths.below(...page),
    },
    takeFence: () => store.takeFence(),
    checkFence: () => store.checkFence(),
    close: () => store.close(),
  };
}

Deno.test("a gateway leaves no rejected read unhandled, batched or not", async () => {
  const scenario = new Scenario("ed25519");
  const first = await scenario.start(scenario.open());
  await scenario.submit(first.gateway, randomDigests(3));
  await scenario.settle(first.gateway);
  // Signed, and in no published tree.
  const store = scenario.open();
  await first.gateway.stop();
  const second = await scenario.start(store, { maxAgeMs: 1e9 });
  await scenario.submit(second.gateway, randomDigests(2));
  await scenario.clock.until(() => scenario.log.rounds.size > 1);
  await second.gateway.stop();
  let isDamaged = false;
  const reading = damagedReads(scenario.open(), () => isDamaged);
  const { gateway } = await scenario.start(reading, { maxAgeMs: 1e9 });
  isDamaged = true;
  const unhandled = await unhandledBy(async () => {
    for (const sequence of [0, 3]) {
      for (const read of ["merkleProof", "bundle", "externalAnchors"] as const) {
        await Promise.resolve(gateway[read](sequence)).catch(() => {});
      }
      await Promise.resolve(gateway.jobs.snapshot(sequence)).catch(() => {});
      await gateway.inclusion(sequence, 3).catch(() => {});
    }
    await gateway.batches(undefined, 10).catch(() => {});
    // What is not batched has no proof: whether its round can be read is of no matter.
    assert.equal(await gateway.merkleProof(3), undefined);
  });
  isDamaged = false;
  await gateway.stop();
  assert.equal(unhandled, 0);
});

Deno.test("a job of which both digest and time are damaged leaves no rejection unhandled", async () => {
  const index: Pick<HashIndex, "acceptedAt" | "digests"> = {
    acceptedAt: damaged,
    digests: damaged,
  };
  const pipeline = { index, confirmed: { isConfirmed: () => false } } as unknown as Pipeline;
  const jobs = new Jobs("test.example", new FakeClock(), pipeline);
  const unhandled = await unhandledBy(async () => {
    await assert.rejects(async () => await jobs.snapshot(5), { code: "store_corrupt" });
  });
  assert.equal(unhandled, 0);
});

Deno.test("control: a promise that is given up is counted", async () => {
  assert.equal(await unhandledBy(() => Promise.resolve(void damaged())), 1);
});
