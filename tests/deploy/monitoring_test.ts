/** The dashboard, the alerts and their documentation, held against the metrics of a real gateway. */

import assert from "node:assert/strict";
import { fullPage } from "./full_page.ts";
import {
  type Alert,
  alerts,
  dashboardExpressions,
  type Expression,
  faultsOf,
  readProjectFile,
} from "./monitoring_files.ts";
import { referencesOf } from "./promql.ts";
import { assertWhole, documentedNames, headingsOf } from "./metric_rules.ts";

function changed({ where, text, shown }: Expression, from: string, to: string): Expression {
  assert.ok(text.includes(from), `${text} has ${from}`);
  return { where, text: text.replace(from, to), shown };
}

Deno.test("a running gateway has every metric of the dashboard and the alerts, and each is documented", async () => {
  const metrics = await fullPage();
  assertWhole(metrics);
  const rules = await alerts();
  const panels = await dashboardExpressions();
  assert.ok(rules.length >= 15 && panels.length >= 60, `${rules.length} and ${panels.length}`);
  const expressions = [...rules.map(({ expression }) => expression), ...panels];
  assert.deepEqual(expressions.flatMap((expression) => faultsOf(expression, metrics)), []);

  // Control: one wrong name is detected.
  const rule = (name: string) =>
    rules.find((rule: Alert) => rule.name === name)?.expression ?? assert.fail(name);
  const errors = rule("CountersignWitnessErrors");
  for (
    const [broken, words] of [
      [changed(errors, "failures_total", "failure_total"), /unknown metric .*failure_total/],
      [changed(errors, "(instance, witness)", "(instance, peer)"), /unknown label peer/],
      [changed(errors, "rate(", "rates("), /unknown function rates/],
      [changed(errors, "[15m]", "[15m"), /no PromQL/],
      [{ ...errors, shown: ["purposes"] }, /unknown label purposes/],
      [
        changed(rule("CountersignQuorumLost"), "witnesses_missing", "witness_missing"),
        /no code="witness_missing"/,
      ],
      [changed(rule("CountersignQuorumLost"), "{code", "{reason"), /unknown label reason/],
      [changed(rule("CountersignSlowCommits"), "_bucket", ""), /unknown metric/],
    ] as const
  ) assert.match(faultsOf(broken, metrics).join(), words);

  const documented = documentedNames(await readProjectFile("docs/operating.md"));
  const told = new Set([...metrics.keys()].map((name) => name.replace("countersign_", "")));
  assert.deepEqual([...told].filter((name) => !documented.has(name)), [], "not documented");
  assert.deepEqual([...documented].filter((name) => !told.has(name)), [], "not told");
});

Deno.test("each alert has a severity and a link to the documentation", async () => {
  const headings = headingsOf(await readProjectFile("docs/operating.md"));
  const rules = await alerts();
  assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
  for (const { name, severity, runbook, expression } of rules) {
    assert.match(name, /^Countersign[A-Z][A-Za-z]+$/);
    assert.match(severity, /^(page|ticket)$/, name);
    const [, file, section = ""] = /^(docs\/operating\.md)#([a-z-]+)$/.exec(runbook) ?? [];
    assert.ok(file !== undefined && headings.has(section), `${name}: ${runbook}`);
    assert.ok(expression.text !== "", name);
  }
});

for (const file of ["countersign.json", "monitor.json"]) {
  Deno.test(`${file}: panels do not overlap, and use the selected data source`, async () => {
    const { panels, templating } = JSON.parse(await readProjectFile(`deploy/grafana/${file}`));
    assert.equal(templating.list[0].type, "datasource");
    const ids = new Set<number>();
    const taken = new Set<string>();
    for (const { id, type, title, gridPos: { x, y, w, h }, datasource, targets } of panels) {
      assert.ok(!ids.has(id) && title !== "", `panel ${id}`);
      ids.add(id);
      assert.ok(x + w <= 24, title);
      for (let column = x; column < x + w; column++) {
        for (let line = y; line < y + h; line++) {
          assert.ok(!taken.has(`${column},${line}`), `${title} overlaps another panel`);
          taken.add(`${column},${line}`);
        }
      }
      if (type === "row") continue;
      for (
        const { uid } of [
          datasource,
          ...targets.map((one: { datasource: unknown }) => one.datasource),
        ]
      ) {
        assert.equal(uid, "${datasource}", title);
      }
    }
  });
}

Deno.test("the PromQL reader finds the metrics of an expression", () => {
  assert.deepEqual(
    referencesOf('sum by (a, b) (rate(m_bucket{c="x y", d!~"z|w"}[5m])) > 0.5 * on (e) n and k'),
    {
      selectors: [
        {
          metric: "m_bucket",
          matchers: [
            { label: "c", operator: "=", value: "x y" },
            { label: "d", operator: "!~", value: "z|w" },
          ],
        },
        { metric: "n", matchers: [] },
        { metric: "k", matchers: [] },
      ],
      groupings: ["a", "b", "e"],
      functions: ["sum", "rate"],
    },
  );
  for (const broken of ["rate(m[5m)", "m{a=1}", 'm{a "b"}', "sum by a (m)", "m ?", "(m", "m)"]) {
    assert.throws(() => referencesOf(broken), /no PromQL/, broken);
  }
});
