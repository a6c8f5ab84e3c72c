/**
 * The properties of an engine that the log depends on, each as a check that anybody can run against any
 * engine: tests run them, and `countersign store check`.
 *
 * @module
 */

import { equalBytes } from "../../bytes.ts";
import type { StoreEngine } from "../store_engine.ts";
import { checkCut, checkIsolation, checkRace, checkWriters } from "./races.ts";
import { expect, type Key, keysOf, type ScratchStore, store, stored, within } from "./scratch.ts";

/** One property. */
export interface EngineCheck {
  readonly name: string;
  /** Rejects with the reason if the engine lacks the property. */
  readonly run: (scratch: ScratchStore) => Promise<void>;
}

/** The limits that commits of the log keep, one for each commit. */
const CHECKS = 10;
const MUTATIONS = 1_000;
const COMMIT_BYTES = 800_000;
const VALUE_BYTES = 65_000;

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

async function checkOrder(scratch: ScratchStore): Promise<void> {
  await within(scratch, 1, async (engine) => {
    const commit = engine.atomic();
    // Written in another order.
    for (const key of ORDERED.toReversed()) commit.set(key, Uint8Array.of(1));
    await store(commit, "a commit of keys");
    const texts = ORDERED.map((key) => JSON.stringify(key));
    const found = await keysOf(engine, { prefix: [] });
    expect(found.join() === texts.join(), `keys are listed as ${found.join(" ")}`);
    const reverse = await keysOf(engine, { prefix: [] }, { reverse: true });
    expect(reverse.join() === texts.toReversed().join(), "descending is not ascending in reverse");
    const small = await keysOf(engine, { prefix: [] }, { batchSize: 2 });
    expect(small.join() === texts.join(), "a list of many pages differs from one of one page");
    const below = await keysOf(engine, { prefix: ["a"] });
    const own = texts.filter((_, i) => ORDERED[i]![0] === "a" && ORDERED[i]!.length > 1);
    expect(below.join() === own.join(), "a prefix is not exactly the keys below it");
    const range = { start: ["a", 1], end: ["a", 256] };
    const expected = [1, 9, 10, 127, 128, 255].map((n) => JSON.stringify(["a", n]));
    expect((await keysOf(engine, range)).join() === expected.join(), "a range is not [start, end)");
    const last = await keysOf(engine, range, { reverse: true, limit: 2 });
    expect(
      last.join() === expected.slice(-2).toReversed().join(),
      "a limit does not count from the end of a descending range",
    );
  });
}

async function checkValues(scratch: ScratchStore): Promise<void> {
  await within(scratch, 2, async (engine, other) => {
    const values: readonly (readonly [Key, unknown])[] = [
      [["bytes", 0], new Uint8Array()],
      [["bytes", 1], Uint8Array.from({ length: 256 }, (_, i) => i)],
      [["bytes", 2], new Uint8Array(VALUE_BYTES).fill(0xff)],
      [["text"], "0f\u0000é\u{1f600}"],
      [["mark"], true],
      [["object"], { version: 1, inode: null, size: 2 ** 40, name: "n" }],
    ];
    const commit = engine.atomic();
    for (const [key, value] of values) commit.set(key, value);
    await store(commit, "a commit of values");
    for (const [key, value] of values) {
      const { value: found } = await other.get(key);
      const isSame = value instanceof Uint8Array
        ? found instanceof Uint8Array && equalBytes(found, value)
        : JSON.stringify(found) === JSON.stringify(value);
      expect(isSame, `the value of ${JSON.stringify(key)} comes back changed`);
    }
    expect((await other.get(["none"])).value === null, "a missing key has a value");
    await store(engine.atomic().delete(["text"]), "a deletion");
    expect((await other.get(["text"])).value === null, "a deleted key has a value");
  });
}

async function checkAbsence(scratch: ScratchStore): Promise<void> {
  await within(scratch, 1, async (engine) => {
    const key = ["in", 0];
    const create = (value: number) =>
      engine.atomic().check({ key, versionstamp: null })
        .set(["before", value], true).set(key, Uint8Array.of(value)).set(["z", value], true);
    await store(create(1), "a first write");
    expect(!(await create(2).commit()).ok, "a key that exists was written as a new one");
    const { value } = await engine.get<Uint8Array>(key);
    expect(value?.[0] === 1, "a refused commit changed a value");
    const keys = await keysOf(engine, { prefix: [] });
    expect(keys.length === 3, "a refused commit was stored in part");
  });
}

async function checkSwap(scratch: ScratchStore): Promise<void> {
  await within(scratch, 2, async (engine, other) => {
    const key = ["head"];
    const swap = (by: StoreEngine, versionstamp: string | null, value: number) =>
      by.atomic().check({ key, versionstamp }).set(key, Uint8Array.of(value));
    const first = await stored(other, swap(engine, null, 1), key);
    const second = await stored(engine, swap(other, first, 2), key);
    expect(first !== second, "two values have the same version");
    expect(!(await swap(engine, first, 3).commit()).ok, "an old version was replaced");
    await store(engine.atomic().delete(key), "a deletion");
    expect(!(await swap(engine, second, 3).commit()).ok, "a deleted version was replaced");
    await store(swap(engine, null, 4), "a write after a deletion");
  });
}

async function checkFence(scratch: ScratchStore): Promise<void> {
  await within(scratch, 2, async (old, next) => {
    const key = ["fence"];
    const held = await stored(next, old.atomic().set(key, "old"), key);
    await store(next.atomic().check({ key, versionstamp: held }).set(key, "new"), "a new fence");
    const late = old.atomic().check({ key, versionstamp: held }).set(["in", 0], true);
    expect(!(await late.commit()).ok, "a commit under an old fence was stored");
  });
}

async function checkSizes(scratch: ScratchStore): Promise<void> {
  await within(scratch, 1, async (engine) => {
    const many = engine.atomic();
    for (let i = 0; i < CHECKS; i++) many.check({ key: ["row", i], versionstamp: null });
    for (let i = 0; i < MUTATIONS; i++) many.set(["row", i], new Uint8Array(10));
    await store(many, `a commit of ${CHECKS} checks and ${MUTATIONS} mutations`);
    const large = engine.atomic();
    for (let i = 0; i < COMMIT_BYTES / VALUE_BYTES - 1; i++) {
      large.set(["large", i], new Uint8Array(VALUE_BYTES));
    }
    await store(large, `a commit of ${COMMIT_BYTES} bytes`);
    const rows = await keysOf(engine, { prefix: ["row"] }, { batchSize: 500 });
    expect(rows.length === MUTATIONS, `${rows.length} of ${MUTATIONS} rows are listed`);
  });
}

/** In the order in which they are reported. */
export const ENGINE_CHECKS: readonly EngineCheck[] = [
  { name: "keys are in order", run: checkOrder },
  { name: "values come back as they were stored", run: checkValues },
  { name: "a key is created once", run: checkAbsence },
  { name: "compare-and-swap", run: checkSwap },
  { name: "a fence stops its former holder", run: checkFence },
  { name: "concurrent writers lose nothing", run: checkWriters },
  { name: "of concurrent commits one wins, whole", run: checkRace },
  { name: "readers see whole commits, at once", run: checkIsolation },
  { name: "commits of the log's sizes", run: checkSizes },
  { name: "a cut connection leaves no half commit", run: checkCut },
];
