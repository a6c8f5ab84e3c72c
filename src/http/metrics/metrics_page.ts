/**
 * One page of metrics, built for each scrape.
 *
 * @module
 */

import type { Histogram } from "./histogram.ts";
import {
  addMetrics,
  type MetricFamily,
  type MetricValue,
  prometheusText,
} from "./prometheus_text.ts";

/** Values from a closed vocabulary or the configuration, never from clients. */
export type Labels = Readonly<Record<string, string>>;

/** One value; omitted if `undefined`. */
export type Sample = readonly [value: number | undefined, labels?: Labels];

/** A line of a metric, without the metric's name. */
type Line = readonly [suffix: string, value: number, labels: Labels];

/** One page. Adds the prefix `countersign_` to names; units are base units. */
export class MetricsPage {
  readonly #families: MetricFamily[] = [];

  /** Adds a value that can go up and down. */
  gauge(name: string, help: string, samples: readonly Sample[]): void {
    this.#add("gauge", name, help, valuesOf(samples));
  }

  /** Adds a value that only rises while the process runs; its name ends in `_total`. */
  counter(name: string, help: string, samples: readonly Sample[]): void {
    this.#add("counter", name, help, valuesOf(samples));
  }

  histogram(
    name: string,
    help: string,
    samples: readonly (readonly [histogram: Histogram, labels?: Labels])[],
  ): void {
    const lines = samples.flatMap(([histogram, labels = {}]) => histogramLines(histogram, labels));
    this.#add("histogram", name, help, lines);
  }

  get families(): readonly MetricFamily[] {
    return this.#families;
  }

  /** The text of this page, with the values of `others` added. */
  text(others: readonly (readonly MetricFamily[])[] = []): string {
    return prometheusText(addMetrics([this.#families, ...others]));
  }

  #add(
    type: MetricFamily["type"],
    name: string,
    help: string,
    lines: readonly Line[],
  ): void {
    if (lines.length === 0) return;
    const full = `countersign_${name}`;
    const values = lines.map(([suffix, value, labels]): MetricValue => ({
      name: full + suffix,
      labels,
      value,
    }));
    this.#families.push({ name: full, help, type, values });
  }
}

function valuesOf(samples: readonly Sample[]): Line[] {
  return samples.flatMap(([value, labels = {}]) =>
    value === undefined ? [] : [["", value, labels]]
  );
}

function histogramLines(histogram: Histogram, labels: Labels): Line[] {
  const { bounds, cumulative, sum } = histogram;
  const buckets = cumulative.map((value, i): Line => [
    "_bucket",
    value,
    { ...labels, le: String(bounds[i] ?? "+Inf") },
  ]);
  return [...buckets, ["_sum", sum, labels], ["_count", cumulative.at(-1)!, labels]];
}
