import assert from "node:assert/strict";
import type { LogReads } from "../../src/gateway/ports.ts";
import type { KvLogStore } from "../../src/storage/log/kv_log_store.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { openReadOnlyLog } from "../../src/storage/log/read_only_log.ts";
import { acceptUpTo, headCommit, round, row, spentRow, sth } from "./log_records.ts";

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Stores records of every kind that {@linkcode LogReads} reads. */
async function fill(store: KvLogStore): Promise<void> {
  await store.takeFence();
  await acceptUpTo(store.rounds, 600);
  await store.rounds.commit([row(600, 5)], [round(0, 512), round(512, 93)], [
    spentRow(0, 600, [0, 3]),
  ]);
  await store.tree.commit(headCommit(null, 605));
  await store.sths.commit(sth(605));
  await store.index.commitRows(0, [{ bucket: 7, entries: new Uint8Array(16).fill(3) }], true);
  await store.spentIndex.commitRows(0, [{ bucket: 9, entries: new Uint8Array(8).fill(4) }], true);
}

async function readAll(reads: LogReads): Promise<unknown[]> {
  const { rounds, tree, sths, index, spent, spentIndex } = reads;
  return await Promise.all([
    rounds.limits,
    rounds.lastRow(),
    rounds.rowAt(600),
    rounds.rowAt(601),
    rounds.rows(3, 605),
    rounds.roundAt(512),
    rounds.roundBefore(511),
    rounds.rounds(0, 1_000, 10),
    tree.tile(0, 1),
    tree.tile(0, 2),
    sths.at(605),
    sths.firstAbove(0),
    sths.below(1_000, 10),
    index.bucket(0, 7),
    index.bucket(0, 8),
    spentIndex.bucket(0, 9),
    spent.rows(0, 2),
  ]);
}

Deno.test("ReadOnlyLog reads what KvLogStore has committed, at once", () =>
  withFolder(async (folder) => {
    const path = `${folder}/log.kv`;
    const store = await openKvLogStore(path, "network");
    assert.equal(store.allowsReaders, true);
    const reads = openReadOnlyLog(path);
    assert.equal(await reads.rounds.lastRow(), undefined);
    await fill(store);
    assert.deepEqual(await readAll(reads), await readAll(store));
    assert.equal((await reads.rounds.lastRow())?.first, 600);
    await store.sths.commit(sth(606));
    assert.deepEqual(await reads.sths.at(606), sth(606));
    reads.close();
    store.close();
  }));

Deno.test("openReadOnlyLog() creates no file", () =>
  withFolder(async (folder) => {
    assert.throws(() => openReadOnlyLog(`${folder}/log.kv`), { code: "storage_failed" });
    assert.deepEqual([...Deno.readDirSync(folder)], []);
    const store = await openKvLogStore(":memory:", "network");
    assert.equal(store.allowsReaders, false);
    store.close();
  }));
