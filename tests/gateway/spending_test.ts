/** A token is redeemed once, in the commit of its digest, and only for a new digest. */

import assert from "node:assert/strict";
import { type Bytes, concat } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { ABSENT } from "../../src/gateway/index/digest_index.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import { SpentIds } from "../../src/gateway/index/spent_ids.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { hashesOf } from "./checker.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";
import { checkSpent, Spending } from "./spending.ts";

interface Parts {
  readonly clock: FakeClock;
  readonly log: MemoryLog;
  readonly store: MemoryLogStore;
  readonly index: HashIndex;
  readonly spent: SpentIds | undefined;
  readonly intake: Intake;
}

/** The parts of an intake over `log`, as at a start. */
async function open(log = new MemoryLog(), spends = true): Promise<Parts> {
  const clock = new FakeClock();
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, log.end);
  const spent = spends ? await SpentIds.open(store, log.end) : undefined;
  const committer = new Committer(store.rounds, index, log.end, {
    writes: new StoreWrites(clock),
    spent,
    events: { accepted: () => {}, confirmed: () => {}, failed: assert.fail },
  });
  return {
    clock,
    log,
    store,
    index,
    spent,
    intake: new Intake(index, new Assigner(index, committer, spent), { spent: spent?.index }),
  };
}

/**
 * Requires a valid log with exactly these redeemed `pairs`: packed digests, and the id for each.
 */
async function assertSpent({ log }: Parts, ...pairs: readonly [Bytes, Bytes][]): Promise<void> {
  assert.deepEqual(log.violations, []);
  const expected = pairs.flatMap(([digests, ids]) => {
    const hex = hashesOf(ids);
    return hashesOf(digests).map((hash, i) => [hash, hex[i]!] as const);
  });
  assert.deepEqual(await checkSpent(new MemoryLogStore(log)), new Map(expected));
}

const turns = async <T>(value: T): Promise<T> => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  return value;
};

Deno.test("redeemed ids are stored with their digests, and a repeated digest redeems none", async () => {
  const parts = await open();
  const { intake } = parts;
  const [digests, ids] = [randomDigests(30), randomDigests(30)];
  const first = new Spending(ids);
  assert.equal((await intake.submit(digests, first)).at(-1), 29);
  assert.deepEqual(first.asked, [Array.from({ length: 30 }, (_, i) => i)]);
  await assertSpent(parts, [digests, ids]);
  const never: Spending = new Spending(randomDigests(30), () => assert.fail("asked of a repeat"));
  assert.equal((await intake.submit(digests, never)).length, 30);
  assert.equal(intake.take(wordsOf(digests), 7, never), 7);
  // In a request with old and new digests, only the indices of the new ones, each once.
  const [fresh, more] = [randomDigests(2), randomDigests(5)];
  const mixed = concat(partOf(digests, 0, 1), fresh, partOf(digests, 1, 1), partOf(fresh, 0, 1));
  const second = new Spending(more);
  assert.deepEqual(await intake.submit(mixed, second), [0, 30, 31, 1, 30]);
  assert.deepEqual(second.asked, [[1, 2]]);
  await assertSpent(parts, [digests, ids], [fresh, more.slice(32, 96)]);
  const reopened = await open(parts.log);
  await assert.rejects(reopened.intake.submit(randomDigests(1), new Spending(partOf(ids, 9, 1))), {
    code: "token_spent",
  });
  assert.deepEqual(await reopened.intake.submit(digests.slice(0, 64), never), [0, 1]);
});

Deno.test("single digests: with a token, without one, and without an admission", async () => {
  const parts = await open();
  const { intake, index } = parts;
  const [digests, ids] = [randomDigests(4), randomDigests(4)];
  const words = wordsOf(digests.slice());
  const nothing = new Spending(new Uint8Array());
  // No token, so there is no wait.
  assert.equal(intake.take(words, 0, nothing), 0);
  assert.equal(intake.take(words, 1), 1);
  const pending = intake.take(words, 2, new Spending(ids));
  // The caller reuses the array at once.
  words.fill(0, 16, 24);
  assert.equal(await pending, 2);
  assert.equal(index.probe(wordsOf(partOf(digests, 2, 1)), 0), 2);
  assert.equal(await intake.take(words, 3, new Spending(partOf(ids, 1, 1), turns)), 3);
  await intake.submit(randomDigests(1));
  await assertSpent(parts, [partOf(digests, 1, 2), partOf(ids, 0, 2)]);
});

Deno.test("of two concurrent requests with one token, one is accepted", async () => {
  for (const slow of [[false, false], [false, true], [true, false], [true, true]]) {
    const parts = await open();
    const id = randomDigests(1);
    const digests = [randomDigests(1), randomDigests(1)];
    const outcomes = await Promise.allSettled(digests.map((digest, i) => {
      const admission = slow[i] ? new Spending(id, turns) : new Spending(id);
      return parts.intake.submit(digest, admission);
    }));
    const accepted = outcomes.flatMap(({ status }, i) => status === "fulfilled" ? [i] : []);
    assert.equal(accepted.length, 1);
    const refused = outcomes[1 - accepted[0]!] as PromiseRejectedResult;
    assert.equal(refused.reason.code, "token_spent");
    assert.equal(parts.index.end, 1);
    await assertSpent(parts, [digests[accepted[0]!]!, id]);
  }
});

Deno.test("control: an await between check and redemption redeems a token twice", async () => {
  const { log, index, spent, intake } = await open();
  const id = wordsOf(randomDigests(1));
  const takeHastily = async (digest: Bytes) => {
    const isFree = spent!.index.probe(id, 0) === ABSENT;
    await Promise.resolve();
    assert.ok(isFree);
    spent!.append(id, 0, index.append(wordsOf(digest), 0));
  };
  await Promise.all([takeHastily(randomDigests(1)), takeHastily(randomDigests(1))]);
  await intake.submit(randomDigests(1));
  await assert.rejects(checkSpent(new MemoryLogStore(log)), { part: "spent" });
});

Deno.test("of two concurrent requests with one digest, one redeems its token", async () => {
  const parts = await open();
  const digest = randomDigests(1);
  const ids = [randomDigests(1), randomDigests(1)];
  const answers = await Promise.all(
    ids.map((id, i) =>
      parts.intake.submit(digest, i === 0 ? new Spending(id, turns) : new Spending(id))
    ),
  );
  assert.deepEqual(answers, [[0], [0]]);
  await assertSpent(parts, [digest, ids[1]!]);
  // The other token is still valid.
  const next = randomDigests(1);
  assert.deepEqual(await parts.intake.submit(next, new Spending(ids[0]!)), [1]);
  await assertSpent(parts, [digest, ids[1]!], [next, ids[0]!]);
});

Deno.test("a repeated or redeemed token refuses the whole request", async () => {
  const parts = await open();
  const { intake, index } = parts;
  const [digests, ids] = [randomDigests(3), randomDigests(3)];
  const twice = concat(ids.slice(0, 64), ids.slice(0, 32));
  await assert.rejects(intake.submit(digests, new Spending(twice)), {
    code: "token_spent",
    message: new RegExp(partOf(digests, 2, 1).toHex()),
  });
  assert.equal(index.end, 0);
  await intake.submit(digests, new Spending(ids));
  const others = randomDigests(3);
  const known = concat(randomDigests(1), ids.slice(64), randomDigests(1));
  await assert.rejects(intake.submit(others, new Spending(known)), {
    code: "token_spent",
    message: new RegExp(partOf(others, 1, 1).toHex()),
  });
  assert.equal(index.end, 3);
  // The token sent for a known digest does not matter.
  const mixed = concat(digests.slice(0, 32), others.slice(0, 32));
  const fresh = randomDigests(2);
  assert.deepEqual(await intake.submit(mixed, new Spending(fresh)), [0, 3]);
  await assertSpent(parts, [digests, ids], [others.slice(0, 32), fresh.slice(32)]);
});

Deno.test("a refused request redeems no token, and a wrong number of ids is `internal`", async () => {
  const parts = await open();
  const { intake, index } = parts;
  const refusal = new CountersignError("token_required", "no");
  const refusing = { admit: () => Promise.reject(refusal) };
  const throwing = {
    admit: () => {
      throw refusal;
    },
  };
  for (const admission of [refusing, throwing]) {
    await assert.rejects(intake.submit(randomDigests(2), admission), refusal);
    await assert.rejects(
      async () => await intake.take(wordsOf(randomDigests(1)), 0, admission),
      refusal,
    );
  }
  for (const length of [1, 31, 33, 96]) {
    const admission = { admit: () => new Uint8Array(length) };
    await assert.rejects(intake.submit(randomDigests(2), admission), { code: "internal" });
  }
  const unable = await open(new MemoryLog(), false);
  const ids = randomDigests(1);
  await assert.rejects(unable.intake.submit(randomDigests(1), new Spending(ids)), {
    code: "internal",
  });
  assert.equal(unable.intake.take(wordsOf(randomDigests(1)), 0, new Spending(new Uint8Array())), 0);
  assert.equal(index.end, 0);
});

Deno.test("a full backlog is refused before the admission check", async () => {
  const parts = await open(new MemoryLog(KV_LOG_LIMITS));
  const { intake, store } = parts;
  store.fault = (kind) => kind === "intake" ? "hang_not_stored" : undefined;
  void intake.submit(randomDigests(65_535));
  const asked = () => assert.fail("asked");
  await assert.rejects(intake.submit(randomDigests(2), { admit: asked }), { code: "overloaded" });
  assert.equal(intake.take(wordsOf(randomDigests(1)), 0), 65_535);
  assert.throws(() => intake.take(wordsOf(randomDigests(1)), 0, { admit: asked }), {
    code: "overloaded",
  });
});

Deno.test("a full backlog with a token for each digest is written within the limits of a commit", async () => {
  const parts = await open(new MemoryLog(KV_LOG_LIMITS));
  const { digestsPerRow, spendingRowsPerCommit } = KV_LOG_LIMITS;
  const [digests, ids] = [randomDigests(65_536), randomDigests(65_536)];
  await parts.intake.submit(digests, new Spending(ids));
  assert.deepEqual(parts.log.violations, []);
  assert.equal(
    parts.store.commits.get("intake"),
    Math.ceil(65_536 / (digestsPerRow * spendingRowsPerCommit)),
  );
  await assertSpent(parts, [digests, ids]);
});

Deno.test("a commit that fails, stored or not, redeems its ids once", async () => {
  for (const fault of ["fail_not_stored", "fail_but_stored"] as const) {
    const parts = await open();
    let isFirst = true;
    parts.store.fault = (kind) => {
      const fails = kind === "intake" && isFirst;
      isFirst &&= !fails;
      return fails ? fault : undefined;
    };
    const [digests, ids] = [randomDigests(20), randomDigests(20)];
    const submitted = parts.intake.submit(digests, new Spending(ids));
    await parts.clock.advance(1_000);
    await submitted;
    await assertSpent(parts, [digests, ids]);
  }
});

Deno.test("a store without some redeemed ids, or without their digests, is store_corrupt", async () => {
  const { log, intake } = await open();
  for (let i = 0; i < 3; i++) await intake.submit(randomDigests(4), new Spending(randomDigests(4)));
  const gap = log.copy();
  gap.spent.delete(4);
  await assert.rejects(open(gap), { code: "store_corrupt" });
  assert.ok((await open(gap, false)).intake);
  const beyond = log.copy();
  beyond.rows.delete(8);
  await assert.rejects(open(beyond), { code: "store_corrupt" });
  assert.equal((await open(log)).spent!.index.end, 12);
});
