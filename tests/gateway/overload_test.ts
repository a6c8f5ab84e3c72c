/** A gateway under more requests than it can answer at once. */

import assert from "node:assert/strict";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { Jobs, type JobsContext } from "../../src/gateway/intake/jobs.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "./fixture.ts";
import { wrapped } from "./wrapped_witness.ts";

/** A generous limit for slow machines. */
const WAIT_SECONDS = 200;

/** Submits `count` digests at once; returns the outcome of each. */
function submitAtOnce(
  gateway: Gateway,
  count: number,
  seconds: number | undefined,
): Promise<PromiseSettledResult<{ readonly terminal: boolean }>[]> {
  return Promise.allSettled(
    Array.from({ length: count }, () => gateway.jobs.submit(randomDigests(1).toHex(), seconds)),
  );
}

function refusalsOf(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return results.filter((result) => result.status === "rejected")
    .map((result) => result.reason.code);
}

Deno.test("submissions beyond the limit are refused, and accepted ones are answered", async () => {
  const network = new TestNetwork();
  const { gateway, faults } = await network.start(await memoryStore());
  try {
    const results = await submitAtOnce(gateway, 1_000, WAIT_SECONDS);
    assert.deepEqual(refusalsOf(results), Array(1_000 - 768).fill("overloaded"));
    for (const result of results) {
      if (result.status === "fulfilled") assert.ok(result.value.terminal);
    }
    // Refused requests leave no trace: the next ones are accepted at once.
    assert.deepEqual(refusalsOf(await submitAtOnce(gateway, 768, WAIT_SECONDS)), []);
    assert.equal(gateway.status.resource().pending_count, 0);
    assert.deepEqual(faults, []);
  } finally {
    await gateway.stop();
  }
});

Deno.test("digests are refused while too many wait for a round", async () => {
  const network = new TestNetwork();
  // Rounds never time out; on a slow machine one could end too early.
  const clock: Clock = {
    nowMs: () => systemClock.nowMs(),
    elapsedMs: () => systemClock.elapsedMs(),
    sleep: (ms, signal) => systemClock.sleep(ms < 5_000 ? ms : 1_000_000_000, signal),
  };
  const { gateway } = await network.start(await memoryStore(), { clock });
  try {
    // Slow but not known to be down: the rounds stay in flight, and no other is formed.
    for (const witness of network.witnesses) witness.state = "silent";
    let taken = 0;
    const submitMore = async () => {
      for (; taken < 40; taken++) await gateway.jobs.submitAll(randomDigests(1_000), undefined);
    };
    await assert.rejects(submitMore(), { code: "overloaded" });
    // 16 rounds of 512 in flight, 16,384 waiting digests, and one request too many.
    assert.equal(taken, Math.ceil((16 * 512 + 16_384) / 1_000));
    assert.equal(gateway.status.resource().pending_count, 1_000 * taken);
    await assert.rejects(gateway.jobs.submit(randomDigests(1).toHex(), undefined), {
      code: "overloaded",
    });
  } finally {
    await gateway.stop();
  }
});

Deno.test("submissions that wait for silent witnesses do not fill the limit", async () => {
  const network = new TestNetwork();
  const { gateway } = await network.start(await memoryStore());
  try {
    for (const witness of network.witnesses) witness.down = true;
    const first = randomDigests(1).toHex();
    await gateway.jobs.submit(first, undefined);
    const statusOf = async () =>
      (JSON.parse((await gateway.jobs.get(first, undefined))!.json) as JobSnapshotMembers).status;
    await until(async () => await statusOf() === "retryable");
    const results = await submitAtOnce(gateway, 1_000, 1);
    assert.deepEqual(refusalsOf(results), []);
    for (const witness of network.witnesses) witness.down = false;
    await until(() => gateway.status.resource().pending_count === 0);
  } finally {
    await gateway.stop();
  }
});

Deno.test("slower witnesses raise the limit of submissions", async () => {
  const network = new TestNetwork();
  const far = network.witnesses.map((witness) =>
    wrapped(witness, {
      sign: async (...args) => {
        await systemClock.sleep(100);
        return await witness.sign(...args);
      },
    })
  );
  const { gateway } = await network.start(await memoryStore(), { witnesses: far });
  try {
    for (let round = 0; round < 4; round++) {
      await gateway.jobs.submit(randomDigests(1).toHex(), WAIT_SECONDS);
    }
    const results = await submitAtOnce(gateway, 2_000, WAIT_SECONDS);
    assert.deepEqual(refusalsOf(results), []);
  } finally {
    await gateway.stop();
  }
});

Deno.test("digests are refused while too many runs of an index are in memory", async () => {
  let unsealedRuns = 8;
  let unsealedSpent = 8;
  // A run takes 2^20 digests, so the test calls the parts directly.
  const context = {
    clock: systemClock,
    health: { checkAccepting: () => {}, checkStillStored: () => {} },
    index: {
      get unsealedRuns() {
        return unsealedRuns;
      },
    },
    spent: {
      index: {
        get unsealedRuns() {
          return unsealedSpent;
        },
      },
    },
    signer: { unformedCount: 0, answerMs: 0, isHeld: true },
    intake: { submit: () => Promise.resolve([7]) },
  } as unknown as JobsContext;
  const jobs = new Jobs(context);
  assert.deepEqual(await jobs.accept(randomDigests(1)), [7]);
  for ([unsealedRuns, unsealedSpent] of [[9, 8], [8, 9]] as const) {
    await assert.rejects(jobs.accept(randomDigests(1)), { code: "overloaded" });
    await assert.rejects(jobs.submit(randomDigests(1).toHex(), undefined), { code: "overloaded" });
  }
});
