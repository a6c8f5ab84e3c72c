import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import type { CountersignError } from "../../src/base/errors.ts";
import { isFault } from "../../src/http/problem.ts";
import { decodeKey, encodeKey } from "../../src/storage/key_encoding.ts";
import { openReads, openSqliteReads } from "../../src/storage/sqlite_reads.ts";
import type { StoreReads } from "../../src/storage/store_engine.ts";
import { StoreKv } from "../../src/storage/store_kv.ts";
import { digestIndexKeys, logKeys } from "../../src/storage/log/log_keys.ts";

const NUMBERS = [0, 1, 27, 28, 255, 256, 2 ** 20, 1e7, 2 ** 31, 2 ** 32 + 1, 2 ** 53 - 1];

/** A Deno KV file with rows of every kind that stores have. */
async function withStore(run: (path: string, kv: StoreKv, deno: Deno.Kv) => Promise<void>) {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/store.kv`;
  const deno = await Deno.openKv(path);
  const kv = new StoreKv(deno);
  try {
    await deno.set(logKeys.meta(), { format_version: 1 });
    await run(path, kv, deno);
  } finally {
    kv.close();
    await Deno.remove(folder, { recursive: true });
  }
}

async function listed(reads: StoreReads, ...args: Parameters<StoreReads["list"]>) {
  const rows: unknown[] = [];
  for await (const { key, value } of reads.list(...args)) rows.push([key, value]);
  return rows;
}

Deno.test("encodeKey() preserves Deno KV's key order", () => {
  const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.maxSafeNat());
  const key = fc.oneof(
    fc.tuple(fc.constantFrom("in", "rd", "sth", "ix"), number),
    fc.tuple(fc.constantFrom("ix", "t"), number, number),
    fc.constantFrom(["meta"], ["fence"], ["head"]),
  );
  fc.assert(fc.property(key, (key) => assert.deepEqual(decodeKey(encodeKey(key)), [...key])));
  for (const [i, number] of NUMBERS.slice(1).entries()) {
    const [low, high] = [encodeKey(["in", NUMBERS[i]!]), encodeKey(["in", number])];
    assert.ok(Buffer.compare(low, high) < 0, `${number}`);
  }
});

Deno.test("SqliteReads returns the same results as Deno KV", () =>
  withStore(async (path, kv, deno) => {
    for (const [i, number] of NUMBERS.entries()) {
      await deno.set(logKeys.intake(number), new Uint8Array(20 * i).fill(i));
      await deno.set(logKeys.tile(i % 2, number), new Uint8Array(8192).fill(i));
    }
    for (let bucket = 0; bucket < 600; bucket++) {
      await deno.set(digestIndexKeys.bucket(0, bucket), Uint8Array.of(bucket));
    }
    await deno.set(digestIndexKeys.done(0), true);
    await deno.set(digestIndexKeys.done(1), true);
    const reads = openReads(path, kv);
    assert.notEqual(reads, kv);
    for (const number of [...NUMBERS, 2, 29]) {
      for (const key of [logKeys.intake(number), logKeys.tile(1, number), logKeys.meta()]) {
        assert.deepEqual((await reads.get(key)).value, (await kv.get(key)).value);
      }
      const selectors: Deno.KvListSelector[] = [
        { prefix: logKeys.intakes() },
        { prefix: logKeys.intakes(), end: logKeys.intake(number) },
        { prefix: logKeys.intakes(), start: logKeys.intake(number) },
        { start: logKeys.intake(Math.min(3, number)), end: logKeys.intake(number) },
        { prefix: digestIndexKeys.run(0) },
        { prefix: digestIndexKeys.run(1) },
        { prefix: digestIndexKeys.allDone() },
      ];
      for (const selector of selectors) {
        for (const options of [{}, { limit: 1 }, { limit: 1, reverse: true }, { reverse: true }]) {
          const expected = await listed(kv, selector, options);
          assert.deepEqual(await listed(reads, selector, options), expected);
        }
      }
    }
    assert.equal((await listed(reads, { prefix: digestIndexKeys.run(0) })).length, 600);
    reads.close();
  }));

Deno.test("SqliteReads reads new commits at once, and leaves Deno KV open", () =>
  withStore(async (path, kv, deno) => {
    const reads = openReads(path, kv);
    for (let first = 0; first < 200; first++) {
      await deno.atomic().set(logKeys.intake(first), Uint8Array.of(first)).commit();
      assert.deepEqual((await reads.get(logKeys.intake(first))).value, Uint8Array.of(first));
    }
    reads.close();
    await deno.set(logKeys.intake(200), Uint8Array.of(200));
    assert.deepEqual((await kv.get(logKeys.intake(200))).value, Uint8Array.of(200));
  }));

Deno.test("SqliteReads refuses reads after close() without a fault for the log", () =>
  withStore(async (path, kv, deno) => {
    for (let first = 0; first < 300; first++) {
      await deno.set(logKeys.intake(first), Uint8Array.of(1));
    }
    const reads = openReads(path, kv);
    const rows = reads.list({ prefix: logKeys.intakes() })[Symbol.asyncIterator]();
    await rows.next();
    reads.close();
    const secondPage = async () => {
      while (!(await rows.next()).done);
    };
    const attempts = [
      () => reads.get(logKeys.intake(1)),
      () => listed(reads, { prefix: logKeys.intakes() }),
      secondPage,
    ];
    for (const attempt of attempts) {
      await assert.rejects(attempt, (error: CountersignError) => {
        assert.equal(error.code, "shutting_down");
        assert.ok(!isFault(error));
        return true;
      });
    }
  }));

Deno.test("openSqliteReads() rejects another layout, for which openReads() falls back", () =>
  withStore(async (path, kv) => {
    const other = `${path}.other`;
    const refused = { code: "storage_failed" };
    assert.equal(openReads(other, kv), kv);
    assert.throws(() => openSqliteReads(other), refused);
    const tables = [
      "CREATE TABLE rows (k BLOB PRIMARY KEY, v BLOB)",
      "CREATE TABLE kv (k BLOB PRIMARY KEY, v BLOB, v_encoding INTEGER)",
      "ALTER TABLE kv RENAME COLUMN v TO value",
    ];
    for (const sql of tables) {
      const database = new DatabaseSync(other);
      database.exec(sql);
      database.close();
      assert.equal(openReads(other, kv), kv, sql);
      assert.throws(() => openSqliteReads(other), refused, sql);
    }
    await Deno.writeTextFile(other, "no store ".repeat(1000));
    assert.equal(openReads(other, kv), kv);
    assert.throws(() => openSqliteReads(other), { code: "store_corrupt" });
  }));

Deno.test("SqliteReads rejects a damaged encoding without a panic of Deno KV", () =>
  withStore(async (path, kv, deno) => {
    const keys = [0, 1, 2].map((at) => logKeys.round(at));
    for (const key of keys) await deno.set(key, new Uint8Array(20).fill(9));
    const reads = openReads(path, kv);
    using database = new DatabaseSync(path);
    const damage = database.prepare("UPDATE kv SET v_encoding = ? WHERE k = ?");
    for (const [encoding, key] of keys.entries()) {
      damage.run(encoding, encodeKey(key));
      await assert.rejects(reads.get(key), { code: "store_corrupt" }, `${encoding}`);
      await assert.rejects(listed(reads, { prefix: key.slice(0, 1), start: key }), {
        code: "store_corrupt",
      });
    }
    reads.close();
  }));
