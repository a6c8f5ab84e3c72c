/** The dashboard of a monitor, its alerts and their documentation, held against the metrics of one. */

import assert from "node:assert/strict";
import { monitorMetrics } from "../../src/server/monitor/monitor_server.ts";
import { World } from "../logs/monitor/monitored_world.ts";
import { metricsOf } from "../http/metrics/page_samples.ts";
import { assertWhole, documentedNames, headingsOf } from "./metric_rules.ts";
import { alerts, dashboardExpressions, faultsOf, readProjectFile } from "./monitoring_files.ts";

Deno.test("a monitor has every metric of its dashboard and its alerts, and each is documented", async () => {
  const world = new World();
  const monitor = await world.monitor();
  await monitor.once(1_000, new AbortController().signal);
  const metrics = metricsOf(await monitorMetrics(monitor, { version: "1", startSeconds: 1 }));
  assertWhole(metrics);
  const rules = await alerts("monitor_alerts.yml");
  assert.ok(rules.length >= 6);
  const panels = await dashboardExpressions("monitor.json");
  assert.deepEqual(panels.flatMap((expression) => faultsOf(expression, metrics)), []);
  // Each metric is on the dashboard.
  for (const name of metrics.keys()) {
    if (!name.startsWith("countersign_monitor_")) continue;
    assert.ok(panels.some(({ text }) => text.includes(name)), name);
  }
  const document = await readProjectFile("docs/monitor.md");
  const headings = headingsOf(document);
  for (const { expression, severity, runbook, name } of rules) {
    assert.deepEqual(faultsOf(expression, metrics), [], name);
    assert.match(severity, /^(page|ticket)$/, name);
    assert.ok(headings.has(/^docs\/monitor\.md#([a-z-]+)$/.exec(runbook)?.[1] ?? ""), runbook);
  }
  const names = [...metrics.keys()].map((name) => name.replace("countersign_", ""));
  assert.deepEqual(
    documentedNames(document),
    new Set(names.filter((name) => name.startsWith("monitor_"))),
  );
});
