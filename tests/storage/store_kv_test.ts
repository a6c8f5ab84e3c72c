import assert from "node:assert/strict";
import { probeDatabase } from "../../src/storage/database_probe.ts";
import { openStoreKv, StoreKv } from "../../src/storage/store_kv.ts";
import { storeFault } from "../../src/storage/store_fault.ts";
import { CountersignError, hasCode } from "../../src/base/errors.ts";
import { inFolder } from "../server/captured_io.ts";
import { testStoreEngine } from "./store_engine_conformance.ts";

const ROWS = 200;
/** Small enough to fit in the page of its row. */
const ROW_BYTES = 600;
/** Page size of Deno KV's databases. */
const PAGE_BYTES = 4096;

/** The roots of Deno KV's own tables and of all indexes; the fourth page is that of the rows. */
const ROOTS_READ_UNASKED = [2, 3, 5, 6, 7, 8, 9];

/** Creates a database of many pages and applies `damage`. */
async function makeDamaged(path: string, damage: (bytes: Uint8Array) => void): Promise<void> {
  const kv = await Deno.openKv(path);
  const rows = kv.atomic();
  for (let i = 0; i < ROWS; i++) rows.set(["row", i], new Uint8Array(ROW_BYTES).fill(i));
  await rows.commit();
  kv.close();
  const bytes = await Deno.readFile(path);
  damage(bytes);
  await Deno.writeFile(path, bytes);
}

async function damagedKv(path: string, damage: (bytes: Uint8Array) => void): Promise<StoreKv> {
  await makeDamaged(path, damage);
  return new StoreKv(await Deno.openKv(path));
}

/** Offset of the page with row `i`. */
function pageOf(bytes: Uint8Array, i: number): number {
  const start = new TextDecoder("latin1").decode(bytes)
    .indexOf(String.fromCharCode(i).repeat(ROW_BYTES));
  assert.ok(start > 0);
  return Math.floor(start / PAGE_BYTES) * PAGE_BYTES;
}

async function readAll(kv: StoreKv): Promise<number> {
  for (let i = 0; i < ROWS; i++) await kv.get(["row", i]);
  let count = 0;
  for await (const _ of kv.list({ prefix: ["row"] })) count++;
  return count;
}

Deno.test("StoreKv reads stored values", () =>
  inFolder(async (folder) => {
    const kv = await damagedKv(`${folder}/store.kv`, () => {});
    assert.equal(await readAll(kv), ROWS);
    assert.deepEqual(
      (await kv.get<Uint8Array>(["row", 7])).value,
      new Uint8Array(ROW_BYTES).fill(7),
    );
    kv.close();
  }));

Deno.test("StoreKv rejects with store_corrupt when a page is lost", () =>
  inFolder(async (folder) => {
    const kv = await damagedKv(`${folder}/store.kv`, (bytes) => {
      const page = pageOf(bytes, 100);
      bytes.fill(0, page, page + PAGE_BYTES);
    });
    await assert.rejects(readAll(kv), (error) => {
      assert(hasCode(error, "store_corrupt"));
      assert.match(
        error.message,
        /^Cannot read \["row",\d+\] of the store: the database is damaged \("/,
      );
      return true;
    });
    await assert.rejects(Array.fromAsync(kv.list({ prefix: ["row"] })), { code: "store_corrupt" });
    kv.close();
  }));

Deno.test("probeDatabase() detects damage that makes Deno KV panic, and writes nothing", () =>
  inFolder(async (folder) => {
    const path = `${folder}/store.kv`;
    for (const page of ROOTS_READ_UNASKED) {
      const damage = (bytes: Uint8Array) =>
        bytes.fill(0xff, (page - 1) * PAGE_BYTES, page * PAGE_BYTES);
      await Deno.remove(path).catch(() => {});
      await makeDamaged(path, damage);
      const before = await Deno.readFile(path);
      assert.throws(() => probeDatabase(path), { code: "store_corrupt" }, `page ${page}`);
      assert.deepEqual(await Deno.readFile(path), before);
    }
  }));

Deno.test("probeDatabase() accepts intact, empty and missing files, and files that are not databases", () =>
  inFolder(async (folder) => {
    await makeDamaged(`${folder}/whole`, () => {});
    await Deno.writeTextFile(`${folder}/empty`, "");
    await Deno.writeTextFile(`${folder}/text`, "a text that is no database ".repeat(100));
    for (const name of ["whole", "empty", "missing", "text", ""]) {
      probeDatabase(`${folder}/${name}`);
    }
  }));

Deno.test("storeFault() distinguishes damage from other failures, and returns our own errors unchanged", () => {
  for (const words of ["database disk image is malformed", "file is not a database"]) {
    const fault = storeFault("read", new TypeError(words));
    assert.equal(fault.code, "store_corrupt");
    assert.ok(fault.message.includes(words));
  }
  for (const words of ["database or disk is full", "disk I/O error", "database is locked"]) {
    const fault = storeFault("write", new TypeError(words));
    assert.equal(fault.code, "storage_failed");
    assert.match(fault.message, /^Cannot write the store: /);
  }
  const ours = new CountersignError("fence_lost", "ours");
  assert.equal(storeFault("read", ours), ours);
});

testStoreEngine("a Deno KV file", async () => {
  const folder = await Deno.makeTempDir();
  return {
    open: () => openStoreKv(`${folder}/store.kv`),
    remove: () => Deno.remove(folder, { recursive: true }),
  };
});
