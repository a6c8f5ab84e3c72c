/**
 * One row of the table: a scenario with a number of connections, between two runs of the echo
 * server.
 *
 * @module
 */

import { randomDigests } from "../digests.ts";
import { runEcho, startEcho } from "./echo.ts";
import type { Histogram } from "./histogram.ts";
import type { LoadOptions } from "./load_options.ts";
import { type Load, type LoadResult, runLoad } from "./load_run.ts";
import { probeShape } from "./probe.ts";
import { CpuMeter } from "./process_usage.ts";
import { WAIT_SECONDS } from "./request_bytes.ts";
import type { Check, Scenario } from "./scenario.ts";
import type { ServerProcess } from "./server_process.ts";
import type { Target } from "./target.ts";
import { runWrk, type WrkResult } from "./wrk.ts";

/** Maximum duration of a run of the echo server. */
const ECHO_WARM_UP_MS = 500;
const ECHO_MEASURED_MS = 1_000;
/** Maximum milliseconds until everything accepted is confirmed. */
const CONFIRMED_MS = 60_000;

/** Milliseconds; without values, quantiles are `NaN`, null in JSON, and the maximum is 0. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** The figures of one row. Rates and processor time are per hash, not per request. */
export interface Row {
  readonly scenario: string;
  readonly connections: number;
  /** `open`: latencies count from when a request was due. `closed`: they are service times. */
  readonly loop: "open" | "closed";
  /** Due hashes per second of an open loop. */
  readonly dueRate?: number;
  readonly seconds: number;
  /** Accepted hashes per second; confirmed ones for `wait` and `bulk`. */
  readonly rate: number;
  readonly echoRate?: number;
  /** The same measured with `wrk`, for a closed loop of single submissions. */
  readonly wrk?: WrkResult;
  readonly latencyMs: Quantiles;
  /** From when a request was sent. */
  readonly serviceMs: Quantiles;
  readonly refused: {
    readonly rate: number;
    readonly latencyMs: Quantiles;
    readonly withoutRetryAfter: number;
  };
  /** Requests that were due and never sent, and those without an answer at the end. */
  readonly dropped: number;
  readonly unanswered: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly cpuMicroseconds: {
    readonly gateway?: number;
    /** Of the gateway's thread that used most. */
    readonly busiestThread?: number;
    readonly witnesses?: number;
    readonly generator?: number;
  };
  /** The same of the echo server. */
  readonly echoCpuMicroseconds?: number;
  readonly residentBytes?: number;
  readonly answerBytes: number;
  /**
   * Hashes accepted in the whole run and, for submissions, how many of them the log then contained.
   */
  readonly accepted: number;
  readonly confirmed?: number;
  readonly verified: number;
  /** Reasons of answers that did not verify. */
  readonly failures: readonly string[];
}

/** The figures of the echo server. */
interface EchoRun {
  readonly rate: number;
  readonly cpuMicroseconds: number | undefined;
}

/** The figures of the gateway and its costs. */
interface LoadedRun {
  readonly result: LoadResult;
  readonly confirmed: number | undefined;
  readonly gatewayCpuMs: number | undefined;
  readonly busiestThreadMs: number | undefined;
  readonly witnessesCpuMs: number | undefined;
  readonly residentBytes: number | undefined;
}

/** Measures a row; with `machine`, between two runs of the echo server. */
export async function measureRow(
  target: Target,
  scenario: Scenario,
  load: Load,
  { machine, wrk: withWrk, tokens }: Pick<LoadOptions, "machine" | "wrk" | "tokens">,
): Promise<Row> {
  const echoes: EchoRun[] = [];
  let run: LoadedRun;
  if (machine) {
    await using echo = await startEcho(await probeShape(target.endpoint, scenario));
    echoes.push(await echoRun(echo, scenario, load));
    run = await loadedRun(target, scenario, load);
    echoes.push(await echoRun(echo, scenario, load));
  } else run = await loadedRun(target, scenario, load);
  // An interrupted gateway may be gone, so its answers cannot be verified.
  const checks = load.signal?.aborted ? [] : run.result.tally.checks;
  const failures = await failedChecks(checks);
  const canUseWrk = withWrk && !tokens && load.rates === undefined && !load.signal?.aborted;
  const wrk = canUseWrk ? await wrkRun(target, scenario, load) : undefined;
  return {
    ...rowOf(scenario, load, run),
    ...echoPart(echoes),
    ...(wrk !== undefined && { wrk: wrk.result }),
    verified: checks.length,
    failures: wrk === undefined ? failures : [...failures, ...wrk.failures],
  };
}

/** The processor time of one hash in microseconds, from `used` milliseconds. */
function perHash(usedMs: number | undefined, hashes: number): number | undefined {
  return usedMs === undefined || hashes === 0 ? undefined : usedMs * 1000 / hashes;
}

async function echoRun(echo: ServerProcess, scenario: Scenario, load: Load): Promise<EchoRun> {
  const meter = new CpuMeter([echo]);
  const { tally, seconds } = await runEcho(echo.url, scenario, {
    ...load,
    warmUpMs: Math.min(ECHO_WARM_UP_MS, load.warmUpMs),
    measuredMs: Math.min(ECHO_MEASURED_MS, load.measuredMs),
  });
  return {
    rate: tally.latency.count * scenario.hashes / seconds,
    cpuMicroseconds: perHash(meter.usedMs(), tally.answers * scenario.hashes),
  };
}

async function loadedRun(target: Target, scenario: Scenario, load: Load): Promise<LoadedRun> {
  const { asker } = target;
  const first = scenario.submits ? await asker.submit(randomDigests(1).toHex(), WAIT_SECONDS) : 0;
  const gateway = new CpuMeter(target.gateway === undefined ? [] : [target.gateway]);
  const witnesses = new CpuMeter(target.witnesses);
  const result = await runLoad(target.endpoint, scenario, load);
  const residentBytes = target.gateway?.residentBytes();
  // Wait for accepted hashes: they are part of this run's work, not of the next one's.
  if (scenario.submits && !load.signal?.aborted) await asker.confirmed(CONFIRMED_MS);
  const gatewayCpuMs = gateway.usedMs();
  const busiestThreadMs = gateway.busiestThreadMs();
  const witnessesCpuMs = witnesses.usedMs();
  let confirmed: number | undefined;
  if (scenario.submits && target.isOurs && !load.signal?.aborted) {
    // Sequences have no gaps, so exactly the accepted hashes are between these two.
    confirmed = await asker.submit(randomDigests(1).toHex(), WAIT_SECONDS) - first - 1;
  }
  return { result, confirmed, gatewayCpuMs, busiestThreadMs, witnessesCpuMs, residentBytes };
}

/** `undefined` for scenarios without a script for `wrk`, and if it is not installed. */
async function wrkRun(
  { asker, url, isOurs }: Target,
  { name }: Scenario,
  { connections, measuredMs }: Load,
): Promise<{ readonly result: WrkResult; readonly failures: string[] } | undefined> {
  if (name !== "wait" && name !== "submit") return undefined;
  const first = await asker.submit(randomDigests(1).toHex(), WAIT_SECONDS);
  const requests = { submit: 1, isWaiting: name === "wait" };
  const result = await runWrk(url, requests, { connections, seconds: measuredMs / 1000 });
  if (result === undefined) return undefined;
  await asker.confirmed(CONFIRMED_MS);
  const stored = await asker.submit(randomDigests(1).toHex(), WAIT_SECONDS) - first - 1;
  const isLost = isOurs && stored < result.accepted;
  const failures = isLost ? [`The log has ${stored} of ${result.accepted} hashes of wrk`] : [];
  return { result, failures };
}

/** Verifies the kept answers one by one; returns the reasons of failures. */
async function failedChecks(checks: readonly Check[]): Promise<string[]> {
  const failures: string[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error));
    }
  }
  return failures;
}

function rowOf(
  { name, hashes }: Scenario,
  load: Load,
  { result, confirmed, gatewayCpuMs, busiestThreadMs, witnessesCpuMs, residentBytes }: LoadedRun,
): Omit<Row, "verified" | "failures"> {
  const { tally, seconds, dropped, unanswered, generatorCpuMs } = result;
  const count = tally.latency.count;
  const accepted = tally.acceptedInAll * hashes;
  return {
    scenario: name,
    connections: load.connections,
    loop: load.rates === undefined ? "closed" : "open",
    ...(load.rates !== undefined && { dueRate: load.rates[0]!.rate * hashes }),
    seconds,
    rate: count * hashes / seconds,
    latencyMs: quantilesOf(tally.latency),
    serviceMs: quantilesOf(tally.service),
    refused: {
      rate: tally.refusedLatency.count * hashes / seconds,
      latencyMs: quantilesOf(tally.refusedLatency),
      withoutRetryAfter: tally.refusedWithoutRetryAfter,
    },
    dropped,
    unanswered,
    errors: Object.fromEntries(tally.errors),
    cpuMicroseconds: {
      ...told("gateway", perHash(gatewayCpuMs, accepted)),
      ...told("busiestThread", perHash(busiestThreadMs, accepted)),
      ...told("witnesses", perHash(witnessesCpuMs, accepted)),
      ...told("generator", perHash(generatorCpuMs, tally.answers * hashes)),
    },
    ...told("residentBytes", residentBytes),
    answerBytes: Math.round(tally.bodyBytes / count) || 0,
    accepted,
    ...told("confirmed", confirmed),
  };
}

export function quantilesOf(histogram: Histogram): Quantiles {
  return {
    p50: histogram.quantile(0.5),
    p99: histogram.quantile(0.99),
    p999: histogram.quantile(0.999),
    max: histogram.maxMs,
  };
}

function echoPart(echoes: readonly EchoRun[]): Pick<Row, "echoRate" | "echoCpuMicroseconds"> {
  if (echoes.length === 0) return {};
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const cpu = echoes.flatMap(({ cpuMicroseconds }) => cpuMicroseconds ?? []);
  return {
    echoRate: mean(echoes.map(({ rate }) => rate)),
    ...told("echoCpuMicroseconds", cpu.length === 0 ? undefined : mean(cpu)),
  };
}

/** A member, present if its value is known. */
export function told<Name extends string>(
  name: Name,
  value: number | undefined,
): Partial<Record<Name, number>> {
  const member: Partial<Record<Name, number>> = {};
  if (value !== undefined) member[name] = value;
  return member;
}
