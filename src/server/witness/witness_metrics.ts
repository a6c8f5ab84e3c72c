/**
 * Metrics of a witness.
 *
 * @module
 */

import type { LogQuotas } from "../../limits/log_quotas.ts";
import { MetricsPage } from "../../telemetry/metrics_page.ts";
import { addProcessMetrics, type ProcessFacts } from "../../telemetry/process_metrics.ts";

/** The page for `GET /metrics`. */
export async function witnessMetrics(quotas: LogQuotas, facts: ProcessFacts): Promise<string> {
  const page = new MetricsPage();
  const { logs, refused } = quotas.facts;
  page.gauge(
    "witness_log_queries",
    "Larger heads that the log has had cosigned this day (UTC)",
    logs.map(({ origin, queries }) => [queries, { log: origin }]),
  );
  page.gauge(
    "witness_log_bytes",
    "Bytes of the requests for these",
    logs.map(({ origin, bytes }) => [bytes, { log: origin }]),
  );
  page.counter(
    "witness_log_refusals_total",
    "Requests of logs that had used up a quota",
    [...refused].map(([budget, count]) => [count, { budget }]),
  );
  addProcessMetrics(page, facts);
  return await page.text();
}
