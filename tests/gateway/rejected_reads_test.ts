/** A store whose reads reject: every started read is awaited, even after an early return. */

import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { Jobs, type JobsContext } from "../../src/gateway/intake/jobs.ts";
import type { LogStore } from "../../src/gateway/ports.ts";
import { FakeClock } from "../fake_clock.ts";
import { hashAt, randomDigests } from "./fixture.ts";
import { Scenario } from "./scenario.ts";

/** The number of unhandled rejections caused by `act`. */
async function unhandledBy(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const listener = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    count++;
  };
  globalThis.addEventListener("unhandledrejection", listener);
  try {
    await act();
    // They are reported after a turn of the event loop.
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    globalThis.removeEventListener("unhandledrejection", listener);
  }
  return count;
}

const damaged = () => Promise.reject(new CountersignError("store_corrupt", "Cannot read: damaged"));

/** `store`, whose reads of rounds and published heads reject while `isDamaged()`. */
function damagedReads(store: LogStore, isDamaged: () => boolean): LogStore {
  const { rounds, sths, tree, successions, index, spent, spentIndex } = store;
  return {
    tree,
    successions,
    index,
    spent,
    spentIndex,
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
      replace: (...change) => sths.replace(...change),
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
  // Signed, but in no published tree.
  const store = scenario.open();
  await first.gateway.stop();
  const second = await scenario.start(store, { maxAgeMs: 1e9 });
  await scenario.submit(second.gateway, randomDigests(2));
  await scenario.clock.until(() => scenario.log.rounds.size > 1);
  await second.gateway.stop();
  let isDamaged = false;
  const reading = damagedReads(scenario.open(), () => isDamaged);
  const { gateway } = await scenario.start(reading, { maxAgeMs: 1e9 });
  const hashes = await Promise.all([0, 1, 2, 3].map((sequence) => hashAt(gateway, sequence)));
  isDamaged = true;
  const unhandled = await unhandledBy(async () => {
    for (const sequence of [0, 3]) {
      const hash = hashes[sequence]!;
      for (const read of ["merkleProof", "bundle", "externalAnchors"] as const) {
        await (async () => await gateway.proofs[read](hash))().catch(() => {});
      }
      await Promise.resolve(gateway.jobs.snapshot(sequence)).catch(() => {});
      await gateway.proofs.inclusion(hash, 3).catch(() => {});
    }
    await gateway.log.batches(undefined, 10).catch(() => {});
    // An attestation that is not batched has no proof, even if its round cannot be read.
    await assert.rejects(async () => await gateway.proofs.merkleProof(hashes[3]!), {
      code: "not_batched",
    });
  });
  isDamaged = false;
  await gateway.stop();
  assert.equal(unhandled, 0);
});

Deno.test("a job with damaged digest and time leaves no rejection unhandled", async () => {
  const index: Pick<HashIndex, "acceptedAt" | "digests"> = {
    acceptedAt: damaged,
    digests: damaged,
  };
  const confirmed = { isConfirmed: () => false };
  const jobs = new Jobs({ index, confirmed, clock: new FakeClock() } as unknown as JobsContext);
  const unhandled = await unhandledBy(async () => {
    await assert.rejects(async () => await jobs.snapshot(5), { code: "store_corrupt" });
  });
  assert.equal(unhandled, 0);
});

Deno.test("control: an unhandled rejection is counted", async () => {
  assert.equal(await unhandledBy(() => Promise.resolve(void damaged())), 1);
});
