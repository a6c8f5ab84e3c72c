/**
 * Metrics of several threads, added and written in the text format of Prometheus, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/).
 *
 * @module
 */

export const METRICS_MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One metric with its values, as threads send it in messages. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: "gauge" | "counter" | "histogram";
  readonly values: readonly MetricValue[];
}

export interface MetricValue {
  /** The name of the line: that of the metric, or of a histogram's line, with its suffix. */
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The families of all pages; values with the same name and labels are added. The first page orders them. */
export function addMetrics(
  pages: readonly (readonly MetricFamily[])[],
): readonly MetricFamily[] {
  const grouped = Map.groupBy(pages.flat(), ({ name }) => name);
  return Array.from(grouped.values(), ([first, ...rest]) => ({
    ...first!,
    values: addValues([first!, ...rest].flatMap(({ values }) => values)),
  }));
}

function addValues(values: readonly MetricValue[]): MetricValue[] {
  const sums = new Map<string, MetricValue>();
  for (const each of values) {
    const line = lineStart(each);
    sums.set(line, { ...each, value: (sums.get(line)?.value ?? 0) + each.value });
  }
  return [...sums.values()];
}

/** The text of a page: families are separated by empty lines. */
export function prometheusText(families: readonly MetricFamily[]): string {
  const texts = families.map(({ name, help, type, values }) =>
    [
      `# HELP ${name} ${escapeLine(help)}`,
      `# TYPE ${name} ${type}`,
      ...values.map((each) => `${lineStart(each)} ${valueText(each.value)}`),
    ].join("\n")
  );
  return `${texts.join("\n\n")}\n`;
}

function lineStart({ name, labels }: MetricValue): string {
  const pairs = Object.entries(labels).map(([label, value]) =>
    `${label}="${escapeLine(value).replaceAll('"', '\\"')}"`
  );
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function escapeLine(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function valueText(value: number): string {
  if (Number.isFinite(value) || Number.isNaN(value)) return String(value);
  return value < 0 ? "-Inf" : "+Inf";
}
