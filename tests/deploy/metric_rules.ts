/**
 * What every metric and its documentation have to fulfil.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { PageMetric } from "../http/metrics/page_samples.ts";

/** Names in the table of metrics of `document`, without what all begin with. */
export function documentedNames(document: string): Set<string> {
  const [, table = ""] = /^\| metric, after `countersign_`[^\n]*\n\|[-| ]+\n((?:\|[^\n]*\n)+)/m
    .exec(document) ?? [];
  const names = table.split("\n").flatMap((row) =>
    [...row.split("|")[1]?.matchAll(/`(\w+)`/g) ?? []].map(([, name]) => name!)
  );
  assert.equal(new Set(names).size, names.length, "no metric stands twice");
  return new Set(names);
}

export function headingsOf(document: string): Set<string> {
  return new Set(
    [...document.matchAll(/^## (.+)$/gm)].map(([, heading]) =>
      heading!.toLowerCase().replaceAll(" ", "-")
    ),
  );
}

export function assertWhole(metrics: ReadonlyMap<string, PageMetric>): void {
  for (const [name, { type, samples }] of metrics) {
    assert.match(name, /^countersign_[a-z_]+[a-z]$/);
    assert.equal(type === "counter", name.endsWith("_total"), `${name} is a ${type}`);
    const names = new Set(samples.map((sample) => sample.name));
    const expected = type === "histogram"
      ? [`${name}_bucket`, `${name}_sum`, `${name}_count`]
      : [name];
    assert.deepEqual([...names], expected);
  }
}
