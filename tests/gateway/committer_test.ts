import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { RoundRecord } from "../../src/proof/format/records.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { round, row } from "../storage/log_records.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { type Fault, MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";

/** The committer's reports to its observer. */
interface Told {
  readonly accepted: number[];
  readonly confirmed: { readonly record: RoundRecord; readonly submitted: RoundRecord }[];
  readonly failed: unknown[];
}

interface Parts {
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  readonly store: MemoryLogStore;
  readonly committer: Committer;
  readonly intake: Intake;
  readonly reported: Told;
}

async function makeCommitter(
  log = new MemoryLog(),
  turn?: () => Promise<void>,
  attemptEnd: () => Promise<void> | undefined = () => undefined,
  returnMs?: number,
): Promise<Parts> {
  const clock = new FakeClock();
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, 0);
  const reported: Told = { accepted: [], confirmed: [], failed: [] };
  const committer = new Committer(store.rounds, index, 0, {
    writes: new StoreWrites(clock),
    turn,
    attemptEnd,
    returnMs,
    events: {
      accepted: (end) => reported.accepted.push(end),
      confirmed: (record, submitted) => reported.confirmed.push({ record, submitted }),
      failed: (error) => reported.failed.push(error),
    },
  });
  return {
    clock,
    log,
    store,
    committer,
    intake: new Intake(index, new Assigner(index, committer)),
    reported,
  };
}

function commitsOf(store: MemoryLogStore): number {
  return [...store.commits.values()].reduce((sum, count) => sum + count, 0);
}

Deno.test("a single submission is one commit without a timer", async () => {
  const { store, intake, clock } = await makeCommitter();
  for (let i = 0; i < 5; i++) {
    assert.deepEqual(await intake.submit(randomDigests(1)), [i]);
    assert.equal(commitsOf(store), i + 1);
  }
  assert.equal(clock.sleeping, 0);
});

Deno.test("a commit begins after a turn, with all digests and rounds that arrived in it", async () => {
  const turns: PromiseWithResolvers<void>[] = [];
  const turn = () => {
    turns.push(Promise.withResolvers<void>());
    return turns.at(-1)!.promise;
  };
  const { store, committer, intake, reported } = await makeCommitter(new MemoryLog(), turn);
  const arrivals = [];
  for (let i = 0; i < 4; i++) {
    // Each request has its own microtasks.
    await setImmediate();
    arrivals.push(intake.submit(randomDigests(2)));
  }
  assert.deepEqual([turns.length, commitsOf(store)], [1, 0]);
  turns[0]!.resolve();
  await Promise.all(arrivals);
  assert.deepEqual([reported.accepted, commitsOf(store)], [[8], 1]);
  committer.store(round(0, 4));
  await setImmediate();
  committer.store(round(4, 4));
  const closed = committer.close();
  await setImmediate();
  assert.deepEqual([turns.length, commitsOf(store)], [2, 1]);
  turns[1]!.resolve();
  await closed;
  assert.deepEqual([reported.confirmed.length, commitsOf(store)], [2, 2]);
});

Deno.test("a small commit waits for the round that is being signed, a large one does not", async () => {
  let attempt: PromiseWithResolvers<void> | undefined = Promise.withResolvers();
  const { store, committer, intake, reported } = await makeCommitter(
    new MemoryLog(),
    undefined,
    () => attempt?.promise,
  );
  const large = intake.submit(randomDigests(300));
  await setImmediate();
  assert.ok(commitsOf(store) > 0);
  attempt.resolve();
  attempt = undefined;
  await large;
  attempt = Promise.withResolvers();
  const start = commitsOf(store);
  const small = intake.submit(randomDigests(2));
  await setImmediate();
  assert.equal(commitsOf(store), start);
  committer.store(round(0, 300));
  const later = intake.submit(randomDigests(1));
  attempt.resolve();
  await Promise.all([small, later]);
  assert.deepEqual([commitsOf(store), reported.confirmed.length], [start + 1, 1]);
  // A signed round is stored at once.
  attempt = Promise.withResolvers();
  committer.store(round(300, 3));
  await committer.close();
  assert.equal(commitsOf(store), start + 2);
});

/**
 * A committer whose two clients have submitted again in time, and were answered again while a third one waited.
 */
async function withReturningClients(): Promise<Parts & { readonly third: Promise<unknown> }> {
  const attempts: Promise<void>[] = [];
  const parts = await makeCommitter(new MemoryLog(), undefined, () => attempts[0], 1);
  const { committer, intake, reported } = parts;
  await intake.submit(randomDigests(2));
  committer.store(round(0, 2));
  await setImmediate();
  await intake.submit(randomDigests(3));
  const attempt = Promise.withResolvers<void>();
  attempts.push(attempt.promise);
  const third = intake.submit(randomDigests(1));
  await setImmediate();
  committer.store(round(2, 2));
  attempt.resolve();
  await setImmediate();
  assert.deepEqual([reported.confirmed.length, reported.accepted], [2, [2, 5]]);
  return { ...parts, third };
}

Deno.test("clients that return share a commit with those that wait", async () => {
  const { clock, store, intake, third, reported } = await withReturningClients();
  const start = commitsOf(store);
  const first = intake.submit(randomDigests(1));
  await setImmediate();
  assert.deepEqual([commitsOf(store), clock.sleeping], [start, 1]);
  const second = intake.submit(randomDigests(1));
  await Promise.all([third, first, second]);
  assert.deepEqual([commitsOf(store), clock.sleeping], [start + 1, 0]);
  assert.deepEqual(reported.accepted, [2, 5, 8]);
});

Deno.test("a commit waits for clients only if they returned in time before, and not longer", async () => {
  const { clock, committer, intake, third, reported } = await withReturningClients();
  await clock.advance(1);
  await third;
  await intake.submit(randomDigests(1));
  await intake.submit(randomDigests(1));
  assert.deepEqual([reported.accepted, clock.sleeping], [[2, 5, 6, 7, 8], 0]);
  // They returned too late.
  committer.store(round(4, 3));
  await setImmediate();
  await intake.submit(randomDigests(1));
  assert.deepEqual([reported.accepted.at(-1), clock.sleeping], [9, 0]);
});

Deno.test("a signed round is stored while a commit waits for clients", async () => {
  const { clock, committer, intake, third, reported } = await withReturningClients();
  assert.deepEqual([committer.backlog, clock.sleeping], [1, 1]);
  committer.store(round(4, 1));
  await setImmediate();
  assert.deepEqual([reported.confirmed.length, reported.accepted], [3, [2, 5, 6]]);
  await Promise.all([third, intake.submit(randomDigests(1))]);
});

Deno.test("waiters are answered in order, after the commit is reported", async () => {
  const { committer, intake, reported } = await makeCommitter();
  const lines: string[] = [];
  const waiter = (end: number, done = () => {}) => ({
    end,
    done() {
      lines.push(`${end} of ${reported.accepted.at(-1)}`);
      done();
    },
    failed: () => lines.push("failed"),
  });
  const submitted = intake.submit(randomDigests(2));
  committer.onDurable(waiter(1, () => {
    // Durable: answered at once.
    committer.onDurable(waiter(2));
    committer.onDurable(waiter(3));
    void intake.submit(randomDigests(1));
  }));
  committer.onDurable(waiter(2));
  await submitted;
  assert.deepEqual(lines, ["1 of 2", "2 of 2", "2 of 2"]);
  await committer.whenDurable(3);
  assert.equal(lines.at(-1), "3 of 3");
});

Deno.test("a thousand concurrent submissions share a few commits", async () => {
  const { store, intake, log, reported } = await makeCommitter(new MemoryLog(KV_LOG_LIMITS));
  const digests = randomDigests(1000);
  const answers = await Promise.all(
    Array.from({ length: 1000 }, (_, i) => intake.submit(partOf(digests, i, 1))),
  );
  assert.deepEqual(answers.flat(), Array.from({ length: 1000 }, (_, i) => i));
  assert.ok(commitsOf(store) <= 3, `${commitsOf(store)} commits`);
  assert.equal(reported.accepted.at(-1), 1000);
  assert.equal(log.rows.size, Math.ceil(1000 / KV_LOG_LIMITS.digestsPerRow));
});

Deno.test("a backlog is written in commits within the store's limits", async () => {
  const { store, intake, log } = await makeCommitter();
  await intake.submit(randomDigests(100));
  // Rows of 4 digests, three rows per commit.
  assert.equal(commitsOf(store), Math.ceil(100 / 12));
  assert.deepEqual(log.violations, []);
});

Deno.test("a repeated digest waits for the commit of the first, within a request and across requests", async () => {
  const { intake, store } = await makeCommitter();
  const digest = randomDigests(1);
  const twice = new Uint8Array([...digest, ...randomDigests(1), ...digest]);
  const answers = await Promise.all([
    intake.submit(twice),
    intake.submit(digest),
    intake.submit(twice),
  ]);
  assert.deepEqual(answers, [[0, 1, 0], [0], [0, 1, 0]]);
  assert.deepEqual(await intake.submit(digest), [0]);
  assert.equal(commitsOf(store), 1);
  assert.deepEqual(await intake.submit(new Uint8Array()), []);
});

Deno.test("requests beyond the backlog limit are refused as a whole, and accepted after it has drained", async () => {
  const { intake, store } = await makeCommitter(new MemoryLog(KV_LOG_LIMITS));
  const first = intake.submit(randomDigests(65_536));
  const more = randomDigests(2);
  await assert.rejects(intake.submit(more), { code: "overloaded" });
  assert.equal((await first).length, 65_536);
  assert.deepEqual(await intake.submit(more), [65_536, 65_537]);
  assert.equal(store.commits.get("intake"), Math.ceil(65_536 / (28 * 717)) + 1);
});

Deno.test("rounds share the commit of digests up to the limit; the rest are in the next", async () => {
  const { intake, store, committer, reported, log } = await makeCommitter();
  const submitted = intake.submit(randomDigests(12));
  const rounds = Array.from({ length: 5 }, (_, i) => round(2 * i, 2));
  for (const record of rounds) committer.store(record);
  await submitted;
  await committer.close();
  assert.deepEqual(reported.confirmed.map(({ record }) => record), rounds);
  for (const { record, submitted } of reported.confirmed) assert.equal(record, submitted);
  assert.deepEqual([...log.rounds.keys()], [0, 2, 4, 6, 8]);
  assert.equal(commitsOf(store), 3);
});

Deno.test("a round that is stored already is adopted with its first signature set", async () => {
  const { committer, reported, log, clock } = await makeCommitter();
  const stands = { ...round(0, 2), timestamp: 5 };
  log.rows.set(0, row(0, 4));
  log.rounds.set(0, stands);
  committer.store(round(0, 2));
  committer.store(round(2, 2));
  await clock.advance(1_000);
  await committer.close();
  assert.deepEqual(reported.confirmed.map(({ record }) => record), [stands, round(2, 2)]);
  assert.deepEqual(log.rounds.get(0), stands);
  assert.deepEqual(reported.failed, []);
});

Deno.test("a digest that arrives when the committer becomes idle is committed", async () => {
  const { committer, reported, log, clock } = await makeCommitter();
  log.rows.set(0, row(0, 240));
  // Promise chains of every length around the length of a commit.
  for (let turns = 0; turns < 120; turns++) {
    committer.store(round(2 * turns, 1));
    void afterTurns(turns, () => committer.store(round(2 * turns + 1, 1)));
    await clock.advance(1);
    assert.equal(reported.confirmed.length, 2 * turns + 2, `after ${turns} turns`);
  }
});

async function afterTurns(turns: number, act: () => void): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  act();
}

const OTHERS: readonly (readonly [string, (log: MemoryLog) => void])[] = [
  ["other digests", (log) => log.rows.get(0)!.digests[0]! ^= 1],
  ["another time", (log) => log.rows.set(0, { ...log.rows.get(0)!, acceptedAt: 5 })],
];

for (const [what, change] of OTHERS) {
  Deno.test(`a row with ${what} at our position stops the committer`, async () => {
    const { intake, reported, log, store, clock } = await makeCommitter();
    store.fault = (kind): Fault | undefined => {
      if (kind !== "intake") return undefined;
      store.fault = () => undefined;
      queueMicrotask(() => log.rows.set(0, { first: 0, acceptedAt: 1_800_000_000, digests }));
      queueMicrotask(() => change(log));
      return "fail_not_stored";
    };
    const digests = randomDigests(1);
    const refused = assert.rejects(intake.submit(digests.slice()), { code: "storage_failed" });
    await clock.advance(10_000);
    await refused;
    assert.equal((reported.failed[0] as { code?: string }).code, "store_corrupt");
    await assert.rejects(intake.submit(randomDigests(1)), { code: "storage_failed" });
    assert.equal(reported.failed.length, 1);
  });
}

Deno.test("a closed committer stores accepted digests and accepts no more", async () => {
  const { intake, committer, reported, log } = await makeCommitter();
  const submitted = intake.submit(randomDigests(30));
  committer.store(round(0, 2));
  const closed = committer.close();
  committer.store(round(2, 2));
  await assert.rejects(intake.submit(randomDigests(1)), { code: "shutting_down" });
  await closed;
  assert.equal((await submitted).length, 30);
  assert.equal(reported.confirmed.length, 1);
  assert.equal(reported.accepted.at(-1)! >= 30, true);
  const rows = log.rows.size;
  await assert.rejects(intake.submit(randomDigests(1)), { code: "shutting_down" });
  committer.store(round(4, 2));
  await committer.close();
  assert.equal(log.rows.size, rows);
  assert.equal(log.rounds.size, 1);
});

Deno.test("whenDurable() resolves during close() for digests accepted before", async () => {
  const { committer, intake, store } = await makeCommitter();
  assert.equal(intake.take(wordsOf(randomDigests(1)), 0), 0);
  const closed = committer.close();
  await committer.whenDurable(1);
  assert.equal(commitsOf(store), 1);
  await assert.rejects(committer.whenDurable(2), { code: "shutting_down" });
  await closed;
});

Deno.test("new single digests are refused when too many wait for a commit; known ones are not", async () => {
  const { intake, store } = await makeCommitter(new MemoryLog(KV_LOG_LIMITS));
  store.fault = (kind) => kind === "intake" ? "hang_not_stored" : undefined;
  const words = new Uint32Array(8);
  for (let i = 0; i < 65_536; i++) {
    words[0] = i;
    assert.equal(intake.take(words, 0), i);
  }
  words[0] = 65_536;
  assert.throws(() => intake.take(words, 0), { code: "overloaded" });
  words[0] = 7;
  assert.equal(intake.take(words, 0), 7);
});
