/**
 * Overloads a gateway: finds the sustained rate in a closed loop, then sends a multiple of it, and
 * then half of it, in one open loop.
 *
 * @module
 */

import { Histogram } from "./histogram.ts";
import { type Load, runLoad, type RunObserver } from "./load_run.ts";
import type { Fate, Tally } from "./tally.ts";
import type { Target } from "./target.ts";
import { type Quantiles, quantilesOf, told } from "./row.ts";
import type { Scenario } from "./scenario.ts";

/** Enough connections to have more requests in flight than the gateway answers at once. */
export const OVERLOAD_CONNECTIONS = 1_024;
/** For bulk requests in the closed loop; more at once would be refused. */
const BULK_CONNECTIONS = 16;
const SLICE_MS = 100;
/** A gateway has recovered when the p99 of a slice is below this multiple of the closed loop's. */
const RECOVERED_FACTOR = 2;
const AFTER_FACTOR = 0.5;

/** One phase. Rates are of hashes; latencies count from when a request was due. */
export interface OverloadPhase {
  readonly dueRate: number;
  readonly acceptedRate: number;
  readonly refusedRate: number;
  readonly acceptedMs: Quantiles;
  readonly refusedMs: Quantiles;
  /**
   * Requests per second that were due and dropped, because no connection was free and the backlog
   * was full.
   */
  readonly droppedRate: number;
}

/** One observation during an overload. */
export interface OverloadMoment {
  readonly atMs: number;
  readonly acceptedRate: number;
  readonly refusedRate: number;
  readonly p99Ms: number;
  readonly residentBytes?: number;
}

/** The results. */
export interface OverloadReport {
  readonly scenario: string;
  readonly connections: number;
  readonly sustainedRate: number;
  readonly sustainedMs: Quantiles;
  readonly overloaded: OverloadPhase;
  readonly after: OverloadPhase;
  readonly refusedWithoutRetryAfter: number;
  readonly errors: Readonly<Record<string, number>>;
  readonly unanswered: number;
  /** From the end of the overload until no request that was due then is slow or refused. */
  readonly recoveryMs: number;
  readonly moments: readonly OverloadMoment[];
}

/** Requests that were due in one slice of time. */
class Slice {
  readonly accepted = new Histogram();
  readonly refused = new Histogram();
  dropped = 0;
  residentBytes: number | undefined;
}

/** Sorts answers by when their requests were due. */
class Timeline implements RunObserver {
  readonly everyMs = SLICE_MS;
  readonly slices: Slice[] = [];
  #startMs = 0;
  readonly #target: Target;
  #dropped = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  started(nowMs: number): void {
    this.#startMs = nowMs;
  }

  answered(fate: Fate, dueMs: number, nowMs: number): void {
    const slice = this.#at(dueMs);
    if (fate === "accepted") slice.accepted.record(nowMs - dueMs);
    else if (fate === "refused") slice.refused.record(nowMs - dueMs);
  }

  look(_tally: Tally, nowMs: number, _waiting: number, dropped: number): void {
    const slice = this.#at(nowMs);
    slice.residentBytes = this.#target.gateway?.residentBytes();
    slice.dropped += dropped - this.#dropped;
    this.#dropped = dropped;
  }

  /**
   * Ends it with at least `count` slices, including times without an observation because this
   * process was not scheduled. All `dropped` requests are in the slices.
   */
  end(count: number, dropped: number): void {
    while (this.slices.length < count) this.slices.push(new Slice());
    this.slices[count - 1]!.dropped += dropped - this.#dropped;
    this.#dropped = dropped;
  }

  #at(timeMs: number): Slice {
    const index = Math.max(0, Math.floor((timeMs - this.#startMs) / SLICE_MS));
    while (this.slices.length <= index) this.slices.push(new Slice());
    return this.slices[index]!;
  }
}

/** Overloads `target` with `factor` times its sustained rate, for the duration of `load`. */
export async function measureOverload(
  target: Target,
  scenario: Scenario,
  load: Load,
  factor: number,
): Promise<OverloadReport> {
  const { connections, measuredMs } = load;
  const closed = await runLoad(target.endpoint, scenario, {
    ...load,
    connections: scenario.hashes === 1 ? connections : Math.min(connections, BULK_CONNECTIONS),
  });
  const sustained = closed.tally.latency.count / closed.seconds;
  if (sustained === 0 && !load.signal?.aborted) {
    throw new Error(
      `Cannot overload ${scenario.name}: answers in a closed loop required, found none`,
    );
  }
  const phase = (factor: number) => ({ rate: factor * sustained, ms: measuredMs });
  const timeline = new Timeline(target);
  const open = await runLoad(target.endpoint, scenario, {
    ...load,
    warmUpMs: 0,
    measuredMs: 2 * measuredMs,
    rates: [phase(factor), phase(AFTER_FACTOR)],
    backlog: connections,
    observer: timeline,
  });
  const turn = Math.round(measuredMs / SLICE_MS);
  timeline.end(2 * turn, open.dropped);
  const { slices } = timeline;
  const { hashes } = scenario;
  const sustainedMs = quantilesOf(closed.tally.latency);
  return {
    scenario: scenario.name,
    connections,
    sustainedRate: sustained * hashes,
    sustainedMs,
    overloaded: phaseOf(slices.slice(0, turn), factor * sustained, hashes),
    after: phaseOf(slices.slice(turn, 2 * turn), AFTER_FACTOR * sustained, hashes),
    refusedWithoutRetryAfter: open.tally.refusedWithoutRetryAfter,
    errors: Object.fromEntries(open.tally.errors),
    unanswered: open.unanswered,
    recoveryMs: recoveryMs(slices.slice(turn, 2 * turn), RECOVERED_FACTOR * sustainedMs.p99),
    moments: slices.slice(0, 2 * turn).map((slice, i) => ({
      atMs: i * SLICE_MS,
      acceptedRate: slice.accepted.count * hashes * 1000 / SLICE_MS,
      refusedRate: slice.refused.count * hashes * 1000 / SLICE_MS,
      p99Ms: slice.accepted.quantile(0.99),
      ...told("residentBytes", slice.residentBytes),
    })),
  };
}

function phaseOf(slices: readonly Slice[], dueRate: number, hashes: number): OverloadPhase {
  const accepted = new Histogram();
  const refused = new Histogram();
  for (const slice of slices) {
    accepted.add(slice.accepted);
    refused.add(slice.refused);
  }
  const perSecond = (count: number) => count * hashes * 1000 / (slices.length * SLICE_MS);
  return {
    dueRate: dueRate * hashes,
    acceptedRate: perSecond(accepted.count),
    refusedRate: perSecond(refused.count),
    acceptedMs: quantilesOf(accepted),
    refusedMs: quantilesOf(refused),
    droppedRate: perSecond(slices.reduce((sum, { dropped }) => sum + dropped, 0)),
  };
}

/** The end of the last slice that is worse than before the overload. */
function recoveryMs(slices: readonly Slice[], p99Ms: number): number {
  const bad = slices.findLastIndex(({ accepted, refused, dropped }) =>
    accepted.quantile(0.99) > p99Ms || refused.count > 0 || dropped > 0
  );
  return (bad + 1) * SLICE_MS;
}
