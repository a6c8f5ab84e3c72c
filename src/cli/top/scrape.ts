/**
 * Compares two scrapes of the metrics of one gateway.
 *
 * @module
 */

import type { MetricSample } from "../../format/prometheus_text.ts";

/** Label values that a sample must have. */
type Wanted = Readonly<Record<string, string>>;

const PREFIX = "countersign_";
/** Limit for the values of one label, more than a gateway has. */
const MAX_VALUES = 256;

/** The samples of one scrape by name. */
type Page = ReadonlyMap<string, readonly MetricSample[]>;

/** The changes within `seconds` between two pages. Names have no prefix. */
export class Interval {
  readonly seconds: number;
  readonly #before: Page;
  readonly #now: Page;

  constructor(before: readonly MetricSample[], now: readonly MetricSample[], seconds: number) {
    this.seconds = seconds;
    this.#now = pageOf(now);
    const earlier = pageOf(before);
    const started = (page: Page) => sumOf(page, "start_time_seconds", {});
    // After a restart, counters begin at 0.
    this.#before = started(earlier) === started(this.#now) ? earlier : new Map();
  }

  /** The sum of the matching samples now; `undefined` if it is not finite. */
  value(name: string, wanted: Wanted = {}): number | undefined {
    return finite(sumOf(this.#now, name, wanted));
  }

  /** The values of `label` in a metric now, in order; at most 256. */
  values(name: string, label: string): string[] {
    const values = (this.#now.get(PREFIX + name) ?? []).map(({ labels }) => labels.get(label));
    return [...new Set(values.filter((value) => value !== undefined))].slice(0, MAX_VALUES);
  }

  /** Increase of a counter per second. A counter that fell was reset. */
  rate(name: string, wanted: Wanted = {}): number | undefined {
    const now = this.value(name, wanted);
    return now === undefined ? undefined : this.#risen(name, wanted, now) / this.seconds;
  }

  /**
   * The quantile `q` of a histogram in the interval, interpolated within its bucket; the last finite
   * bound if it is beyond. `undefined` without observations.
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

  /** The mean of a histogram in the interval; `undefined` without observations. */
  mean(name: string): number | undefined {
    const count = this.rate(`${name}_count`) ?? 0;
    return count > 0 ? (this.rate(`${name}_sum`) ?? 0) / count : undefined;
  }

  #risen(name: string, wanted: Wanted, now: number): number {
    const before = finite(sumOf(this.#before, name, wanted)) ?? 0;
    return now < before ? now : now - before;
  }
}

function pageOf(samples: readonly MetricSample[]): Page {
  return Map.groupBy(samples, ({ name }) => name);
}

/** The sum of the matching samples; `undefined` if there are none. */
function sumOf(page: Page, name: string, wanted: Wanted): number | undefined {
  const values = (page.get(PREFIX + name) ?? []).flatMap(({ labels, value }) =>
    Object.entries(wanted).every(([label, text]) => labels.get(label) === text) ? [value] : []
  );
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}

function finite(value: number | undefined): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
