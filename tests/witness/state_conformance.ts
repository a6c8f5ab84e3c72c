/**
 * What every {@linkcode WitnessState} has to do, run on each of them.
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

/** Registers the suite for what `open` opens; every call gives an empty state. */
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

  test("loads nothing for an origin that was never stored", async (state) => {
    assert.equal(await state.load("a"), undefined);
    assert.ok(await state.replace("b", undefined, head(1)));
    assert.equal(await state.load("a"), undefined);
  });

  test("loads what was stored, extremes included", async (state) => {
    for (const stored of [head(0, 0), head(2 ** 53 - 1, 2 ** 53 - 1)]) {
      const version = (await state.load("a"))?.version;
      const stamped = await state.replace("a", version, stored);
      assert.ok(stamped);
      assert.deepEqual(await state.load("a"), { ...stored, version: stamped });
    }
  });

  test("stores the first head once", async (state) => {
    assert.ok(await state.replace("a", undefined, head(1)));
    assert.equal(await state.replace("a", undefined, head(2)), undefined);
    assert.equal((await state.load("a"))?.size, 1);
  });

  test("refuses an old version, even where the value came back to it", async (state) => {
    const first = await state.replace("a", undefined, head(1));
    const second = await state.replace("a", first, head(2));
    assert.notEqual(second, first);
    const third = await state.replace("a", second, head(1));
    assert.equal(await state.replace("a", first, head(3)), undefined);
    assert.equal(await state.replace("a", second, head(3)), undefined);
    assert.equal((await state.load("a"))?.size, 1);
    assert.ok(await state.replace("a", third, head(3)));
  });

  test("refuses a version where there is nothing, and one of another origin", async (state) => {
    const other = await state.replace("b", undefined, head(1));
    assert.equal(await state.replace("a", other, head(1)), undefined);
    assert.equal(await state.load("a"), undefined);
  });

  test("lets one of many concurrent replacements win", async (state) => {
    const version = await state.replace("a", undefined, head(1));
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, i) => state.replace("a", version, head(10 + i))),
    );
    const winners = results.flatMap((result, i) => result === undefined ? [] : [10 + i]);
    assert.equal(winners.length, 1);
    assert.equal((await state.load("a"))?.size, winners[0]);
  });

  test("keeps values apart from the buffers of its callers", async (state) => {
    const stored = head(5);
    await state.replace("a", undefined, stored);
    stored.root.fill(0);
    const loaded = await state.load("a");
    loaded?.root.fill(1);
    assert.deepEqual((await state.load("a"))?.root, head(5).root);
  });
}
