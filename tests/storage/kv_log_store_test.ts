import { FORMAT_VERSION } from "../../src/storage/store_meta.ts";
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { concat } from "../../src/base/bytes.ts";
import { logKeys } from "../../src/storage/log/log_keys.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { encodeRound, encodeSth } from "../../src/proof/format/record_codec.ts";
import { withChecksum } from "../../src/storage/log/record_codec.ts";
import { round, row, sth } from "./log_records.ts";

/** Runs with the path of a store that is not there yet. */
async function withPath(run: (path: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await run(`${folder}/log.kv`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Changes the store at `path` without its adapter. */
async function tamper(path: string, change: (kv: Deno.Kv) => Promise<unknown>): Promise<void> {
  using kv = await Deno.openKv(path);
  await change(kv);
}

Deno.test("openKvLogStore() reopens a store with its records and index key", () =>
  withPath(async (path) => {
    const first = await openKvLogStore(path, "network");
    await first.takeFence();
    await first.rounds.commit([row(0, 3)], []);
    const { key } = first.index;
    first.close();
    const second = await openKvLogStore(path, "network");
    assert.deepEqual(second.index.key, key);
    assert.deepEqual(await second.rounds.lastRow(), row(0, 3));
    second.close();
  }));

Deno.test("openKvLogStore() creates a different index key for each store", async () => {
  const stores = [await openKvLogStore(":memory:", "a"), await openKvLogStore(":memory:", "a")];
  assert.notDeepEqual(stores[0]!.index.key, stores[1]!.index.key);
  for (const store of stores) store.close();
});

Deno.test("openKvLogStore() rejects a store of another network and leaves it unchanged", () =>
  withPath(async (path) => {
    (await openKvLogStore(path, "network")).close();
    await assert.rejects(openKvLogStore(path, "another"), { code: "network_changed" });
    (await openKvLogStore(path, "network")).close();
  }));

Deno.test("openKvLogStore() rejects a path with no store where none can be created", () =>
  withPath(async (path) => {
    await Deno.writeTextFile(path, "no store ".repeat(1000));
    await assert.rejects(openKvLogStore(path, "network"), { code: "file_failed" });
    const nowhere = `${path}-folder/log.kv`;
    await assert.rejects(openKvLogStore(nowhere, "network"), { code: "file_failed" });
  }));

Deno.test("openKvLogStore() rejects with storage_failed when another program locks the file", () =>
  withPath(async (path) => {
    (await openKvLogStore(path, "network")).close();
    using other = new DatabaseSync(path);
    other.exec("PRAGMA locking_mode = EXCLUSIVE");
    other.exec("BEGIN EXCLUSIVE");
    await assert.rejects(openKvLogStore(path, "network"), { code: "storage_failed" });
  }));

Deno.test("FencedKv.checkFence() rejects only when another process took the fence", () =>
  withPath(async (path) => {
    const store = await openKvLogStore(path, "network");
    {
      using other = new DatabaseSync(path);
      other.exec("BEGIN IMMEDIATE");
      await assert.rejects(store.takeFence(), { code: "storage_failed" });
      await store.checkFence();
    }
    const second = await openKvLogStore(path, "network");
    await second.takeFence();
    await assert.rejects(store.checkFence(), { code: "fence_lost" });
    store.close();
    second.close();
  }));

Deno.test("openKvLogStore() rejects another format", () =>
  withPath(async (path) => {
    (await openKvLogStore(path, "network")).close();
    await tamper(path, async (kv) => {
      const { value } = await kv.get<object>(logKeys.meta());
      await kv.set(logKeys.meta(), { ...value, format_version: FORMAT_VERSION + 1 });
    });
    await assert.rejects(openKvLogStore(path, "network"), { code: "format_unsupported" });
  }));

Deno.test("KvLogStore rejects a damaged record when it is read", () =>
  withPath(async (path) => {
    const damages: [Deno.KvKey, unknown][] = [
      [logKeys.intake(0), withChecksum(0, new Uint8Array(8 + 31))],
      [logKeys.intake(0), withChecksum(0, new Uint8Array(8))],
      [logKeys.intake(0), new Uint8Array(8 + 32)],
      [logKeys.intake(0), withChecksum(1, new Uint8Array(8 + 32))],
      [logKeys.round(0), new Uint8Array(10)],
      [logKeys.round(0), Uint8Array.of(2, 0, 1)],
      [logKeys.sth(1), new Uint8Array(104)],
      [logKeys.head(), new Uint8Array(39)],
      [logKeys.head(), "a".repeat(40)],
      [logKeys.head(), 40],
      [logKeys.edge(1), new Uint8Array(32)],
      [logKeys.round(0), encodeRound(round(0, 512))],
      [logKeys.round(0), withChecksum(1, encodeRound(round(0, 512)))],
      [logKeys.round(0), withChecksum(0, encodeRound(round(0, 512)).slice(0, -32))],
      [logKeys.round(0), withChecksum(0, encodeRound({ ...round(0, 512), size: 513 }))],
      [logKeys.round(0), withChecksum(0, encodeRound({ ...round(0, 0), size: 0 }))],
      [logKeys.sth(1), encodeSth(sth(1))],
      [logKeys.sth(1), withChecksum(2, encodeSth(sth(1)))],
      [logKeys.sth(1), withChecksum(1, concat(encodeSth(sth(1)), new Uint8Array(1)))],
    ];
    (await openKvLogStore(path, "network")).close();
    for (const [key, value] of damages) {
      await tamper(path, (kv) => kv.set(key, value));
      const store = await openKvLogStore(path, "network");
      const readAll = async () => {
        await store.rounds.lastRow();
        await store.rounds.roundAt(0);
        await store.tree.head();
        await store.tree.edges();
        await store.sths.at(1);
      };
      await assert.rejects(readAll(), { code: "store_corrupt" }, `${key.join("/")}`);
      store.close();
      await tamper(path, (kv) => kv.delete(key));
    }
    const meta = { format_version: 1, network: "network", index_key: "00" };
    await tamper(path, (kv) => kv.set(logKeys.meta(), meta));
    await assert.rejects(openKvLogStore(path, "network"), { code: "store_corrupt" });
    // Without the record, an empty store is new, and any other is damaged.
    await tamper(path, (kv) => kv.delete(logKeys.meta()));
    (await openKvLogStore(path, "network")).close();
    await tamper(path, async (kv) => {
      await kv.delete(logKeys.meta());
      await kv.set(logKeys.intake(0), withChecksum(0, new Uint8Array(8 + 32)));
    });
    await assert.rejects(openKvLogStore(path, "network"), { code: "store_corrupt" });
  }));

Deno.test("KvLogStore.takeFence() retries while a new handle locks the file", () =>
  withPath(async (path) => {
    for (let i = 0; i < 60; i++) {
      const store = await openKvLogStore(`${path}-${i}`, "network");
      await store.takeFence();
      store.close();
    }
  }));

Deno.test("a store that is closed during a write closes after it", async () => {
  const store = await openKvLogStore(":memory:", "test");
  const fence = store.takeFence();
  // The resource sanitizer sees a handle that stays open.
  store.close();
  await fence.catch(() => {});
});
