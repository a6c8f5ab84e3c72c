/**
 * The conformance suite for every {@linkcode WitnessState}.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { WitnessedHead, WitnessState } from "../../src/witness/ports.ts";

const head = (size: number, timestamp = 7): WitnessedHead => ({
  size,
  root: new Uint8Array(32).fill(size % 256),
  timestamp,
});

/** Registers the suite; every call of `open` must return an empty state. */
export function testWitnessState(
  name: string,
  open: () => Promise<{ readonly state: WitnessState; close(): void }>,
): void {
  const test = (what: string, run: (state: WitnessState) => Promise<void>) =>
    Deno.test(`${name} ${what}`, async () => {
      const { state, close } = await open();
      try {
        await run(state);
      } finally {
        close();
      }
    });

  test("load() returns undefined for an unknown origin", async (state) => {
    assert.equal(await state.load("a"), undefined);
    assert.ok(await state.replace("b", undefined, head(1)));
    assert.equal(await state.load("a"), undefined);
  });

  test("load() returns the stored head, including extreme values", async (state) => {
    for (const stored of [head(0, 0), head(2 ** 53 - 1, 2 ** 53 - 1)]) {
      const version = (await state.load("a"))?.version;
      const stamped = await state.replace("a", version, stored);
      assert.ok(stamped);
      assert.deepEqual(await state.load("a"), { ...stored, version: stamped });
    }
  });

  test("replace() stores the first head once", async (state) => {
    assert.ok(await state.replace("a", undefined, head(1)));
    assert.equal(await state.replace("a", undefined, head(2)), undefined);
    assert.equal((await state.load("a"))?.size, 1);
  });

  test("replace() rejects an old version, also of an equal value", async (state) => {
    const first = await state.replace("a", undefined, head(1));
    const second = await state.replace("a", first, head(2));
    assert.notEqual(second, first);
    const third = await state.replace("a", second, head(1));
    assert.equal(await state.replace("a", first, head(3)), undefined);
    assert.equal(await state.replace("a", second, head(3)), undefined);
    assert.equal((await state.load("a"))?.size, 1);
    assert.ok(await state.replace("a", third, head(3)));
  });

  test("replace() rejects a version of no head or of another origin", async (state) => {
    const other = await state.replace("b", undefined, head(1));
    assert.equal(await state.replace("a", other, head(1)), undefined);
    assert.equal(await state.load("a"), undefined);
  });

  test("replace() succeeds for one of many concurrent calls", async (state) => {
    const version = await state.replace("a", undefined, head(1));
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => state.replace("a", version, head(10 + i))),
    );
    const winners = results.flatMap((result, i) => result === undefined ? [] : [10 + i]);
    assert.equal(winners.length, 1);
    assert.equal((await state.load("a"))?.size, winners[0]);
  });

  test("load() and replace() copy their buffers", async (state) => {
    const stored = head(5);
    await state.replace("a", undefined, stored);
    stored.root.fill(0);
    const loaded = await state.load("a");
    loaded?.root.fill(1);
    assert.deepEqual((await state.load("a"))?.root, head(5).root);
  });
}
