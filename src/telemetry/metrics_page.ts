/**
 * One page of metrics in the text format of Prometheus, version 0.0.4, built for each scrape.
 *
 * @module
 */

import { AggregatorRegistry } from "prom-client";
import type { Histogram } from "./histogram.ts";

export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Values from a closed vocabulary or the configuration, never from clients. */
export type Labels = Readonly<Record<string, string>>;

/** One value; omitted if `undefined`. */
export type Sample = readonly [value: number | undefined, labels?: Labels];

type Kind = "gauge" | "counter" | "histogram";

/** A metric in the format that prom-client aggregates. Threads send it in messages. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: Kind;
  /** Values of several threads with the same labels are added. */
  readonly aggregator: "sum";
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** The name of a histogram's line, with its suffix. */
  readonly metricName?: string;
}

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
    const values = samples.flatMap(([histogram, labels = {}]) =>
      histogramValues(`countersign_${name}`, histogram, labels)
    );
    this.#add("histogram", name, help, values);
  }

  get families(): readonly MetricFamily[] {
    return this.#families;
  }

  /** The text of this page, with the values of `others` added. */
  async text(others: readonly (readonly MetricFamily[])[] = []): Promise<string> {
    return await AggregatorRegistry.aggregate([this.#families, ...others]).metrics();
  }

  #add(type: Kind, name: string, help: string, values: readonly Value[]): void {
    if (values.length === 0) return;
    this.#families.push({
      name: `countersign_${name}`,
      help,
      type,
      values,
      aggregator: "sum",
    });
  }
}

/** One page of the values of all, those with the same labels added. */
export async function addMetrics(
  pages: readonly (readonly MetricFamily[])[],
): Promise<readonly MetricFamily[]> {
  const registry = AggregatorRegistry.aggregate([...pages]);
  return await registry.getMetricsAsJSON() as unknown as readonly MetricFamily[];
}

function valuesOf(samples: readonly Sample[]): Value[] {
  return samples.flatMap(([value, labels = {}]) => value === undefined ? [] : [{ value, labels }]);
}

function histogramValues(name: string, histogram: Histogram, labels: Labels): Value[] {
  const { bounds, cumulative, sum } = histogram;
  const buckets = cumulative.map((value, i) => ({
    value,
    labels: { ...labels, le: bounds[i] ?? "+Inf" },
    metricName: `${name}_bucket`,
  }));
  return [
    ...buckets,
    { value: sum, labels, metricName: `${name}_sum` },
    { value: cumulative.at(-1)!, labels, metricName: `${name}_count` },
  ];
}
