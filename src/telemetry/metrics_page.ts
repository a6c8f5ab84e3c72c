/**
 * One page of metrics in the text format of Prometheus, version 0.0.4. It is made anew for each
 * answer, of what holds then; what is counted in between, its owners count in numbers of their own.
 *
 * @module
 */

import { AggregatorRegistry } from "prom-client";
import type { Histogram } from "./histogram.ts";

/** The media type of {@linkcode MetricsPage.text}. */
export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Values of a closed vocabulary, or names of the configuration: never what a stranger chose. */
export type Labels = Readonly<Record<string, string>>;

/** One value. It is left out when it is not known. */
export type Sample = readonly [value: number | undefined, labels?: Labels];

type Kind = "gauge" | "counter" | "histogram";

/** A metric as prom-client hands them around between processes. */
interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: Kind;
  readonly aggregator: "first";
  readonly values: readonly Value[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Of a histogram's lines, which bear other names than their metric. */
  readonly metricName?: string;
}

/** See the module. Names begin with `countersign_`, and units are base units. */
export class MetricsPage {
  readonly #families: Family[] = [];

  /** What goes up and down. */
  gauge(name: string, help: string, samples: readonly Sample[]): void {
    this.#add("gauge", name, help, valuesOf(samples));
  }

  /** What only rises while the process runs; the name ends in `_total`. */
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

  async text(): Promise<string> {
    return await AggregatorRegistry.aggregate([this.#families]).metrics();
  }

  #add(type: Kind, name: string, help: string, values: readonly Value[]): void {
    // A name without a value says nothing.
    if (values.length === 0) return;
    this.#families.push({
      ...{ name: `countersign_${name}`, help, type, values },
      aggregator: "first",
    });
  }
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
