/**
 * The data of the plots: the size of a log over time, and how long attestations waited for their tree
 * head.
 *
 * @module
 */

import type { Batch } from "../proof/format/bundle.ts";

/** A point of a plot; `x` is Unix seconds. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Tree size over time, oldest first. `batches` are latest first. */
export function growthSeries(batches: readonly Batch[]): Point[] {
  const oldest = batches.at(-1);
  if (oldest === undefined) return [];
  const points = batches.map(({ period_end, tree_size }) => ({ x: period_end, y: tree_size }));
  // The head before the oldest batch is the start; a log's first batch has none.
  if (oldest.period_start > 0) points.push({ x: oldest.period_start, y: oldest.first_index });
  return points.toReversed();
}

/** Attestations per second over the time of `batches`; `undefined` if that is 0. */
export function meanRate(batches: readonly Batch[]): number | undefined {
  const series = growthSeries(batches);
  const [first, last] = [series[0], series.at(-1)];
  if (first === undefined || last === undefined || last.x <= first.x) return undefined;
  return (last.y - first.y) / (last.x - first.x);
}

/** How long the first attestation of a batch waited for its tree head. */
export interface BatchWait {
  readonly batch: Batch;
  /** Seconds from the signature to the tree head. */
  readonly seconds: number;
}

/** The wait of `batch`, whose first attestation was signed at `signedAt`. */
export function waitOf(batch: Batch, signedAt: number): BatchWait {
  return { batch, seconds: Math.max(0, batch.period_end - signedAt) };
}

/** Waits over time, oldest first. */
export function waitSeries(waits: readonly BatchWait[]): Point[] {
  return waits
    .map(({ batch, seconds }) => ({ x: batch.period_end, y: seconds }))
    .toSorted((a, b) => a.x - b.x);
}

/** The `share`-quantile of `values` by nearest rank; `undefined` if there are none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))];
}
