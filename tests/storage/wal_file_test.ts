import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { WalFile } from "../../src/storage/log/wal_file.ts";
import { row } from "./log_records.ts";

const MAX_BYTES = 6 * 2 ** 20;
const ROW = 28;

/** A store, and a function that writes many rows to it. */
async function withStore(
  run: (site: { readonly path: string; write(rows: number): Promise<void> }) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/store.kv`;
  const store = await openKvLogStore(path, "network");
  await store.takeFence();
  let first = 0;
  try {
    await run({
      path,
      async write(rows) {
        for (let done = 0; done < rows; done += 8, first += 8 * ROW) {
          const many = Array.from({ length: 8 }, (_, i) => row(first + i * ROW, ROW));
          assert.equal(await store.rounds.commit(many, []), "stored");
        }
      },
    });
    assert.equal((await store.rounds.lastRow())?.first, first - ROW);
  } finally {
    store.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function walLength(path: string): Promise<number> {
  return (await Deno.stat(`${path}-wal`)).size;
}

Deno.test("WalFile.shrink() truncates the file after a long reader has ended", () =>
  withStore(async ({ path, write }) => {
    const file = await WalFile.of(path, MAX_BYTES);
    await write(8);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM kv").get();
    while (await walLength(path) <= MAX_BYTES) await write(400);
    const grown = await walLength(path);
    // The reader may still need the content.
    for (let i = 0; i < 3; i++) {
      assert.equal(await file.shrink(), false);
      await write(8);
    }
    assert.ok(await walLength(path) >= grown);
    reader.exec("COMMIT");
    reader.close();
    await write(8);
    assert.ok(await walLength(path) >= grown, "Deno KV leaves the length as it is");
    let isShort = false;
    for (let i = 0; !isShort && i < 20; i++) {
      await write(8);
      isShort = await file.shrink();
    }
    assert.ok(isShort);
    assert.ok(await walLength(path) < MAX_BYTES / 2, String(await walLength(path)));
    await write(8);
  }));

Deno.test("WalFile.shrink() does not create a deleted database", () =>
  withStore(async ({ path, write }) => {
    const file = await WalFile.of(path, 0);
    await write(8);
    await file.shrink();
    await Deno.remove(path);
    const codes: string[] = [];
    for (let i = 0; i < 4; i++) {
      await write(1_200);
      await file.shrink().catch(({ code }) => codes.push(code));
    }
    assert.ok(codes.length > 0);
    assert.ok(codes.every((code) => code === "storage_failed"), String(codes));
    await assert.rejects(Deno.stat(path), Deno.errors.NotFound);
  }));
