import assert from "node:assert/strict";
import { CountersignError } from "../../src/errors.ts";
import type { CommitOutcome } from "../../src/gateway/ports.ts";
import { settleCommit } from "../../src/gateway/settle.ts";
import { FakeClock } from "../fake_clock.ts";

type Found = "ours" | "absent" | "other";
type Step<T> = T | Error;

/** Settles a commit that answers as scripted, the last answer for ever. */
async function settle(
  commits: readonly Step<CommitOutcome>[],
  inspections: readonly Step<Found>[],
) {
  const clock = new FakeClock();
  const calls = { commit: 0, inspect: 0 };
  const next = <T>(script: readonly Step<T>[], call: number): Promise<T> => {
    const step = script[Math.min(call, script.length - 1)]!;
    return step instanceof Error ? Promise.reject(step) : Promise.resolve(step);
  };
  const settled = settleCommit(clock, {
    what: "a test",
    commit: () => next(commits, calls.commit++),
    inspect: () => next(inspections, calls.inspect++),
  }).catch((error: CountersignError) => error.code);
  await clock.advance(60_000);
  return { outcome: await settled, ...calls };
}

const lost = new Error("the answer is lost");
const fence = new CountersignError("fence_lost", "taken");

Deno.test("a commit that is stored is ours, and nothing is read", async () => {
  assert.deepEqual(await settle(["stored"], [lost]), { outcome: "ours", commit: 1, inspect: 0 });
});

Deno.test("a failed commit is what stands in its place", async () => {
  const settled = (found: Found) => settle([lost], [found]);
  assert.deepEqual(await settled("ours"), { outcome: "ours", commit: 1, inspect: 1 });
  assert.deepEqual(await settled("other"), { outcome: "other", commit: 1, inspect: 1 });
});

Deno.test("a conflict may be with an earlier try of our own", async () => {
  const settled = await settle([lost, "conflict"], [lost, "ours"]);
  assert.deepEqual(settled, { outcome: "ours", commit: 2, inspect: 2 });
  const other = await settle(["conflict"], ["other"]);
  assert.deepEqual(other, { outcome: "other", commit: 1, inspect: 1 });
});

Deno.test("what is absent is tried again, until the store counts as failed", async () => {
  const settled = await settle([lost, lost, "stored"], ["absent"]);
  assert.deepEqual(settled, { outcome: "ours", commit: 3, inspect: 2 });
  for (const commits of [[lost], ["conflict" as const]]) {
    const failed = await settle(commits, ["absent"]);
    assert.deepEqual(failed, { outcome: "storage_failed", commit: 8, inspect: 8 });
  }
  const blind = await settle([lost], [lost]);
  assert.deepEqual(blind, { outcome: "storage_failed", commit: 8, inspect: 8 });
});

Deno.test("a lost fence ends it at once", async () => {
  assert.deepEqual(await settle([fence], ["ours"]), {
    outcome: "fence_lost",
    commit: 1,
    inspect: 0,
  });
  assert.equal((await settle([lost, fence], ["absent"])).outcome, "fence_lost");
});
