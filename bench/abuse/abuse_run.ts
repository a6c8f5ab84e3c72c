/**
 * Measures one attack: a gateway of its own, one honest client all the time, and the attacker for a
 * while in between.
 *
 * @module
 */

import { systemClock } from "../../src/base/clock.ts";
import { NO_LIMITS } from "../../src/config/client_budgets.ts";
import { numberedDigests } from "../digests.ts";
import { Asker } from "../load/asker.ts";
import { listenerUrl } from "../load/server_process.ts";
import { TrialDeployment } from "../load/trial_deployment.ts";
import { quantile } from "../quantiles.ts";
import type { AbuseRow } from "./abuse_rows.ts";
import type { Tally } from "./attack.ts";
import { AttackerProcess } from "./attacker_process.ts";
import { HonestClient, type HonestSample } from "./honest_client.ts";
import { type Held, ProcessWatch } from "./process_watch.ts";

/** Hashes that a warm log is asked for. */
const WARM_DIGESTS = 1_000;
const ANY_PORT = { host: "127.0.0.1", port: 0 };
const SOCKET_PATH = "/ws/events";
/** Each waits for a head of the log, which comes once a second, and is asked for meanwhile. */
const PUBLISHED_PER_SECOND = 10;
/** Twice the age at which a batch closes. */
const PUBLICATION_SECONDS = 2;
/** A hundredth of what the gateway takes, and a third of what one client may submit. */
const CONFIRMED_PER_SECOND = 30;
/** Milliseconds between two looks whether descriptors are closed. */
const LOOK_MS = 100;
/** Connections of the honest client that may come or go. */
export const DESCRIPTOR_TOLERANCE = 16;
/** Descriptors of the attacker besides its connections. */
const OWN_DESCRIPTORS = 200;

/** Seconds of each part of a row. */
export interface AbuseTimes {
  /** Before anything counts: code is compiled, and memory taken. */
  readonly warmUp: number;
  readonly quiet: number;
  readonly attack: number;
  /** From the end of the attack to the last look at the process. */
  readonly settle: number;
  /** Extra time while more descriptors are open than before the attack. */
  readonly settleMost: number;
}

/** Of the honest client's hashes that were due in one part of a row. */
export interface HonestLatency {
  readonly count: number;
  /** Refused, not confirmed in 5 s, or not answered; their latencies count as well. */
  readonly failed: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** One value before, during and after the attack: the median or the most during it. */
export interface Parts<T> {
  readonly before: T;
  readonly during: T;
  readonly after: T;
}

/** The effect of one attack. */
export interface AbuseResult {
  readonly name: string;
  readonly attacked: AbuseRow["attacked"];
  readonly honest: Parts<HonestLatency>;
  readonly held: Parts<Held>;
  readonly attacker: Tally;
  /** Cosignatures that witnesses refused or did not give to the gateway while it was attacked. */
  readonly cosignFailures: number;
  readonly mostGrownBytes: number;
}

/** The gateway of all rows. */
export interface AbusedGateway {
  readonly fronts: number;
  /** False: no limits of clients, whatever a row says. */
  readonly limits: boolean;
}

/** Measures `row`. */
export async function runAbuse(
  row: AbuseRow,
  times: AbuseTimes,
  { fronts, limits }: AbusedGateway,
): Promise<AbuseResult> {
  const dataFolder = await Deno.makeTempDir({ prefix: "countersign-abuse-" });
  try {
    const deployment = await TrialDeployment.start({
      ...row,
      dataFolder,
      fronts,
      digests: numberedDigests,
      configuration: {
        ...row.configuration,
        ...(!limits && { limits: NO_LIMITS }),
        operator: ANY_PORT,
        event_sockets: row.sockets === "events" ? ANY_PORT : undefined,
      },
    });
    try {
      const { banner, url } = deployment.gateway;
      const metrics = new Asker(listenerUrl(banner, "operators"));
      const socketUrl = new URL(
        SOCKET_PATH,
        row.sockets === "events" ? listenerUrl(banner, "sockets") : url,
      );
      return await measure(row, times, { deployment, metrics, socketUrl });
    } finally {
      await deployment.stop();
    }
  } finally {
    await Deno.remove(dataFolder, { recursive: true });
  }
}

interface Site {
  readonly deployment: TrialDeployment;
  readonly metrics: Asker;
  readonly socketUrl: URL;
}

async function measure(row: AbuseRow, times: AbuseTimes, site: Site): Promise<AbuseResult> {
  const { gateway, witnesses } = site.deployment;
  const rate = row.goal === "published" ? PUBLISHED_PER_SECOND : CONFIRMED_PER_SECOND;
  const honest = new HonestClient(gateway.url, row.goal, rate);
  const attacked = row.attacked === "witness" ? witnesses[0]! : gateway;
  try {
    await seconds(times.warmUp);
    const quietMs = performance.now();
    await seconds(times.quiet);
    const quietEndMs = performance.now();
    // The last hash before the attack is also published before it.
    if (row.goal === "published") await seconds(PUBLICATION_SECONDS);
    const failuresBefore = await cosignFailures(site.metrics);
    using watch = new ProcessWatch(attacked.pid);
    const before = watch.now();
    const attacker = await AttackerProcess.start(
      row.attack,
      Math.max(times.attack, row.leastSeconds),
      {
        url: gateway.url.href,
        socketUrl: site.socketUrl.href,
        witnessUrls: witnesses.map(({ url }) => url.href),
        knownDigests: row.isCold ? row.prefill - 1 : WARM_DIGESTS,
        connections: Math.min(row.connections, await mostDescriptors() - OWN_DESCRIPTORS),
      },
    );
    const attackMs = performance.now();
    const tally = await attacker.ended();
    const endMs = performance.now();
    const during = watch.peak();
    await settle(watch, before, times);
    const after = watch.now();
    const lastMs = performance.now();
    await honest.stop();
    const latency = (fromMs: number, toMs: number) => latencyOf(honest.samples, fromMs, toMs);
    return {
      name: row.name,
      attacked: row.attacked,
      honest: {
        before: latency(quietMs, quietEndMs),
        during: latency(attackMs, endMs),
        after: latency(endMs, lastMs),
      },
      held: { before, during, after },
      attacker: tally,
      cosignFailures: await cosignFailures(site.metrics) - failuresBefore,
      mostGrownBytes: row.mostGrownBytes,
    };
  } finally {
    await honest.stop();
  }
}

/** Waits after an attack: longer while descriptors are open that were not `before`. */
async function settle(watch: ProcessWatch, before: Held, times: AbuseTimes): Promise<void> {
  const startMs = performance.now();
  await seconds(times.settle);
  while (
    watch.now().descriptors > before.descriptors + DESCRIPTOR_TOLERANCE &&
    performance.now() - startMs < 1_000 * times.settleMost
  ) await systemClock.sleep(LOOK_MS);
}

function latencyOf(
  samples: readonly HonestSample[],
  fromMs: number,
  toMs: number,
): HonestLatency {
  const due = samples.filter(({ dueMs }) => dueMs >= fromMs && dueMs < toMs);
  const nowMs = performance.now();
  // An unanswered hash has waited at least until now.
  const tookMs = due.map(({ dueMs, tookMs }) => tookMs ?? nowMs - dueMs);
  return {
    count: due.length,
    failed: due.filter(({ isFailed, tookMs }) => isFailed || tookMs === undefined).length,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
  };
}

async function cosignFailures(metrics: Asker): Promise<number> {
  const text = await metrics.text("/metrics");
  const lines = text.matchAll(/^\w*witness_failures_total\{(.*)\} ([0-9]+)$/gm);
  let sum = 0;
  for (const [, labels, count] of lines) {
    if (labels!.includes('purpose="cosign')) sum += Number(count);
  }
  return sum;
}

/** How many descriptors a process that this one starts may have open. */
async function mostDescriptors(): Promise<number> {
  const text = await Deno.readTextFile("/proc/self/limits").catch(() => "");
  // The runtime raises its own limit up to the hard one.
  return Number(/^Max open files +[0-9]+ +([0-9]+)/m.exec(text)?.[1] ?? 1_024);
}

function seconds(count: number): Promise<void> {
  return systemClock.sleep(1_000 * count);
}
