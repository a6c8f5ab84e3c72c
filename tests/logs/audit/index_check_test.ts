/** IndexCheck, once with real runs of 2^20 digests, otherwise with small ones. */

import assert from "node:assert/strict";
import { FaultLog } from "../../../src/logs/audit/faults.ts";
import { IndexCheck } from "../../../src/logs/audit/index_check.ts";
import type { StoredIndex } from "../../../src/logs/audit/ports.ts";
import { auditStore } from "../../../src/logs/audit/store_audit.ts";
import type { Bytes } from "../../../src/base/bytes.ts";
import { loadCompiledKernels } from "../../../src/proof/crypto/compiled_kernels.ts";
import { sortRun } from "../../../src/gateway/index/index_run.ts";
import { KeyedHash } from "../../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../../src/gateway/index/recent_digests.ts";
import { digestIndexKeys, logKeys } from "../../../src/storage/log/log_keys.ts";
import { KvStoredLog } from "../../../src/storage/log/kv_stored_log.ts";
import { KV_LOG_LIMITS } from "../../../src/storage/log/commit_limits.ts";
import { encodeBucket, encodeIntakeRow } from "../../../src/storage/log/record_codec.ts";
import { randomDigests, TestNetwork } from "../../gateway/fixture.ts";
import { Random } from "../../random.ts";
import { SEED } from "../../seed.ts";
import { nativeCrypto } from "../../schemes.ts";

const COMMIT = 500;

async function store(kv: Deno.Kv, records: Iterable<readonly [Deno.KvKey, unknown]>) {
  let commit = kv.atomic();
  let count = 0;
  for (const [key, value] of records) {
    commit.set(key, value);
    if (++count % COMMIT !== 0) continue;
    await commit.commit();
    commit = kv.atomic();
  }
  await commit.commit();
}

/** `count` digests from `first` on. */
function slice(digests: Bytes, first: number, count: number): Bytes {
  return digests.slice(first * 32, (first + count) * 32);
}

function* rowsOf(digests: Bytes): Generator<readonly [Deno.KvKey, Bytes]> {
  const { digestsPerRow } = KV_LOG_LIMITS;
  const end = digests.length / 32;
  for (let first = 0; first < end; first += digestsPerRow) {
    const part = slice(digests, first, Math.min(digestsPerRow, end - first));
    yield [logKeys.intake(first), encodeIntakeRow({ first, acceptedAt: 1, digests: part })];
  }
}

Deno.test("IndexCheck compares a sealed run with its digests", async () => {
  const key = new Random(SEED).bytes(8);
  const digests = randomDigests(RUN_LEAVES + 10);
  // A duplicate of a digest of the run.
  digests.copyWithin((RUN_LEAVES + 4) * 32, 77 * 32, 78 * 32);
  const words = new Uint32Array(digests.buffer);
  const { buckets } = await sortRun(new KeyedHash(key), words, () => Promise.resolve());
  using kv = await Deno.openKv(":memory:");
  await store(kv, rowsOf(digests));
  await store(
    kv,
    buckets.map((entries, bucket) =>
      [digestIndexKeys.bucket(0, bucket), encodeBucket(0, bucket, entries)] as const
    ),
  );
  const changed = buckets[9]!.slice();
  changed[7]! ^= 1;
  await kv.set(digestIndexKeys.bucket(0, 9), changed);
  await kv.delete(digestIndexKeys.bucket(0, 11));
  await kv.set(digestIndexKeys.bucket(0, buckets.length), new Uint8Array(8));
  await kv.set(digestIndexKeys.done(0), true);
  const { network } = new TestNetwork();
  const faults = new FaultLog();
  const report = await auditStore(new KvStoredLog(kv, key, []), {
    network: { ...network, log_vkey: network.log_vkey! },
    crypto: { ...nativeCrypto, kernels: await loadCompiledKernels() },
    witnesses: [],
    faults,
    onProgress: () => {},
  });
  const found = faults.listed.map(({ part, place }) => `${part} ${place}`);
  assert.deepEqual(found, [
    "index 0/9",
    `index 0/${buckets.length}`,
    "index 0/11",
    `digest ${RUN_LEAVES + 4}`,
  ]);
  assert.deepEqual([report.index_runs, report.accepted], [1, RUN_LEAVES + 10]);
});

/** An index with runs of four digests and one bucket for each first bit. */
class SmallIndex implements StoredIndex {
  readonly runLeaves = 4;
  readonly stored = new Map<number, Map<number, Bytes>>();
  readonly done = new Set<number>();

  runs() {
    const runs = [...new Set([...this.stored.keys(), ...this.done])].sort();
    return Promise.resolve(runs.map((run) => ({ run, isDone: this.done.has(run) })));
  }

  bucketsOf(digests: Bytes): Promise<Bytes[]> {
    const buckets: number[][] = [[], []];
    for (let i = 0; i < 4; i++) buckets[digests[i * 32]! >>> 7]!.push(i);
    return Promise.resolve(buckets.map((offsets) => Uint8Array.from(offsets)));
  }

  async *buckets(run: number) {
    for (const [key, value] of this.stored.get(run) ?? []) yield { key, value };
  }

  async seal(run: number, digests: Bytes): Promise<void> {
    const buckets = await this.bucketsOf(slice(digests, run * 4, 4));
    this.stored.set(run, new Map(buckets.entries()));
    this.done.add(run);
  }
}

async function check(index: SmallIndex, parts: readonly (readonly [number, Bytes])[], end: number) {
  const faults = new FaultLog();
  const checked = await IndexCheck.open(index, "index", faults);
  for (const [first, digests] of parts) await checked.add(first, digests);
  checked.finish(end);
  return {
    found: faults.listed.map(({ part, place }) => `${part} ${place}`),
    notCompared: checked.notCompared.length,
  };
}

Deno.test("IndexCheck compares complete runs for any split of the digests", async () => {
  const digests = randomDigests(14);
  const index = new SmallIndex();
  for (const run of [0, 1, 2]) await index.seal(run, digests);
  for (let size = 1; size <= 14; size++) {
    const parts = [];
    for (let first = 0; first < 14; first += size) {
      parts.push([first, slice(digests, first, Math.min(size, 14 - first))] as const);
    }
    assert.deepEqual(await check(index, parts, 14), { found: [], notCompared: 0 });
  }
  const gap = [[0, slice(digests, 0, 5)], [6, slice(digests, 6, 8)]] as const;
  assert.deepEqual(await check(index, gap, 14), { found: [], notCompared: 1 });
  const fewer = [[0, slice(digests, 0, 11)]] as const;
  assert.deepEqual(await check(index, fewer, 11), { found: ["index 2"], notCompared: 0 });
  index.stored.get(1)!.set(0, new Uint8Array(9));
  const all = [[0, digests]] as const;
  assert.deepEqual(await check(index, all, 14), { found: ["index 1/0"], notCompared: 0 });
});

Deno.test("IndexCheck accepts missing buckets, but no wrong ones, before the done mark", async () => {
  const digests = randomDigests(8);
  const index = new SmallIndex();
  await index.seal(0, digests);
  await index.seal(1, digests);
  index.done.delete(1);
  const all = [[0, digests]] as const;
  index.stored.get(1)!.delete(1);
  assert.deepEqual(await check(index, all, 8), { found: [], notCompared: 0 });
  index.stored.get(1)!.set(0, new Uint8Array(9));
  assert.deepEqual(await check(index, all, 8), { found: ["index 1/0"], notCompared: 0 });
});
