import assert from "node:assert/strict";
import fc from "fast-check";
import { Histogram } from "../../bench/load/histogram.ts";

/** Half a unit of 0.1 us: the rounding error of any value. */
const ROUNDING_MS = 0.00005;
const RELATIVE_ERROR = 1 / 256;

const latencies = fc.array(
  fc.oneof(
    fc.double({ min: 0, max: 10, noNaN: true }),
    fc.double({ min: 0, max: 400_000, noNaN: true }),
    fc.integer({ min: 0, max: 31 }).map((exponent) => 2 ** exponent / 10_000),
  ),
  { minLength: 1, maxLength: 300 },
);

/** The nearest-rank quantile. */
function sortedQuantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(q * values.length)) - 1]!;
}

function histogramOf(values: readonly number[]): Histogram {
  const histogram = new Histogram();
  for (const value of values) histogram.record(value);
  return histogram;
}

Deno.test("quantile() is within 1/256 of the exact value", () => {
  const q = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 0.999, 1));
  fc.assert(fc.property(latencies, q, (values, q) => {
    const expected = sortedQuantile(values, q);
    const found = histogramOf(values).quantile(q);
    const allowed = expected * RELATIVE_ERROR + 2 * ROUNDING_MS;
    assert.ok(Math.abs(found - expected) <= allowed, `${expected} required, found ${found}`);
  }));
});

Deno.test("add() merges two histograms", () => {
  fc.assert(fc.property(latencies, latencies, (one, other) => {
    const sum = histogramOf(one);
    sum.add(histogramOf(other));
    const whole = histogramOf([...one, ...other]);
    assert.equal(sum.count, whole.count);
    assert.equal(sum.maxMs, whole.maxMs);
    for (const q of [0, 0.1, 0.5, 0.9, 0.99, 1]) assert.equal(sum.quantile(q), whole.quantile(q));
  }));
});

Deno.test("quantile() is NaN without samples, and handles values out of range", () => {
  assert.ok(Number.isNaN(new Histogram().quantile(0.5)));
  assert.equal(histogramOf([7]).quantile(1), 7);
  assert.equal(histogramOf([-1]).quantile(0.5), 0);
  assert.ok(histogramOf([1e9]).quantile(0.5) > 400_000, "beyond the last bucket");
});
