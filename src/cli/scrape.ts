/**
 * Two pages of metrics of one gateway, and what changed between them.
 *
 * @module
 */

import type { MetricSample } from "../format/prometheus_text.ts";

/** Labels that a sample has to have, and their values. */
type Wanted = Readonly<Record<string, string>>;

const PREFIX = "countersign_";
/** Values of one label that are looked at: more than a gateway has, and no more than a look has time for. */
const MAX_VALUES = 256;

/** One page, found by name. */
class Page {
  readonly #families: Map<string, MetricSample[]>;

  constructor(samples: readonly MetricSample[]) {
    this.#families = Map.groupBy(samples, ({ name }) => name);
  }

  samples(name: string, wanted: Wanted = {}): MetricSample[] {
    return (this.#families.get(PREFIX + name) ?? []).filter(({ labels }) =>
      Object.entries(wanted).every(([label, value]) => labels.get(label) === value)
    );
  }

  /** The sum of all samples that are wanted; `undefined` of none. */
  sum(name: string, wanted: Wanted): number | undefined {
    const samples = this.samples(name, wanted);
    return samples.length === 0 ? undefined : samples.reduce((sum, { value }) => sum + value, 0);
  }
}

/** What happened in `seconds` between an earlier page and a later one; names go without their prefix. */
export class Interval {
  readonly seconds: number;
  readonly #before: Page;
  readonly #now: Page;

  constructor(before: readonly MetricSample[], now: readonly MetricSample[], seconds: number) {
    this.seconds = seconds;
    this.#now = new Page(now);
    const earlier = new Page(before);
    const started = "start_time_seconds";
    // Another process began to count anew: nothing of the first page belongs to it.
    const isSame = earlier.sum(started, {}) === this.#now.sum(started, {});
    this.#before = isSame ? earlier : new Page([]);
  }

  /** The value now, summed over what is `wanted`; `undefined` where it is not a finite number. */
  value(name: string, wanted: Wanted = {}): number | undefined {
    return finite(this.#now.sum(name, wanted));
  }

  /** The values that `label` has now in a metric, in their order; of very many, the first ones. */
  values(name: string, label: string): string[] {
    const values = this.#now.samples(name).map(({ labels }) => labels.get(label));
    return [...new Set(values.filter((value) => value !== undefined))].slice(0, MAX_VALUES);
  }

  /** By how much a counter rises in a second. One that fell has begun anew. */
  rate(name: string, wanted: Wanted = {}): number | undefined {
    const now = this.value(name, wanted);
    return now === undefined ? undefined : this.#risen(name, wanted, now) / this.seconds;
  }

  /**
   * The quantile `q` of what a histogram was told in the interval, between the bounds of a bucket in
   * proportion; the last bound where it is beyond that. `undefined` when it was told nothing.
   */
  quantile(name: string, q: number, wanted: Wanted = {}): number | undefined {
    const bounds = this.values(`${name}_bucket`, "le").map((le) => ({
      le,
      bound: le === "+Inf" ? Infinity : Number(le),
    })).filter(({ bound }) => !Number.isNaN(bound)).toSorted((a, b) => a.bound - b.bound);
    const counts = bounds.map(({ le }) => {
      const labels = { ...wanted, le };
      return this.#risen(`${name}_bucket`, labels, this.value(`${name}_bucket`, labels) ?? 0);
    });
    const rank = q * (counts.at(-1) ?? 0);
    if (!(rank > 0)) return undefined;
    const found = counts.findIndex((count) => count >= rank);
    const below = found > 0 ? counts[found - 1]! : 0;
    const from = found > 0 ? bounds[found - 1]!.bound : 0;
    const to = bounds[found]!.bound;
    return to === Infinity ? from : from + (to - from) * (rank - below) / (counts[found]! - below);
  }

  /** The mean of what a histogram was told in the interval; `undefined` when it was told nothing. */
  mean(name: string): number | undefined {
    const count = this.rate(`${name}_count`) ?? 0;
    return count > 0 ? (this.rate(`${name}_sum`) ?? 0) / count : undefined;
  }

  #risen(name: string, wanted: Wanted, now: number): number {
    const before = finite(this.#before.sum(name, wanted)) ?? 0;
    return now < before ? now : now - before;
  }
}

function finite(value: number | undefined): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
