/** Tests that need a whole run of 2^20 digests: sealing and look-ups of sealed digests. */

import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { Bytes } from "../../src/base/bytes.ts";
import { Assigner } from "../../src/gateway/intake/assigner.ts";
import { Committer } from "../../src/gateway/intake/committer.ts";
import { ABSENT, PERHAPS_SEALED } from "../../src/gateway/index/digest_index.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import {
  bucketOf,
  offsetsOf,
  RUN_BUCKETS,
  RunFilter,
  sortRun,
} from "../../src/gateway/index/index_run.ts";
import { Intake } from "../../src/gateway/intake/intake.ts";
import { KeyedHash, wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { FakeClock } from "../fake_clock.ts";
import { Random } from "../random.ts";
import { SEED } from "../seed.ts";
import { checkIndex, LogFault } from "./checker.ts";
import { randomDigests } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { type Fault, type FaultHook, MemoryLogStore } from "./memory_store.ts";
import { partOf } from "./scenario.ts";
import { sealSuspecting } from "./suspecting_run.ts";
import { withWrites } from "./store_writes.ts";

const EXTRA = 100;
/** A quarter differs only in the last word, because clients choose the digests. */
const digests = randomDigests(RUN_LEAVES + EXTRA);
for (let sequence = 0; sequence < RUN_LEAVES / 4; sequence++) {
  digests.fill(7, sequence * 32, sequence * 32 + 28);
  new DataView(digests.buffer).setUint32(sequence * 32 + 28, sequence);
}

const SAMPLE = Array.from({ length: 60 }, (_, i) => (i * 17_476) % RUN_LEAVES);

function fullLog(): MemoryLog {
  const log = new MemoryLog(KV_LOG_LIMITS);
  const { digestsPerRow } = KV_LOG_LIMITS;
  for (let first = 0; first < RUN_LEAVES + EXTRA; first += digestsPerRow) {
    const end = Math.min(first + digestsPerRow, RUN_LEAVES + EXTRA);
    log.rows.set(first, { first, acceptedAt: first, digests: digests.slice(first * 32, end * 32) });
  }
  return log;
}

async function openIndex(log: MemoryLog) {
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, RUN_LEAVES + EXTRA);
  return { store, index };
}

/**
 * Requires the sample and the digests after the run to be found at their sequences, and others not.
 */
async function checkFinds(index: HashIndex): Promise<void> {
  for (const sequence of [...SAMPLE, 0, RUN_LEAVES - 1, RUN_LEAVES, RUN_LEAVES + EXTRA - 1]) {
    assert.equal(await index.find(partOf(digests, sequence, 1)), sequence);
    const first = Math.floor(sequence / 28) * 28;
    assert.equal(await index.acceptedAt(sequence), first);
    assert.deepEqual(await index.digests(sequence, sequence + 1), partOf(digests, sequence, 1));
  }
  const across = await index.digests(RUN_LEAVES - 50, RUN_LEAVES + 50);
  assert.deepEqual(across, digests.slice((RUN_LEAVES - 50) * 32, (RUN_LEAVES + 50) * 32));
  for (let i = 0; i < 300; i++) assert.equal(await index.find(randomDigests(1)), undefined);
}

Deno.test("a sorted run holds each of its leaves once, in the bucket of its hash", async () => {
  const hash = new KeyedHash(new Random(SEED).bytes(8));
  const { buckets, filter } = await sortRun(hash, wordsOf(digests), () => Promise.resolve());
  assert.equal(buckets.length, RUN_BUCKETS);
  const seen = new Uint8Array(RUN_LEAVES);
  for (const entries of buckets) {
    // 64 on average. More than 120 would overflow the row's page (see `commit_limits.ts`); that happens
    // to 2.4 of a million seeds.
    assert.ok(entries.length <= 8 * 120, `${entries.length / 8} entries`);
    const view = new DataView(entries.buffer, entries.byteOffset, entries.length);
    for (let at = 4; at < entries.length; at += 8) seen[view.getUint32(at) & 0xfffff]!++;
  }
  assert.ok(seen.every((count) => count === 1));
  for (const sequence of SAMPLE) {
    hash.hash(wordsOf(partOf(digests, sequence, 1)), 0);
    assert.ok(filter.mayHold(hash));
    assert.ok(offsetsOf(hash, buckets[bucketOf(hash)]!).includes(sequence));
  }
  checkFilters(hash, filter, buckets);
});

/**
 * Requires few false positives for random and chosen digests, and the same filter when rebuilt from
 * the store.
 */
function checkFilters(hash: KeyedHash, filter: RunFilter, buckets: readonly Bytes[]): void {
  const rebuilt = new RunFilter();
  buckets.forEach((entries, bucket) => rebuilt.addBucket(bucket, entries));
  const words = wordsOf(digests);
  for (let sequence = 0; sequence < RUN_LEAVES; sequence++) {
    hash.hash(words, sequence * 8);
    if (!rebuilt.mayHold(hash)) assert.fail(`leaf ${sequence} is not in the filter`);
  }
  const absent = wordsOf(randomDigests(100_000));
  for (let i = 0; i < 50_000; i++) absent.fill(0x07070707, 8 * i, 8 * i + 7);
  const alarms = [0, 0];
  for (let i = 0; i < 100_000; i++) {
    hash.hash(absent, 8 * i);
    assert.equal(rebuilt.mayHold(hash), filter.mayHold(hash));
    if (filter.mayHold(hash)) alarms[i < 50_000 ? 0 : 1]!++;
  }
  for (const count of alarms) assert.ok(count < 50 && count > 0, `${count} of 50,000`);
}

/** Fails the first, the second and the last index commit, each in every way. */
function failingIndex(): FaultHook {
  const faults: Fault[] = ["fail_not_stored", "fail_but_stored"];
  const script = new Map<string, (Fault | undefined)[]>([
    ["index", [faults[0], undefined, faults[1], undefined, ...faults, ...faults]],
    ["index_done", [...faults, faults[1], faults[0]]],
  ]);
  return (kind) => script.get(kind)?.shift();
}

Deno.test("sealing yields to other work and survives failed commits; its digests are found", async () => {
  const log = fullLog();
  const { index, store } = await openIndex(log);
  await checkFinds(index);
  const clock = new FakeClock();
  await index.seal(RUN_LEAVES - 1, new StoreWrites(clock));
  assert.equal(index.sealedRuns, 0);
  store.fault = failingIndex();
  const committer = new Committer(store.rounds, index, RUN_LEAVES + EXTRA, {
    writes: new StoreWrites(clock),
    events: { accepted: () => {}, confirmed: () => {}, failed: assert.fail },
  });
  const intake = new Intake(index, new Assigner(index, committer));
  const sealing = index.seal(RUN_LEAVES, new StoreWrites(clock));
  // A second concurrent call does not seal again.
  await index.seal(RUN_LEAVES, new StoreWrites(clock));
  let fresh = RUN_LEAVES + EXTRA;
  for (let i = 0; index.sealedRuns === 0; i++) {
    const sequence = SAMPLE[i % SAMPLE.length]!;
    const request = new Uint8Array([...partOf(digests, sequence, 1), ...randomDigests(1)]);
    const submitted = Array.from({ length: 3 }, () => intake.submit(request));
    await clock.advance(10);
    for (const answer of await Promise.all(submitted)) assert.deepEqual(answer, [sequence, fresh]);
    fresh++;
  }
  await sealing;
  assert.equal(index.probe(wordsOf(partOf(digests, 5, 1)), 0), PERHAPS_SEALED);
  assert.equal(index.probe(wordsOf(partOf(digests, RUN_LEAVES, 1)), 0), RUN_LEAVES);
  store.fault = () => undefined;
  await checkFinds(index);
  for (const sequence of SAMPLE) {
    assert.deepEqual(await intake.submit(partOf(digests, sequence, 1)), [sequence]);
  }
  assert.deepEqual(log.violations, []);
  assert.deepEqual([...log.doneRuns], [0]);
  await checkIndex(new MemoryLogStore(log), digests);
  await checkReopened(log);
  log.buckets.get(0)!.get(9)![3]! ^= 1;
  await assert.rejects(checkIndex(new MemoryLogStore(log), digests), LogFault);
});

/** Requires the same after a start, with the filter rebuilt from the store. */
async function checkReopened(log: MemoryLog): Promise<void> {
  for (const first of log.rows.keys()) if (first >= RUN_LEAVES + EXTRA) log.rows.delete(first);
  const { index } = await openIndex(log);
  assert.equal(index.sealedRuns, 1);
  await checkFinds(index);
  const words = wordsOf(digests);
  for (let sequence = 0; sequence < RUN_LEAVES; sequence += 100) {
    assert.equal(index.probe(words, sequence), PERHAPS_SEALED);
  }
  const absent = wordsOf(randomDigests(10_000));
  let alarms = 0;
  for (let i = 0; i < 10_000; i++) if (index.probe(absent, i) !== ABSENT) alarms++;
  assert.ok(alarms < 100, `${alarms} of 10,000`);
}

Deno.test("interrupted sealing starts again and writes the same rows", async () => {
  const log = fullLog();
  const { index, store } = await openIndex(log);
  store.fault = (kind) => kind === "index_done" ? "hang_not_stored" : undefined;
  void index.seal(RUN_LEAVES, new StoreWrites(new FakeClock()));
  while (log.buckets.get(0)?.size !== RUN_BUCKETS - KV_LOG_LIMITS.indexRowsPerCommit) {
    await setImmediate();
  }
  const next = await openIndex(log);
  assert.equal(next.index.sealedRuns, 0);
  await checkFinds(next.index);
  await next.index.seal(RUN_LEAVES, new StoreWrites(new FakeClock()));
  assert.equal(next.index.sealedRuns, 1);
  assert.equal(log.buckets.get(0)!.size, RUN_BUCKETS);
  // The log refuses other bytes for a bucket.
  assert.deepEqual(log.violations, []);
  await checkFinds(next.index);
});

Deno.test("a look-up during sealing misses no digest", async () => {
  const log = new MemoryLog(KV_LOG_LIMITS);
  const suspect = randomDigests(1);
  sealSuspecting(log, suspect);
  const { digestsPerRow } = KV_LOG_LIMITS;
  const end = 2 * RUN_LEAVES - 1;
  for (let first = RUN_LEAVES; first < end; first += digestsPerRow) {
    const stop = Math.min(first + digestsPerRow, end) - RUN_LEAVES;
    const part = digests.slice((first - RUN_LEAVES) * 32, stop * 32);
    log.rows.set(first, { first, acceptedAt: first, digests: part });
  }
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const asked = Promise.withResolvers<void>();
  const slowIndex = {
    ...store.index,
    bucket: async (run: number, bucket: number) => {
      await asked.promise;
      return await store.index.bucket(run, bucket);
    },
  };
  const clock = new FakeClock();
  const index = await HashIndex.open(slowIndex, store.rounds, end);
  const events = { accepted: () => {}, confirmed: () => {}, failed: assert.fail };
  const writes = new StoreWrites(clock);
  const committer = new Committer(store.rounds, index, end, { writes, events });
  const intake = new Intake(index, new Assigner(index, committer));
  const last = randomDigests(1);
  const first = intake.submit(new Uint8Array([...suspect, ...last]));
  assert.deepEqual(await intake.submit(last), [end]);
  await index.seal(end + 1, new StoreWrites(clock));
  assert.equal(index.sealedRuns, 2);
  asked.resolve();
  assert.deepEqual(await first, [end + 1, end]);
});

Deno.test("seal() rejects with the store's failure when the gateway stops during an outage", async () => {
  const { index, store } = await openIndex(fullLog());
  store.fault = (kind) => kind === "index" ? "fail_not_stored" : undefined;
  const clock = new FakeClock();
  const writes = new StoreWrites(clock);
  writes.stop();
  const sealing = assert.rejects(index.seal(RUN_LEAVES, writes), {
    code: "storage_failed",
  });
  const done = index.sealed();
  await clock.advance(10_000);
  await sealing;
  await done;
  assert.equal(index.sealedRuns, 0);
  assert.equal(await index.find(partOf(digests, 3, 1)), 3);
});

Deno.test("seal() seals every full and durable run and frees their memory", async () => {
  const { store, index } = await openIndex(fullLog());
  const words = new Uint32Array(8);
  while (index.end < 3 * RUN_LEAVES + EXTRA) {
    words[0] = index.end;
    index.append(words, 0);
  }
  assert.equal(index.unsealedRuns, 4);
  // The last digest of the third run is not on disk yet.
  await withWrites((writes) => index.seal(3 * RUN_LEAVES - 1, writes));
  assert.equal(index.unsealedRuns, 2);
  assert.equal(await store.index.runCount(), 2);
  await withWrites((writes) => index.seal(3 * RUN_LEAVES, writes));
  assert.equal(index.unsealedRuns, 1);
  assert.equal(await store.index.runCount(), 3);
  for (const sequence of [RUN_LEAVES + EXTRA, 3 * RUN_LEAVES - 1]) {
    words[0] = sequence;
    assert.equal(index.probe(words, 0), PERHAPS_SEALED);
  }
  words[0] = 3 * RUN_LEAVES;
  assert.equal(index.probe(words, 0), 3 * RUN_LEAVES);
});
