/**
 * Metrics of a monitor.
 *
 * @module
 */

import { classOf, isOpen } from "../../monitor/findings.ts";
import type { Monitor } from "../../monitor/monitor.ts";
import { MetricsPage } from "../../telemetry/metrics_page.ts";
import { addProcessMetrics, type ProcessFacts } from "../../telemetry/process_metrics.ts";

/** The page for `GET /metrics`. */
export async function monitorMetrics(monitor: Monitor, facts: ProcessFacts): Promise<string> {
  const page = new MetricsPage();
  const { polls, at, logs, unsent } = monitor.facts;
  const open = new Map<string, number>(
    ["tampering", "trust", "outage", "clock"].map((name) => [name, 0]),
  );
  for (const finding of monitor.findings.filter(isOpen)) {
    open.set(classOf(finding), open.get(classOf(finding))! + 1);
  }
  page.gauge(
    "monitor_open_findings",
    "Alerted findings that have not ended and are not acknowledged",
    [...open].map(([name, count]) => [count, { class: name }]),
  );
  page.gauge("monitor_unsent_channels", "Channels with alerts that were not sent", [
    [unsent.length],
  ]);
  page.counter("monitor_polls_total", "Polls of logs", [[polls]]);
  page.gauge("monitor_last_poll_seconds", "Unix time of the last poll", [[at]]);
  page.gauge(
    "monitor_tree_size",
    "Size of the largest verified tree",
    logs.map(({ origin, size }) => [size, { log: origin }]),
  );
  const views = logs.flatMap(({ origin, views }) =>
    views.map((view) => ({ ...view, labels: { log: origin, view: view.name } }))
  );
  page.gauge(
    "monitor_view_up",
    "1 if the view showed usable data in the last poll, otherwise 0",
    views.map(({ isUp, labels }) => [isUp ? 1 : 0, labels]),
  );
  page.gauge(
    "monitor_view_head_age_seconds",
    "Age of the head that the view showed in the last poll",
    views.map(({ ageSeconds, labels }) => [ageSeconds, labels]),
  );
  addProcessMetrics(page, facts);
  return await page.text();
}
