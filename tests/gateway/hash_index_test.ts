import assert from "node:assert/strict";
import fc from "fast-check";
import { type Bytes, HASH_LENGTH } from "../../src/base/bytes.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { ABSENT, PERHAPS_SEALED } from "../../src/gateway/index/digest_index.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { FakeClock } from "../fake_clock.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";
import { sealSuspecting } from "./suspecting_run.ts";

/** Rows of packed digests, cut after each of `counts`, from sequence 0. */
function rowsOf(digests: Bytes, counts: readonly number[]): MemoryLog {
  const log = new MemoryLog();
  let first = 0;
  for (const count of counts) {
    const part = digests.slice(first * HASH_LENGTH, (first + count) * HASH_LENGTH);
    log.rows.set(first, { first, acceptedAt: 1_000 + first, digests: part });
    first += count;
  }
  return log;
}

async function openIndex(log: MemoryLog, end: number): Promise<HashIndex> {
  const store = new MemoryLogStore(log);
  await store.takeFence();
  return await HashIndex.open(store.index, store.rounds, end);
}

Deno.test("HashIndex finds stored digests, with any row boundaries", async () => {
  const cuts = fc.array(fc.integer({ min: 1, max: 28 }), { minLength: 1, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(cuts, async (counts) => {
      const end = counts.reduce((sum, count) => sum + count, 0);
      const digests = randomDigests(end);
      const index = await openIndex(rowsOf(digests, counts), end);
      assert.equal(index.end, end);
      let first = 0;
      for (const count of counts) {
        for (let sequence = first; sequence < first + count; sequence++) {
          assert.equal(await index.find(partOf(digests, sequence, 1)), sequence);
          assert.equal(await index.acceptedAt(sequence), 1_000 + first);
        }
        first += count;
      }
      assert.equal(await index.find(randomDigests(1)), undefined);
      assert.deepEqual(await index.digests(0, end), digests);
      assert.deepEqual(await index.digests(end - 1, end), partOf(digests, end - 1, 1));
    }),
    { numRuns: 20 },
  );
});

Deno.test("HashIndex refuses a store whose rows do not reach its end", async () => {
  const digests = randomDigests(10);
  for (const first of [0, 4, 8]) {
    const log = rowsOf(digests, [4, 4, 2]);
    log.rows.delete(first);
    await assert.rejects(openIndex(log, 10), { code: "store_corrupt" });
  }
  await assert.rejects(openIndex(rowsOf(digests, [4, 4, 2]), 11), { code: "store_corrupt" });
  const runTooMany = rowsOf(digests, [4, 4, 2]);
  runTooMany.doneRuns.add(0);
  await assert.rejects(openIndex(runTooMany, 10), { code: "store_corrupt" });
  assert.equal((await openIndex(rowsOf(digests, [4, 4, 2]), 10)).end, 10);
});

Deno.test("HashIndex returns no digests for missing sequences", async () => {
  const log = new MemoryLog();
  sealSuspecting(log, randomDigests(1));
  const more = randomDigests(28);
  log.rows.set(56, { first: 56, acceptedAt: 1, digests: more });
  const index = await openIndex(log, RUN_LEAVES);
  assert.deepEqual((await index.digests(0, 28)).slice(0, 128), log.rows.get(0)!.digests);
  assert.deepEqual(await index.digests(57, 84), more.slice(32));
  for (const [start, end] of [[27, 29], [28, 30], [28, 57], [20, 60], [83, 85]]) {
    const missing = async () => await index.digests(start!, end!);
    await assert.rejects(missing, { code: "store_corrupt" }, `${start} to ${end}`);
  }
});

Deno.test("HashIndex refuses a sealed run that was indexed by another key", async () => {
  const log = new MemoryLog();
  sealSuspecting(log, randomDigests(1));
  assert.equal((await openIndex(log, RUN_LEAVES)).sealedRuns, 1);
  log.indexKey[3]! ^= 1;
  await assert.rejects(openIndex(log, RUN_LEAVES), {
    code: "store_corrupt",
    message: /the index of run 0 was made with another key/,
  });
});

async function makeIntake(log: MemoryLog, end: number) {
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, end);
  const ignore = () => {};
  const committer = new Committer(store.rounds, index, end, {
    writes: new StoreWrites(new FakeClock()),
    events: { accepted: ignore, confirmed: ignore, failed: ignore },
  });
  return { store, index, intake: new Intake(index, new Assigner(index, committer)) };
}

Deno.test("a false positive of a sealed run's filter is a new digest", async () => {
  const digest = randomDigests(1);
  const log = new MemoryLog();
  sealSuspecting(log, digest);
  const { index, intake, store } = await makeIntake(log, RUN_LEAVES);
  assert.equal(index.probe(wordsOf(digest), 0), PERHAPS_SEALED);
  assert.equal(index.probe(wordsOf(randomDigests(1)), 0), ABSENT);
  assert.equal(await index.find(digest), undefined);
  assert.deepEqual(await intake.submit(digest), [RUN_LEAVES]);
  assert.equal(await index.find(digest), RUN_LEAVES);
  assert.ok(store.operations > 2);
});

Deno.test("concurrent submissions of a possibly sealed digest get one sequence", async () => {
  for (let turns = 0; turns < 40; turns++) {
    const digest = randomDigests(1);
    const log = new MemoryLog();
    sealSuspecting(log, digest);
    const { intake } = await makeIntake(log, RUN_LEAVES);
    const first = intake.submit(digest);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    const others = [intake.submit(digest), intake.submit(randomDigests(1)), intake.submit(digest)];
    const [a, b, , c] = await Promise.all([first, ...others]);
    assert.deepEqual([b, c], [a, a], `after ${turns} turns`);
    const stored = [...log.rows.values()].filter(({ first }) => first >= RUN_LEAVES)
      .flatMap(({ digests }) => digests.toHex().match(/.{64}/g)!);
    assert.equal(stored.filter((hash) => hash === digest.toHex()).length, 1);
  }
});

Deno.test("a damaged digest of a sealed run is refused, and never gets a second sequence", async () => {
  const digest = randomDigests(1);
  const log = new MemoryLog();
  sealSuspecting(log, digest);
  // Now the entry is in the digest's bucket, as if it had been at offset 5 before the damage.
  const buckets = log.buckets.get(0)!;
  const [[bucket, entries]] = [...buckets] as [[number, Bytes]];
  buckets.delete(bucket);
  buckets.set(bucket ^ 0x2000, entries);
  const { index, intake } = await makeIntake(log, RUN_LEAVES);
  await assert.rejects(async () => await index.find(digest), { code: "store_corrupt" });
  await assert.rejects(intake.submit(digest), { code: "store_corrupt" });
  assert.equal(index.end, RUN_LEAVES);
});

Deno.test("acceptedAt() of a missing row rejects with store_corrupt", async () => {
  const log = new MemoryLog();
  sealSuspecting(log, randomDigests(1));
  const { index } = await makeIntake(log, RUN_LEAVES);
  assert.equal(await index.acceptedAt(27), 1);
  log.rows.delete([...log.rows.keys()].findLast((first) => first <= 27)!);
  await assert.rejects(async () => await index.acceptedAt(27), { code: "store_corrupt" });
});
