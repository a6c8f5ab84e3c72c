/**
 * Reads pages of metrics (Prometheus text format 0.0.4), strictly.
 *
 * @module
 */

import assert from "node:assert/strict";

/** One line of a page. */
export interface PageSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric of a page. */
export interface PageMetric {
  readonly help: string;
  readonly type: string;
  readonly samples: readonly PageSample[];
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** The metrics of a page by name. Throws for anything outside the format. */
export function metricsOf(page: string): ReadonlyMap<string, PageMetric> {
  assert.ok(page.endsWith("\n"), "the last line ends");
  const metrics = new Map<string, PageMetric & { samples: PageSample[] }>();
  let current: string | undefined;
  for (const line of page.split("\n")) {
    const [, what, name, words] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (what === "HELP") {
      assert.ok(!metrics.has(name!), `${name} stands twice`);
      metrics.set(name!, { help: words!, type: "", samples: [] });
      current = name;
    } else if (what === "TYPE") {
      assert.equal(name, current);
      metrics.set(name!, { ...metrics.get(name!)!, type: words! });
    } else if (line !== "") {
      const sample = sampleOf(line);
      const metric = metrics.get(current ?? "");
      assert.ok(metric !== undefined && belongs(sample.name, current!, metric.type), line);
      metric.samples.push(sample);
    }
  }
  return metrics;
}

/** The value of the one sample of `name` with exactly `labels`. */
export function valueOf(
  page: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).toSorted());
  const found = [...metricsOf(page).values()].flatMap(({ samples }) => samples).filter((sample) =>
    sample.name === name && JSON.stringify(Object.entries(sample.labels).toSorted()) === wanted
  );
  assert.ok(found.length <= 1, `${name} ${wanted} stands ${found.length} times`);
  return found[0]?.value;
}

function belongs(sample: string, metric: string, type: string): boolean {
  if (type !== "histogram") return sample === metric;
  return ["_bucket", "_sum", "_count"].some((suffix) => sample === metric + suffix);
}

function sampleOf(line: string): PageSample {
  const [, name, labelText = "", number] = SAMPLE.exec(line) ?? [];
  assert.ok(name !== undefined && number !== undefined, `no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labelText.length) {
    const [, label, value] = LABEL.exec(labelText) ?? [];
    assert.ok(label !== undefined && !Object.hasOwn(labels, label), `labels of ${line}`);
    labels[label] = value!.replace(/\\(.)/g, (_, escaped) => escaped === "n" ? "\n" : escaped);
  }
  const value = number === "+Inf" ? Infinity : Number(number);
  assert.ok(!Number.isNaN(value), `no number: ${line}`);
  return { name, labels, value };
}
