import assert from "node:assert/strict";
import fc from "fast-check";
import {
  growthSeries,
  meanRate,
  quantile,
  waitOf,
  waitSeries,
} from "../../src/explorer/growth_series.ts";
import { scale, stepPath, timeAxis, valueAxis } from "../../src/explorer/plot_scale.ts";
import type { Batch } from "../../src/proof/format/bundle.ts";

function batch(first_index: number, tree_size: number, from: number, to: number): Batch {
  return {
    id: tree_size,
    network_id: "net.example",
    root_hash: "00".repeat(32),
    tree_size,
    first_index,
    attestation_count: tree_size - first_index,
    period_start: from,
    period_end: to,
  };
}

const BATCHES = [batch(30, 90, 1040, 1100), batch(10, 30, 1000, 1040), batch(0, 10, 0, 1000)];

Deno.test("growthSeries() starts with the first head, or with the head before the oldest batch", () => {
  assert.deepEqual(growthSeries(BATCHES), [
    { x: 1000, y: 10 },
    { x: 1040, y: 30 },
    { x: 1100, y: 90 },
  ]);
  assert.deepEqual(growthSeries(BATCHES.slice(0, 1)), [{ x: 1040, y: 30 }, { x: 1100, y: 90 }]);
  assert.deepEqual(growthSeries([]), []);
});

Deno.test("meanRate() is growth per second, and undefined for no time", () => {
  assert.equal(meanRate(BATCHES), 80 / 100);
  assert.equal(meanRate([]), undefined);
  assert.equal(meanRate(BATCHES.slice(2)), undefined);
});

Deno.test("waitSeries() lists waits oldest first, none negative", () => {
  const waits = [waitOf(BATCHES[0]!, 1095), waitOf(BATCHES[1]!, 1041)];
  assert.deepEqual(waitSeries(waits), [{ x: 1040, y: 0 }, { x: 1100, y: 5 }]);
});

Deno.test("quantile() is one of the values", () => {
  assert.equal(quantile([], 0.5), undefined);
  assert.equal(quantile([7], 0.99), 7);
  assert.deepEqual([0, 0.5, 0.9, 1].map((share) => quantile([4, 1, 3, 2], share)), [1, 2, 4, 4]);
});

Deno.test("axes contain their range and have few, ordered ticks at round values", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 40), fc.nat(2 ** 40), fc.integer({ min: 2, max: 8 }), (a, b, n) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      const value = valueAxis(min, max, n);
      assert.ok(value.min <= min && value.max >= max && value.max > value.min);
      assert.ok(value.ticks.length >= 2 && value.ticks.length <= n + 3, String(value.ticks));
      assert.ok(value.ticks.every(Number.isInteger));
      const time = timeAxis(min, max, n);
      assert.ok(time.min === min && time.max >= max && time.ticks.length <= n + 1);
      for (const { ticks } of [value, time]) {
        assert.deepEqual(ticks, ticks.toSorted((x, y) => x - y));
        assert.equal(new Set(ticks).size, ticks.length);
      }
    }),
  );
  assert.deepEqual(valueAxis(0, 97, 4).ticks, [0, 50, 100]);
  assert.deepEqual(timeAxis(60, 60 + 3600, 4).ticks, [900, 1800, 2700, 3600]);
});

Deno.test("stepPath() changes the value at each point", () => {
  const [times, values] = [timeAxis(1000, 1100, 2), valueAxis(0, 100, 2)];
  const points = growthSeries(BATCHES).map(({ x, y }) => ({
    x: scale(times, x, [10, 110]),
    y: scale(values, y, [50, 0]),
  }));
  assert.deepEqual(points, [{ x: 10, y: 45 }, { x: 50, y: 35 }, { x: 110, y: 5 }]);
  assert.equal(stepPath(points), "M10 45H50V35H110V5");
  assert.equal(stepPath([]), "");
});
