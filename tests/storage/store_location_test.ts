import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { COPIED_STORE, openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { checkLocation, locationOf, type StoreLocation } from "../../src/storage/store_location.ts";
import { row } from "./log_records.ts";

const HERE: StoreLocation = { version: 1, device: 7, inode: 42, created: 9, host: "aa" };

const CHECKED = { moved: false };

async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Opens the store, takes it as a gateway does, and closes it. */
async function use(path: string, locationCheck?: { readonly moved: boolean }): Promise<void> {
  const store = await openKvLogStore(path, "network", locationCheck);
  await store.takeFence();
  store.close();
}

async function copyStore(from: string, to: string): Promise<void> {
  await Deno.copyFile(from, to);
  await Deno.copyFile(`${from}-wal`, `${to}-wal`).catch(() => {});
}

Deno.test("openKvLogStore() rejects a copied store until --moved", () =>
  inFolder(async (folder) => {
    const [original, copy] = [join(folder, "store.kv"), join(folder, "copy.kv")];
    // An earlier store has no location; the first start records it.
    await use(original);
    await use(original, CHECKED);
    await use(original, CHECKED);
    await copyStore(original, copy);
    const opening = openKvLogStore(copy, "network", CHECKED);
    await assert.rejects(opening, (error: Error) => {
      assert.equal((error as { code?: string }).code, "store_copied");
      assert.match(error.message, /--moved/);
      return true;
    });
    await use(original, CHECKED);
    await use(copy, { moved: true });
    await use(copy, CHECKED);
  }));

Deno.test("openKvLogStore() rejects a location record of a later version or a damaged one", () =>
  inFolder(async (folder) => {
    const path = join(folder, "store.kv");
    await use(path, CHECKED);
    const place = await locationOf(path);
    const rows: [unknown, string][] = [
      [{ ...place, version: 2 }, "format_unsupported"],
      [{ ...place, device: "7" }, "store_corrupt"],
      [{}, "store_corrupt"],
    ];
    for (const [record, code] of rows) {
      const kv = await Deno.openKv(path);
      await kv.set(["place"], record);
      kv.close();
      await assert.rejects(openKvLogStore(path, "network", CHECKED), { code });
    }
  }));

Deno.test("checkLocation() rejects a new inode or creation time, and a new device on a new machine", () => {
  const rows: [Partial<StoreLocation>, boolean][] = [
    [{}, true],
    [{ created: 10 }, false],
    [{ created: null }, true],
    [{ inode: 43 }, false],
    [{ inode: 43, device: 8 }, false],
    // Device numbers change with a restart, machine ids with a container.
    [{ device: 8 }, true],
    [{ host: "bb" }, true],
    [{ host: null }, true],
    [{ device: 8, host: null }, true],
    [{ device: 8, host: "bb" }, false],
    // A file system without inodes.
    [{ inode: null }, true],
  ];
  for (const [difference, isTaken] of rows) {
    const check = () => checkLocation("store.kv", COPIED_STORE, HERE, { ...HERE, ...difference });
    if (isTaken) check();
    else assert.throws(check, { code: "store_copied" });
  }
  checkLocation("store.kv", COPIED_STORE, null, HERE);
});

Deno.test("checkFile() rejects when the file was deleted or replaced", () =>
  inFolder(async (folder) => {
    const path = join(folder, "store.kv");
    const store = await openKvLogStore(path, "network", CHECKED);
    await store.takeFence();
    await store.checkFile();
    await Deno.rename(path, `${path}.away`);
    await assert.rejects(store.checkFile(), { code: "storage_failed", message: /deleted/ });
    await Deno.copyFile(`${path}.away`, path);
    await assert.rejects(store.checkFile(), { code: "storage_failed", message: /replaced/ });
    await Deno.rename(`${path}.away`, path);
    await store.checkFile();
    store.close();
    const inMemory = await openKvLogStore(":memory:", "network", CHECKED);
    await inMemory.checkFile();
    inMemory.close();
  }));

Deno.test("checkFile() rejects when the write-ahead file was deleted or replaced", () =>
  inFolder(async (folder) => {
    const path = join(folder, "store.kv");
    const wal = `${path}-wal`;
    const store = await openKvLogStore(path, "network", CHECKED);
    await store.takeFence();
    await store.checkFile();
    await Deno.rename(wal, `${wal}.away`);
    await assert.rejects(store.checkFile(), { code: "storage_failed", message: /deleted/ });
    await Deno.copyFile(`${wal}.away`, wal);
    await assert.rejects(store.checkFile(), { code: "storage_failed", message: /replaced/ });
    await Deno.rename(`${wal}.away`, wal);
    await store.checkFile();
    store.close();
  }));

Deno.test("checkFile() accepts SQLite's own changes to the write-ahead file", () =>
  inFolder(async (folder) => {
    const path = join(folder, "store.kv");
    await use(path);
    // The last close deletes the file, and the next open creates another.
    await assert.rejects(Deno.stat(`${path}-wal`), Deno.errors.NotFound);
    const store = await openKvLogStore(path, "network", CHECKED);
    await store.checkFile();
    await store.takeFence();
    await store.checkFile();
    for (const [i, mode] of ["PASSIVE", "FULL", "RESTART", "TRUNCATE"].entries()) {
      {
        using database = new DatabaseSync(path);
        database.exec(`PRAGMA wal_checkpoint(${mode})`);
      }
      await store.checkFile();
      assert.equal(await store.rounds.commit([row(i, 1)], []), "stored");
      await store.checkFile();
    }
    // Another process opens and closes the store meanwhile.
    const code = `import { DatabaseSync } from "node:sqlite";
      const database = new DatabaseSync(${JSON.stringify(path)});
      database.prepare("SELECT count(*) FROM kv").get();
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      database.close();`;
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["eval", code],
      stderr: "inherit",
    }).output();
    assert.ok(success);
    await store.checkFile();
    store.close();
  }));
