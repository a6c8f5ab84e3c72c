/**
 * The conformance suite for every {@linkcode StoreEngine}: what the log depends on.
 *
 * @module
 */

import assert from "node:assert/strict";
import { systemClock } from "../../src/base/clock.ts";
import { absent, type StoreCommit, type StoreEngine } from "../../src/storage/store_engine.ts";

/** An empty store. */
export interface TestedEngine {
  /** Opens it as another process would. */
  open(): Promise<StoreEngine>;
  /** Removes the data. All engines are closed by then. */
  remove(): Promise<void>;
}

type Key = Deno.KvKey;

/** The limits that commits of the log keep, one for each commit. */
const CHECKS = 10;
const MUTATIONS = 1_000;
const COMMIT_BYTES = 800_000;
const VALUE_BYTES = 65_000;

const WRITERS = 8;
const TURNS = 10;
/** Rows of one commit. */
const ROWS = 20;

/**
 * Engines may reject a commit that collides with others, Deno KV at once. On a slow disk the others hold
 * the lock for seconds, so a commit is tried for at least a minute in which no other one is stored.
 */
const ATTEMPTS = 2_400;
const RETRY_MS = 25;

/** Numbers and texts whose order is easily wrong: by decimal digits, by length, by sign of a byte. */
const ORDERED: readonly Key[] = [
  ["a"],
  ...[0, 1, 9, 10, 127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32, 2 ** 53 - 1]
    .map((n): Key => ["a", n]),
  ["a", 2 ** 53 - 1, 0],
  ["a", 2 ** 53 - 1, 7],
  ["a!", 3],
  ["aa"],
  ["aa", "", 1],
  ["aa", "x", 1],
  ["aa", "xy", 1],
  ["b", 5],
];

async function keysOf(
  engine: StoreEngine,
  selector: Deno.KvListSelector,
  options?: Deno.KvListOptions,
): Promise<Key[]> {
  const keys: Key[] = [];
  for await (const { key } of engine.list(selector, options)) keys.push(key);
  return keys;
}

async function store(commit: StoreCommit): Promise<void> {
  assert.ok((await commit.commit()).ok, "a commit was refused without a reason");
}

async function assertRefused(commit: StoreCommit): Promise<void> {
  assert.equal((await commit.commit()).ok, false);
}

/** Stores `commit`, and returns the versionstamp of `key` after it. */
async function stored(engine: StoreEngine, commit: StoreCommit, key: Key): Promise<string | null> {
  await store(commit);
  return (await engine.get(key)).versionstamp;
}

/** Whether a commit that creates `key` with the value `mine` is stored. A rejected commit may be. */
async function creates(
  engine: StoreEngine,
  commit: () => StoreCommit,
  [key, mine]: readonly [Key, number],
): Promise<boolean> {
  for (let attempt = 0;; attempt++) {
    const result = await commit().commit().catch((error: unknown) => ({ error }));
    if ("ok" in result) return result.ok;
    const { value } = await engine.get<Uint8Array>(key);
    if (value !== null) return value[0] === mine;
    if (attempt === ATTEMPTS) throw result.error;
    await systemClock.sleep(RETRY_MS);
  }
}

/** Registers the suite; every call of `make` must return an empty store. */
export function testStoreEngine(name: string, make: () => Promise<TestedEngine>): void {
  /** Runs `run` with `count` engines of one store. */
  const test = (
    what: string,
    count: number,
    run: (engines: StoreEngine[], tested: TestedEngine) => Promise<void>,
  ) =>
    Deno.test(`${name} ${what}`, async () => {
      const tested = await make();
      const engines: StoreEngine[] = [];
      try {
        while (engines.length < count) engines.push(await tested.open());
        await run(engines, tested);
      } finally {
        for (const engine of engines) engine.close();
        await tested.remove();
      }
    });

  test("lists keys in order", 1, async ([engine]) => {
    const commit = engine!.atomic();
    // Written in another order.
    for (const key of ORDERED.toReversed()) commit.set(key, Uint8Array.of(1));
    await store(commit);
    const all = { prefix: [] };
    assert.deepEqual(await keysOf(engine!, all), ORDERED);
    assert.deepEqual(await keysOf(engine!, all, { reverse: true }), ORDERED.toReversed());
    assert.deepEqual(await keysOf(engine!, all, { batchSize: 2 }), ORDERED);
    const below = ORDERED.filter(([first, ...rest]) => first === "a" && rest.length > 0);
    assert.deepEqual(await keysOf(engine!, { prefix: ["a"] }), below);
    const range = { start: ["a", 1], end: ["a", 256] };
    const within = [1, 9, 10, 127, 128, 255].map((n) => ["a", n]);
    assert.deepEqual(await keysOf(engine!, range), within);
    const last = await keysOf(engine!, range, { reverse: true, limit: 2 });
    assert.deepEqual(last, within.slice(-2).toReversed());
  });

  test("returns values as they were stored", 2, async ([engine, other]) => {
    const values: readonly (readonly [Key, unknown])[] = [
      [["bytes", 0], new Uint8Array()],
      [["bytes", 1], Uint8Array.from({ length: 256 }, (_, i) => i)],
      [["bytes", 2], new Uint8Array(VALUE_BYTES).fill(0xff)],
      [["text"], "0f\u0000é\u{1f600}"],
      [["mark"], true],
      [["object"], { version: 1, inode: null, size: 2 ** 40, name: "n" }],
    ];
    const commit = engine!.atomic();
    for (const [key, value] of values) commit.set(key, value);
    await store(commit);
    for (const [key, value] of values) assert.deepEqual((await other!.get(key)).value, value);
    assert.equal((await other!.get(["none"])).value, null);
    await store(engine!.atomic().delete(["text"]));
    assert.equal((await other!.get(["text"])).value, null);
  });

  test("creates a key once", 1, async ([engine]) => {
    const key = ["in", 0];
    const create = (value: number) =>
      engine!.atomic().check(absent(key))
        .set(["before", value], true).set(key, Uint8Array.of(value)).set(["z", value], true);
    await store(create(1));
    await assertRefused(create(2));
    assert.deepEqual((await engine!.get(key)).value, Uint8Array.of(1));
    // Nothing of the refused commit is stored.
    assert.equal((await keysOf(engine!, { prefix: [] })).length, 3);
  });

  test("replaces only the version that it checks", 2, async ([engine, other]) => {
    const key = ["head"];
    const swap = (by: StoreEngine, versionstamp: string | null, value: number) =>
      by.atomic().check({ key, versionstamp }).set(key, Uint8Array.of(value));
    const first = await stored(other!, swap(engine!, null, 1), key);
    const second = await stored(engine!, swap(other!, first, 2), key);
    assert.notEqual(first, second);
    await assertRefused(swap(engine!, first, 3));
    await store(engine!.atomic().delete(key));
    await assertRefused(swap(engine!, second, 3));
    await store(swap(engine!, null, 4));
  });

  test("refuses commits under an old fence", 2, async ([old, next]) => {
    const key = ["fence"];
    const held = await stored(next!, old!.atomic().set(key, "old"), key);
    await store(next!.atomic().check({ key, versionstamp: held }).set(key, "new"));
    await assertRefused(old!.atomic().check({ key, versionstamp: held }).set(["in", 0], true));
  });

  test("loses nothing of concurrent writers", WRITERS, async (engines) => {
    const key = ["count"];
    const turns = engines.map(async (engine, writer) => {
      for (let turn = 0; turn < TURNS;) {
        const { value, versionstamp } = await engine.get<Uint8Array>(key);
        const count = value === null ? 0 : value[0]!;
        const row = ["turn", count];
        const increment = () =>
          engine.atomic().check({ key, versionstamp }).check(absent(row))
            .set(key, Uint8Array.of(count + 1)).set(row, Uint8Array.of(writer));
        if (await creates(engine, increment, [row, writer])) turn++;
      }
    });
    await Promise.all(turns);
    const total = WRITERS * TURNS;
    assert.deepEqual((await engines[0]!.get(key)).value, Uint8Array.of(total));
    assert.equal((await keysOf(engines[0]!, { prefix: ["turn"] })).length, total);
  });

  test("lets one of concurrent commits win, whole", WRITERS, async (engines) => {
    for (let turn = 0; turn < TURNS; turn++) {
      const first = ["race", turn, 0];
      const outcomes = await Promise.all(engines.map((engine, writer) => {
        const commit = () => {
          const rows = engine.atomic().check(absent(first));
          for (let row = 0; row < ROWS; row++) {
            rows.set(["race", turn, row], Uint8Array.of(writer));
          }
          return rows;
        };
        return creates(engine, commit, [first, writer]);
      }));
      const winners = outcomes.flatMap((isOurs, writer) => isOurs ? [writer] : []);
      assert.equal(winners.length, 1);
      for await (const { value } of engines[0]!.list<Uint8Array>({ prefix: ["race", turn] })) {
        assert.equal(value[0], winners[0]);
      }
    }
  });

  test("shows whole commits to readers, at once", 2, async ([writer, reader]) => {
    let isDone = false;
    const written = (async () => {
      for (let turn = 0; turn < 50; turn++) {
        const value = Uint8Array.of(turn);
        await store(writer!.atomic().set(["pair", 0], value).set(["pair", 1], value));
        assert.deepEqual((await reader!.get(["pair", 1])).value, value);
      }
    })().finally(() => isDone = true);
    const read = (async () => {
      while (!isDone) {
        const values: (number | undefined)[] = [];
        for await (const { value } of reader!.list<Uint8Array>({ prefix: ["pair"] })) {
          values.push(value[0]);
        }
        assert.equal(values[0], values[1]);
      }
    })();
    await Promise.all([written, read]);
  });

  test("takes commits of the log's sizes", 1, async ([engine]) => {
    const many = engine!.atomic();
    for (let i = 0; i < CHECKS; i++) many.check(absent(["row", i]));
    for (let i = 0; i < MUTATIONS; i++) many.set(["row", i], new Uint8Array(10));
    await store(many);
    const large = engine!.atomic();
    for (let i = 0; i < COMMIT_BYTES / VALUE_BYTES - 1; i++) {
      large.set(["large", i], new Uint8Array(VALUE_BYTES));
    }
    await store(large);
    const rows = await keysOf(engine!, { prefix: ["row"] }, { batchSize: 500 });
    assert.equal(rows.length, MUTATIONS);
  });

  test("stores no half commit of a cut connection, and none late", 1, async ([next], tested) => {
    const key = ["fence"];
    const held = await stored(next!, next!.atomic().set(key, "old"), key);
    for (let cut = 0; cut < 5; cut++) {
      const old = await tested.open();
      for (let i = 0; i < WRITERS; i++) {
        const commit = old.atomic().check({ key, versionstamp: held });
        for (let row = 0; row < ROWS; row++) commit.set(["cut", cut, i, row], new Uint8Array(900));
        commit.commit().catch(() => {});
      }
      old.close();
    }
    // The connections may still hold the engine's lock.
    const mine = Uint8Array.of(1);
    const takeover = () =>
      next!.atomic().check({ key, versionstamp: held }).set(key, "new").set(["next"], mine);
    assert.ok(await creates(next!, takeover, [["next"], 1]));
    const cutRows = () => keysOf(next!, { prefix: ["cut"] }, { batchSize: 500 });
    const found = (await cutRows()).length;
    assert.equal(found % ROWS, 0);
    // Whatever the connections still hold reaches the engine meanwhile.
    for (let i = 0; i < 20; i++) {
      const commit = () => next!.atomic().set(["after", i], mine);
      assert.ok(await creates(next!, commit, [["after", i], 1]));
    }
    assert.equal((await cutRows()).length, found);
  });
}
