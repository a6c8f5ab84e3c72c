/** A replica of an index against its writer, in one thread and from another thread. */

import assert from "node:assert/strict";
import fc from "fast-check";
import { systemClock } from "../../src/base/clock.ts";
import { ABSENT, PERHAPS_SEALED } from "../../src/gateway/index/digest_index.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { IndexReplica } from "../../src/gateway/index/index_replica.ts";
import { DIGEST_WORDS, wordsOf } from "../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import type { SharedIndex } from "../../src/gateway/index/shared_index.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { randomDigests } from "./fixture.ts";
import { acceptedAtOf, type Checked, digestOf, type ReaderStart } from "./index_reader.ts";
import { MemoryLog } from "./memory_log.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { withWrites } from "./store_writes.ts";

async function openIndex() {
  const log = new MemoryLog(KV_LOG_LIMITS);
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, 0);
  return { log, store, index, reads: { sealed: store.index, source: store.rounds } };
}

/** Handles as another thread receives them. */
const sent = (handles: SharedIndex): SharedIndex => ({
  key: handles.key.slice(),
  filters: [...handles.filters],
  runs: handles.runs.map(({ base, memory }) => ({ base, memory })),
});

/** Appends the digests of {@linkcode digestOf} up to sequence `end`. */
function appendUpTo(index: HashIndex, end: number): void {
  while (index.end < end) {
    const sequence = index.end;
    assert.equal(index.append(digestOf(sequence), 0), sequence);
    index.accept(sequence, sequence + 1, acceptedAtOf(sequence));
  }
}

Deno.test("a replica finds what its writer appended, and nothing that it shares leaves it", async () => {
  const steps = fc.array(
    fc.record({ count: fc.integer({ min: 1, max: 40 }), repeats: fc.boolean() }),
    { minLength: 1, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const { index, reads } = await openIndex();
      const replica = new IndexReplica(sent(index.shared), reads);
      const known: Uint32Array[] = [];
      let seconds = 1_000;
      for (const { count, repeats } of steps) {
        const digests = randomDigests(count);
        const words = wordsOf(digests);
        for (let i = 0; i < count; i++) assert.equal(replica.probe(words, i), ABSENT);
        const start = index.end;
        for (let i = 0; i < count; i++) assert.equal(index.take(words, i), start + i);
        if (repeats) assert.equal(index.take(words, 0), start);
        index.accept(start, index.end, ++seconds);
        known.push(words);
        for (let i = 0; i < count; i++) {
          assert.equal(replica.probe(words, i), start + i);
          assert.equal(replica.acceptedInMemory(start + i), seconds);
        }
        assert.equal(replica.end, index.end);
        const copy = await replica.digests(start, index.end);
        assert.deepEqual(copy, digests);
        assert.ok(copy.buffer instanceof ArrayBuffer);
        assert.ok((await index.digests(start, index.end)).buffer instanceof ArrayBuffer);
      }
      let sequence = 0;
      for (const words of known) {
        for (let i = 0; i < words.length / DIGEST_WORDS; i++) {
          assert.equal(replica.probe(words, i), sequence++);
        }
      }
      assert.equal(replica.acceptedInMemory(sequence), undefined);
    }),
    { numRuns: 10 },
  );
});

Deno.test("handles of runs may be late, repeated or old: a replica reads the store instead", async () => {
  const { index, reads, log } = await openIndex();
  const changes: SharedIndex[] = [sent(index.shared)];
  index.runsChanged = () => changes.push(sent(index.shared));
  const replica = new IndexReplica(changes[0]!, reads);
  appendUpTo(index, RUN_LEAVES + 100);
  assert.equal(changes.length, 2);
  // The second run is not known to the replica yet: its digests seem new.
  assert.equal(replica.probe(digestOf(5), 0), 5);
  assert.equal(replica.probe(digestOf(RUN_LEAVES), 0), ABSENT);
  const row = new Uint8Array(digestOf(RUN_LEAVES).slice().buffer);
  log.rows.set(RUN_LEAVES, { first: RUN_LEAVES, acceptedAt: 7, digests: row });
  assert.deepEqual(await replica.digests(RUN_LEAVES, RUN_LEAVES + 1), row);
  assert.equal(await replica.acceptedAt(RUN_LEAVES), 7);
  replica.update(changes[1]!);
  assert.equal(replica.probe(digestOf(RUN_LEAVES), 0), RUN_LEAVES);
  assert.equal(replica.unsealedRuns, 2);

  await withWrites((writes) => index.seal(RUN_LEAVES, writes));
  assert.equal(changes.length, 3);
  assert.deepEqual([index.sealedRuns, replica.sealedRuns], [1, 0]);
  // The run stays readable until its filter arrives.
  assert.equal(replica.probe(digestOf(5), 0), 5);
  assert.equal(replica.acceptedInMemory(5), acceptedAtOf(5));
  for (const handles of [changes[2]!, changes[2]!, changes[0]!, changes[1]!]) {
    replica.update(handles);
    assert.deepEqual([replica.sealedRuns, replica.unsealedRuns], [1, 1]);
    assert.equal(replica.probe(digestOf(5), 0), PERHAPS_SEALED);
    assert.equal(replica.probe(digestOf(RUN_LEAVES), 0), RUN_LEAVES);
  }
  const sealed = new Uint8Array(digestOf(5).slice().buffer);
  log.rows.set(0, { first: 5, acceptedAt: 9, digests: sealed });
  assert.equal(await replica.find(sealed), 5);
  assert.equal(await replica.find(randomDigests(1)), undefined);
  // A front that joins later starts with the latest handles.
  const late = new IndexReplica(changes[2]!, reads);
  assert.equal(await late.find(sealed), 5);
  assert.equal(late.probe(digestOf(RUN_LEAVES + 99), 0), RUN_LEAVES + 99);
});

Deno.test("another thread reads an index while its writer appends and seals", async () => {
  const { index } = await openIndex();
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./index_reader.ts", import.meta.url), { type: "module" });
  try {
    const failed = Promise.withResolvers<never>();
    worker.onerror = (event) => {
      event.preventDefault();
      failed.reject(new Error(event.message));
    };
    const next = () =>
      Promise.race([
        failed.promise,
        new Promise<Checked>((resolve) => worker.onmessage = ({ data }) => resolve(data)),
      ]);
    const begun = next();
    const start: ReaderStart = { handles: index.shared, progress: progress.buffer };
    worker.postMessage(start);
    await begun;
    index.runsChanged = () => worker.postMessage(index.shared);
    const end = RUN_LEAVES + 50_000;
    while (index.end < end) {
      appendUpTo(index, Math.min(end, index.end + 2_000));
      Atomics.store(progress, 0, index.end);
      if (index.end % 64_000 === 0) await systemClock.sleep(0);
    }
    await withWrites((writes) => index.seal(RUN_LEAVES, writes));
    const done = next();
    worker.postMessage("finish");
    const checked = await done;
    assert.deepEqual(checked.faults, []);
    assert.equal(checked.durable, end);
    assert.deepEqual([checked.sealedRuns, checked.unsealedRuns], [1, 1]);
    assert.ok(checked.found > 0 && checked.sealed > 0, JSON.stringify(checked));
  } finally {
    worker.terminate();
  }
});
