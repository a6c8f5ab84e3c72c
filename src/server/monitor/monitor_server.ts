/**
 * Composes and runs a monitor.
 *
 * @module
 */

import { aborted, anySignal, systemClock, unixSeconds } from "../../base/clock.ts";
import { loadToken } from "../../config/bearer_tokens.ts";
import { type MonitorNode, parseMonitorNode } from "../../config/monitor_node.ts";
import { readTextFile } from "../../config/text_file.ts";
import { loadBls } from "../../proof/crypto/best_bls.ts";
import { loadCompiledKernels } from "../../proof/crypto/compiled_kernels.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import { printable, printableJson } from "../../proof/format/printable_text.ts";
import { classOf, findingMembers, isOpen } from "../../logs/monitor/findings.ts";
import { Monitor } from "../../logs/monitor/monitor.ts";
import type { AlertChannel } from "../../logs/monitor/ports.ts";
import type { Report } from "../../base/report.ts";
import { acquireLock } from "../../storage/lock_file.ts";
import { Webhook } from "../../http/outgoing/webhook.ts";
import { VERSION } from "../../base/version.ts";
import { type CliIo, EXIT_OUTPUT_CLOSED } from "../io.ts";
import { serveMetrics } from "../metrics_listener.ts";
import type { MonitorOptions } from "../roles/role_options.ts";
import { openLog } from "../service_log.ts";
import { monitoredLog } from "./monitored_logs.ts";
import { MonitorFolder } from "./monitor_folder.ts";
import { MetricsPage } from "../../http/metrics/metrics_page.ts";
import { addProcessMetrics, type ProcessFacts } from "../../http/metrics/process_metrics.ts";

/** Longest time to send alerts with `--once`; the next run sends the rest. */
const SEND_MS = 60_000;
const STOP_GRACE_MS = 1_000;

/** Exit codes of `--once`. */
const EXIT_NOT_TRUSTED = 1;
const EXIT_OUTAGE = 3;
const EXIT_INTERRUPTED = 130;

/**
 * Follows the logs of the configuration until `signal` aborts, or polls them once. Returns the exit code:
 * with `once`, 1 if a finding of class tampering or trust is open, 3 if only findings of other classes are.
 */
export async function serveMonitor(
  { config, once, json, ...choice }: MonitorOptions,
  io: CliIo,
  stop: AbortSignal,
): Promise<number> {
  const unread = new AbortController();
  const signal = anySignal(stop, unread.signal);
  const node = parseMonitorNode(await readTextFile(config), config);
  const report = openLog(choice, io).report("monitor");
  await using opened = new AsyncDisposableStack();
  const store = new MonitorFolder(node.stateFolder);
  await store.create();
  const lock = await acquireLock(store.lockFile);
  opened.defer(() => lock.release());
  await store.removeUnfinished();
  const kernels = await loadCompiledKernels();
  const crypto = { kernels, ed25519: verifyNative, bls: await loadBls() };
  const monitor = await Monitor.open({
    logs: await Promise.all(
      node.logs.map((log) => monitoredLog({ crypto, clock: systemClock }, log)),
    ),
    store,
    kernels,
    report,
    clock: systemClock,
    channels: await channelsOf(node, { json, io, report, unread }),
    intervalSeconds: node.intervalSeconds,
    graceSeconds: node.graceSeconds,
  });
  if (once) {
    try {
      await monitor.once(SEND_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return unread.signal.aborted ? EXIT_OUTPUT_CLOSED : EXIT_INTERRUPTED;
    }
    return reportOpen(monitor, json, io);
  }
  const { metrics } = node;
  if (metrics !== undefined) {
    const facts = { version: VERSION, startSeconds: unixSeconds(systemClock) };
    const listener = serveMetrics(metrics, () => monitorMetrics(monitor, facts), report);
    opened.defer(() => listener.stop(STOP_GRACE_MS));
  }
  const views = node.logs.reduce((count, log) => count + log.views.length, 0);
  report(`Monitoring ${node.logs.length} logs in ${views} views`, { level: "info" });
  const stopping = aborted(signal).then(() => report("Stopping", { level: "info" }));
  await Promise.all([monitor.run(signal), stopping]);
  return unread.signal.aborted ? EXIT_OUTPUT_CLOSED : 0;
}

async function channelsOf(
  { webhook }: MonitorNode,
  { json, io, report, unread }: {
    readonly json: boolean;
    readonly io: CliIo;
    readonly report: Report;
    /** Aborted when the reader of the alerts has closed standard output. */
    readonly unread: AbortController;
  },
): Promise<AlertChannel[]> {
  const channels: AlertChannel[] = [{
    name: "stdout",
    send(alert) {
      io.out(json ? printableJson(alert.text) : printable(alert.line));
      // The next run sends what this one could not.
      if (io.isOutputClosed) unread.abort();
      return Promise.resolve(!io.isOutputClosed);
    },
  }];
  if (webhook === undefined) return channels;
  const secret = await loadToken(webhook.secret, { env: (name) => io.env(name) });
  const hook = new Webhook(new URL(webhook.url), secret, {
    changed: (text) => report(text),
    clock: systemClock,
    random: Math.random,
  });
  channels.push({ name: "webhook", send: ({ text }, signal) => hook.deliver(text, signal) });
  return channels;
}

function reportOpen({ findings, facts: { logs } }: Monitor, json: boolean, io: CliIo): number {
  const open = findings.filter(isOpen);
  if (json) {
    io.out(printableJson(JSON.stringify({
      type: "summary",
      logs: logs.map(({ origin, size, views }) => ({
        origin,
        tree_size: size,
        views: views.map(({ name, isUp, size }) => ({ name, up: isUp, tree_size: size })),
      })),
      open: open.map(findingMembers),
    })));
  } else {
    for (const { origin, size } of logs) io.out(printable(`${origin}: size ${size}`));
    io.out(
      open.length === 0 ? "No open findings" : `${open.length} open: countersign monitor findings`,
    );
  }
  if (open.length === 0) return 0;
  const classes = open.map(classOf);
  return classes.includes("tampering") || classes.includes("trust")
    ? EXIT_NOT_TRUSTED
    : EXIT_OUTAGE;
}

/** The page for `GET /metrics`. */
export function monitorMetrics(monitor: Monitor, facts: ProcessFacts): string {
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
  return page.text();
}
