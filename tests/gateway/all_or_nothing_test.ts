/** A refused bulk request appends none of its digests, for every cause of refusal. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bytes, concat } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import type { Admission } from "../../src/gateway/ports.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { sealSuspecting } from "./suspecting_run.ts";

const MAX_BACKLOG = 65_536;

/**
 * Intake over a log whose one sealed run may hold `suspect`. Commits never finish, so the backlog
 * grows.
 */
async function openIntake(suspect: Bytes, asked: () => Promise<void>) {
  const log = new MemoryLog();
  sealSuspecting(log, suspect);
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const slowIndex = {
    ...store.index,
    bucket: async (run: number, bucket: number) => {
      await asked();
      return await store.index.bucket(run, bucket);
    },
  };
  const index = await HashIndex.open(slowIndex, store.rounds, RUN_LEAVES);
  const committer = new Committer(store.rounds, index, RUN_LEAVES, {
    writes: new StoreWrites(new FakeClock()),
    events: { accepted: () => {}, confirmed: () => {}, failed: () => {} },
  });
  store.fault = (kind) => kind === "intake" ? "hang_not_stored" : undefined;
  return { index, committer, intake: new Intake(index, new Assigner(index, committer)) };
}

async function findAny(index: HashIndex, digests: Bytes): Promise<number> {
  let found = 0;
  for (let at = 0; at < digests.length; at += 32) {
    if (await index.find(digests.slice(at, at + 32)) !== undefined) found++;
  }
  return found;
}

Deno.test("a bulk request that is refused after reading the store has appended no digest", async () => {
  const suspect = randomDigests(1);
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { index, committer, intake } = await openIntake(suspect, () => {
    asked.resolve();
    return answered.promise;
  });
  const request = concat(randomDigests(10), suspect, randomDigests(10));
  const refused = assert.rejects(intake.submit(request), { code: "overloaded" });
  await asked.promise;
  // Meanwhile other digests fill the backlog.
  void intake.submit(randomDigests(MAX_BACKLOG - committer.backlog - 5));
  const before = index.end;
  answered.resolve();
  await refused;
  assert.equal(index.end, before);
  assert.equal(await findAny(index, request), 0);
});

Deno.test("a refused bulk request has appended no digest", async () => {
  const refusals = fc.constantFrom("none", "room", "store", "admit", "repeats");
  const sizes = fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(refusals, sizes, fc.boolean(), async (refusal, sizes, hasAdmission) => {
      const suspect = randomDigests(1);
      const fill = Promise.withResolvers<() => void>();
      const { index, committer, intake } = await openIntake(suspect, async () => {
        (await fill.promise)();
      });
      const parts = sizes.map((size) => randomDigests(size));
      const request = concat(...parts.flatMap((part) => [part, suspect]));
      fill.resolve(() => {
        if (refusal === "store") throw new CountersignError("storage_failed", "no");
        const room = MAX_BACKLOG - committer.backlog;
        if (refusal === "room" && room > 0) void intake.submit(randomDigests(room));
      });
      const refuse = (when: string) => {
        if (refusal === when) throw new CountersignError("rate_limited", "no");
      };
      const admission: Admission = {
        admit() {
          refuse("admit");
          return new Uint8Array();
        },
        chargeRepeats: () => refuse("repeats"),
      };
      const isRefused = refusal === "room" || refusal === "store" ||
        (hasAdmission && refusal !== "none");
      const submitted = intake.submit(request, hasAdmission ? admission : undefined);
      if (!isRefused) {
        void submitted;
        // Commits take real time.
        await new FakeClock().until(() => index.end > RUN_LEAVES, 600_000);
        assert.equal(await findAny(index, request), request.length / 32);
        return;
      }
      await assert.rejects(submitted);
      assert.equal(await findAny(index, concat(...parts)), 0);
    }),
    { numRuns: 30 },
  );
});
