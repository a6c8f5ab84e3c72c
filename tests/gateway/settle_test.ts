import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { CommitOutcome } from "../../src/gateway/ports.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { FakeClock } from "../fake_clock.ts";

type Found = "ours" | "absent" | "other";
type Step<T> = T | Error;

/** Settles a commit with scripted answers, repeating the last one, in a stopped store. */
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
  const writes = new StoreWrites(clock);
  writes.stop();
  const settled = writes.settle({
    what: "a test",
    commit: () => next(commits, calls.commit++),
    inspect: () => next(inspections, calls.inspect++),
  }).catch((error: CountersignError) => error.code);
  await clock.advance(60_000);
  return { outcome: await settled, ...calls };
}

/** A store whose commits reject while `isFailing`, and what it reports. */
function failingStore(clock = new FakeClock()) {
  const store = { isFailing: true, triedAt: [] as number[], changes: [] as (string | undefined)[] };
  const startMs = clock.nowMs();
  const writes = new StoreWrites(clock, (outage) => store.changes.push(outage?.code));
  const settled = writes.settle({
    what: "a test",
    commit: () => {
      store.triedAt.push(clock.nowMs() - startMs);
      return store.isFailing ? Promise.reject(new Error("disk full")) : Promise.resolve("stored");
    },
    inspect: () => Promise.resolve("absent"),
  });
  // Some tests stop the store without awaiting this; the rejection is expected.
  settled.catch(() => {});
  return { clock, store, writes, settled };
}

const lost = new Error("the answer is lost");
const fence = new CountersignError("fence_lost", "taken");

Deno.test("a stored commit needs no read", async () => {
  assert.deepEqual(await settle(["stored"], [lost]), { outcome: "ours", commit: 1, inspect: 0 });
});

Deno.test("a failed commit takes the outcome of the stored row", async () => {
  const settled = (found: Found) => settle([lost], [found]);
  assert.deepEqual(await settled("ours"), { outcome: "ours", commit: 1, inspect: 1 });
  assert.deepEqual(await settled("other"), { outcome: "other", commit: 1, inspect: 1 });
});

Deno.test("a conflict may be with our own earlier try", async () => {
  const settled = await settle([lost, "conflict"], [lost, "ours"]);
  assert.deepEqual(settled, { outcome: "ours", commit: 2, inspect: 2 });
  const other = await settle(["conflict"], ["other"]);
  assert.deepEqual(other, { outcome: "other", commit: 1, inspect: 1 });
});

Deno.test("settle() retries an absent commit, and rejects after 5 s once stopped", async () => {
  const settled = await settle([lost, lost, "stored"], ["absent"]);
  assert.deepEqual(settled, { outcome: "ours", commit: 3, inspect: 2 });
  for (const commits of [[lost], ["conflict" as const]]) {
    assert.equal((await settle(commits, ["absent"])).outcome, "storage_failed");
  }
  assert.equal((await settle([lost], [lost])).outcome, "storage_failed");
});

Deno.test("settle() retries for 5 s, the last time at their end", async () => {
  const { clock, store, writes } = failingStore();
  await clock.advance(4_999);
  assert.ok(writes.outage === undefined);
  assert.ok(store.triedAt.length >= 8, `${store.triedAt}`);
  await clock.advance(1);
  assert.equal(store.triedAt.at(-1), 5_000);
  assert.match(String(writes.outage), /disk full/);
  assert.deepEqual(store.changes, ["storage_failed"]);
  writes.stop();
});

Deno.test("a lock of 4.9 s delays a commit and is no outage", async () => {
  const { clock, store, settled } = failingStore();
  await clock.advance(4_900);
  store.isFailing = false;
  await clock.advance(100);
  assert.equal(await settled, "ours");
  assert.deepEqual(store.changes, []);
});

Deno.test("a clock that is set back does not prolong the retries", async () => {
  const { clock, writes } = failingStore();
  await clock.advance(2_000);
  clock.jump(-3_600_000);
  await clock.advance(3_000);
  assert.equal(writes.outage?.code, "storage_failed");
  writes.stop();
});

Deno.test("an outage is reported once, and ends with the first write that succeeds", async () => {
  const { clock, store, writes, settled } = failingStore();
  await clock.advance(60_000);
  assert.deepEqual(store.changes, ["storage_failed"]);
  store.isFailing = false;
  await clock.advance(500);
  assert.equal(await settled, "ours");
  assert.deepEqual(store.changes, ["storage_failed", undefined]);
  assert.equal(writes.outage, undefined);
});

Deno.test("stop() ends the retries of an outage", async () => {
  const { clock, writes, settled } = failingStore();
  const refused = assert.rejects(settled, { code: "storage_failed" });
  await clock.advance(30_000);
  writes.stop();
  await clock.advance(0);
  await refused;
});

Deno.test("a damaged store ends the retries at once", async () => {
  const damaged = new CountersignError("store_corrupt", "malformed");
  assert.equal((await settle([damaged], ["absent"])).outcome, "store_corrupt");
  assert.equal((await settle([lost], [damaged])).outcome, "store_corrupt");
});

Deno.test("a lost fence ends the retries at once", async () => {
  assert.deepEqual(await settle([fence], ["ours"]), {
    outcome: "fence_lost",
    commit: 1,
    inspect: 0,
  });
  assert.equal((await settle([lost, fence], ["absent"])).outcome, "fence_lost");
});

Deno.test("a commit without an answer for 5 s is an outage until it is answered", async () => {
  const clock = new FakeClock();
  const changes: (string | undefined)[] = [];
  const writes = new StoreWrites(clock, (outage) => changes.push(outage?.code));
  const answer = Promise.withResolvers<CommitOutcome>();
  const settled = writes.settle({
    what: "a test",
    commit: () => answer.promise,
    inspect: () => Promise.resolve("absent"),
  });
  await clock.advance(4_999);
  assert.deepEqual(changes, []);
  await clock.advance(60_000);
  assert.deepEqual(changes, ["storage_failed"]);
  assert.match(String(writes.outage), /does not answer/);
  answer.resolve("stored");
  assert.equal(await settled, "ours");
  assert.deepEqual(changes, ["storage_failed", undefined]);
  assert.equal(clock.sleeping, 0);
});

Deno.test("stop() ends a commit without an answer", async () => {
  const clock = new FakeClock();
  const writes = new StoreWrites(clock);
  const settled = writes.settle({
    what: "a test",
    commit: () => new Promise(() => {}),
    inspect: () => Promise.resolve("absent"),
  });
  const refused = assert.rejects(settled, { code: "storage_failed" });
  await clock.advance(1_000);
  writes.stop();
  await clock.advance(4_000);
  await refused;
  assert.equal(clock.sleeping, 0);
});

for (const code of ["fence_lost", "store_corrupt"] as const) {
  Deno.test(`an outage that ends with ${code} is not reported as over`, async () => {
    const clock = new FakeClock();
    const changes: (string | undefined)[] = [];
    const writes = new StoreWrites(clock, (outage) => changes.push(outage?.code));
    let error: Error = new Error("disk full");
    const settled = writes.settle({
      what: "a test",
      commit: () => Promise.reject(error),
      inspect: () => Promise.resolve("absent"),
    });
    const refused = assert.rejects(settled, { code });
    await clock.advance(6_000);
    error = new CountersignError(code, "a test");
    await clock.advance(1_000);
    await refused;
    assert.deepEqual(changes, ["storage_failed"]);
    assert.equal(writes.outage?.code, "storage_failed");
  });
}
