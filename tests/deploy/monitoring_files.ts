/**
 * The dashboard and the alert rules of `deploy/`, and what in them no gateway tells.
 *
 * @module
 */

import type { PageMetric } from "../http/metrics/page_samples.ts";
import { referencesOf, type Selector } from "./promql.ts";

const ROOT = new URL("../../", import.meta.url);

/** One expression, and which file says it where. */
export interface Expression {
  readonly where: string;
  readonly text: string;
  /** Labels that are shown with it. */
  readonly shown: readonly string[];
}

/** One alert rule. */
export interface Alert {
  readonly name: string;
  readonly expression: Expression;
  readonly severity: string;
  readonly runbook: string;
}

export async function readProjectFile(path: string): Promise<string> {
  return await Deno.readTextFile(new URL(path, ROOT));
}

/** The expressions of all panels of a file in `deploy/grafana`. */
export async function dashboardExpressions(file = "countersign.json"): Promise<Expression[]> {
  const { panels } = JSON.parse(await readProjectFile(`deploy/grafana/${file}`));
  return panels.flatMap(
    ({ title, targets = [] }: {
      readonly title: string;
      readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
    }) =>
      targets.map(({ expr, legendFormat }) => ({
        where: `panel ${title}`,
        text: expr,
        shown: [...legendFormat.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, label]) => label!),
      })),
  );
}

/** The rules of a file in `deploy/prometheus`, whose scalars stand on one line each. */
export async function alerts(file = "alerts.yml"): Promise<Alert[]> {
  const text = await readProjectFile(`deploy/prometheus/${file}`);
  return text.split(/^ {6}- alert: /m).slice(1).map((rule) => {
    const scalar = (name: string) =>
      new RegExp(`^ +${name}: (.+)$`, "m").exec(rule)?.[1]?.replace(/^"(.*)"$/, "$1") ?? "";
    const name = rule.slice(0, rule.indexOf("\n"));
    const shown = [...scalar("summary").matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!);
    return {
      name,
      expression: { where: `alert ${name}`, text: scalar("expr"), shown },
      severity: scalar("severity"),
      runbook: scalar("runbook"),
    };
  });
}

/** Of Prometheus itself: the state of a scrape, and labels that it adds to all metrics. */
const OWN_METRIC = "up";
const OWN_LABELS = ["instance", "job"];

const FUNCTIONS = new Set([
  "rate",
  "increase",
  "histogram_quantile",
  "predict_linear",
  "max_over_time",
  "time",
  "sum",
  "count",
]);

/** Names in `expression` that are missing in a page with `metrics`, or its syntax error. */
export function faultsOf(
  expression: Expression,
  metrics: ReadonlyMap<string, PageMetric>,
): string[] {
  const faults: string[] = [];
  const known = new Set(OWN_LABELS);
  const fault = (words: string) => faults.push(`${expression.where}: ${words}`);
  try {
    const { selectors, groupings, functions } = referencesOf(expression.text);
    if (selectors.length === 0) fault("no metric");
    for (const selector of selectors) {
      const values = valuesByLabel(selector, metrics);
      if (values === undefined) fault(`unknown metric ${selector.metric}`);
      for (const label of values?.keys() ?? []) known.add(label);
      for (const words of matcherFaults(selector, values ?? new Map())) fault(words);
    }
    for (const name of functions) if (!FUNCTIONS.has(name)) fault(`unknown function ${name}`);
    for (const label of [...groupings, ...expression.shown]) {
      if (!known.has(label)) fault(`unknown label ${label}`);
    }
  } catch (error) {
    fault(String(error));
  }
  return faults;
}

/** What each label of a series says on the page; `undefined` when there is no such series. */
function valuesByLabel(
  { metric }: Selector,
  metrics: ReadonlyMap<string, PageMetric>,
): Map<string, Set<string>> | undefined {
  if (metric === OWN_METRIC) return new Map();
  const samples = [...metrics.values()].flatMap(({ samples }) => samples)
    .filter(({ name }) => name === metric);
  if (samples.length === 0) return undefined;
  const values = new Map<string, Set<string>>();
  for (const { labels } of samples) {
    for (const [label, value] of Object.entries(labels)) {
      values.set(label, (values.get(label) ?? new Set()).add(value));
    }
  }
  return values;
}

function matcherFaults(
  { metric, matchers }: Selector,
  values: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  return matchers.flatMap(({ label, operator, value }) => {
    if (OWN_LABELS.includes(label)) return [];
    const found = values.get(label);
    if (found === undefined) return [`unknown label ${label} of ${metric}`];
    // What is excluded need not be there.
    if (operator.startsWith("!")) return [];
    const wanted = operator === "=" ? [value] : value.split("|");
    return wanted.filter((one) => !found.has(one)).map((one) =>
      `no ${label}="${one}" of ${metric}`
    );
  });
}
