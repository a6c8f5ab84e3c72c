/**
 * The figures of `top`. Unknown figures are absent. Times are in seconds.
 *
 * @module
 */

import type { Interval } from "./scrape.ts";

export interface RouteFigures {
  readonly route: string;
  readonly per_second: number;
  readonly errors_per_second: number;
  readonly p50?: number;
  readonly p99?: number;
}

export interface WitnessFigures {
  readonly id: string;
  readonly healthy: boolean;
  readonly p50?: number;
  readonly p99?: number;
  readonly failures_per_second?: number;
}

/** The anchors of a peer network or an anchor service. */
export interface AnchorFigures {
  readonly id: string;
  readonly failing: boolean;
  readonly tree_size?: number;
  readonly age?: number;
}

export interface ForeignWitnessFigures extends AnchorFigures {
  /** Entries that it has not cosigned. */
  readonly behind?: number;
  /** Seconds until it is asked again. */
  readonly retry?: number;
}

/** Figures by name. */
export type Figures = Readonly<Record<string, number>>;

export interface TopFigures {
  /** The public status (`gateway`) has fewer figures than the operator listener. */
  readonly source: "operator" | "gateway";
  /** The interval of rates, if any. */
  readonly seconds?: number;
  /** `/ready` of the operator listener, or a public status of `ok`. */
  readonly ready: boolean;
  /** Codes of the reasons why it is not ready. */
  readonly reasons: readonly string[];
  readonly head: Figures;
  readonly jobs: Figures;
  readonly queues: Figures;
  readonly rounds: Figures;
  readonly process: Figures;
  /** Share of a core that each thread takes, by its name. */
  readonly threads: Figures;
  readonly routes: readonly RouteFigures[];
  /** Refusals per second by code. */
  readonly refusals: Figures;
  readonly witnesses: readonly WitnessFigures[];
  readonly peers: readonly AnchorFigures[];
  readonly anchors: readonly AnchorFigures[];
  readonly foreign_witnesses: readonly ForeignWitnessFigures[];
  /** Entries of the latest head beyond the largest one that met the policy of foreign witnesses. */
  readonly foreign_quorum_behind?: number;
}

const STATES = ["pending", "retryable", "confirmed", "batched"];

/** The figures of an operator listener. */
export function operatorFigures(interval: Interval, reasons: readonly string[]): TopFigures {
  return {
    source: "operator",
    seconds: interval.seconds,
    ready: reasons.length === 0,
    reasons,
    head: known({
      tree_size: interval.value("tree_size"),
      age: interval.value("tree_head_age_seconds"),
      epoch: interval.value("epoch"),
    }),
    jobs: known({
      accepted_per_second: interval.rate("accepted_total"),
      confirmed_per_second: interval.rate("confirmed_total"),
      published_per_second: interval.rate("published_total"),
      ...Object.fromEntries(STATES.map((state) => [state, interval.value("jobs", { state })])),
      oldest_pending_age: interval.value("oldest_pending_age_seconds"),
    }),
    queues: known({
      intake: interval.value("intake_backlog"),
      unformed: interval.value("unformed_digests"),
      rounds_in_flight: interval.value("rounds_in_flight"),
      rounds_unstored: interval.value("rounds_unstored"),
      held_answers: interval.value("held_answers"),
      event_connections: interval.value("event_connections"),
    }),
    rounds: known({
      per_second: interval.rate("round_duration_seconds_count"),
      mean_size: interval.mean("round_size"),
      ...quantiles(interval, "round_duration_seconds"),
      commit_p99: interval.quantile("commit_duration_seconds", 0.99),
    }),
    process: known({
      resident_bytes: interval.value("resident_memory_bytes"),
      heap_bytes: interval.value("heap_bytes", { part: "used" }),
      loop_lag_p99: interval.quantile("event_loop_lag_seconds", 0.99),
      cpu: interval.rate("cpu_seconds_total"),
    }),
    threads: known(Object.fromEntries(
      interval.values("thread_cpu_seconds_total", "thread")
        .map((thread) => [thread, interval.rate("thread_cpu_seconds_total", { thread })]),
    )),
    routes: routesOf(interval),
    refusals: known(Object.fromEntries(
      interval.values("refusals_total", "code").map((code) => {
        const rate = interval.rate("refusals_total", { code });
        return [code, rate === 0 ? undefined : rate];
      }),
    )),
    witnesses: interval.values("witness_healthy", "witness").map((id) => ({
      id,
      healthy: interval.value("witness_healthy", { witness: id }) === 1,
      ...quantiles(interval, "witness_answer_duration_seconds", { witness: id, purpose: "sign" }),
      ...known({ failures_per_second: interval.rate("witness_failures_total", { witness: id }) }),
    })),
    peers: interval.values("peer_failing_seconds", "peer").map((id) => ({
      id,
      failing: (interval.value("peer_failing_seconds", { peer: id }) ?? 0) > 0,
      ...known({
        tree_size: interval.value("cross_anchor_tree_size", { peer: id }),
        age: interval.value("cross_anchor_age_seconds", { peer: id }),
      }),
    })),
    anchors: interval.values("anchor_failing", "service").map((id) => ({
      id,
      failing: interval.value("anchor_failing", { service: id }) === 1,
      ...known({
        tree_size: interval.value("anchor_tree_size", { service: id }),
        age: interval.value("anchor_age_seconds", { service: id }),
      }),
    })),
    ...foreignFigures(interval),
  };
}

function foreignFigures(
  interval: Interval,
): Pick<TopFigures, "foreign_witnesses" | "foreign_quorum_behind"> {
  const treeSize = interval.value("tree_size") ?? 0;
  const quorum = interval.value("foreign_quorum_tree_size");
  return {
    foreign_witnesses: interval.values("foreign_witness_failing_seconds", "witness").map((id) => {
      const value = (name: string) => interval.value(`foreign_witness_${name}`, { witness: id });
      // 0 before the first cosignature.
      const size = value("tree_size") || undefined;
      const failing = (value("failing_seconds") ?? 0) > 0;
      return {
        id,
        failing,
        ...known({
          tree_size: size,
          age: value("age_seconds"),
          behind: size && Math.max(0, treeSize - size),
          retry: failing ? value("retry_seconds") : undefined,
        }),
      };
    }),
    ...(quorum !== undefined && { foreign_quorum_behind: Math.max(0, treeSize - quorum) }),
  };
}

/** Busiest first. */
function routesOf(interval: Interval): RouteFigures[] {
  const routes = interval.values("http_requests_total", "route").map((route) => ({
    route,
    per_second: interval.rate("http_requests_total", { route }) ?? 0,
    errors_per_second: interval.rate("http_requests_total", { route, status: "5xx" }) ?? 0,
    ...quantiles(interval, "http_request_duration_seconds", { route }),
  }));
  return routes.toSorted((a, b) => b.per_second - a.per_second);
}

function quantiles(
  interval: Interval,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): { readonly p50?: number; readonly p99?: number } {
  return known({
    p50: interval.quantile(name, 0.5, labels),
    p99: interval.quantile(name, 0.99, labels),
  });
}

function known(figures: Readonly<Record<string, number | undefined>>): Record<string, number> {
  const entries = Object.entries(figures).filter((entry): entry is [string, number] =>
    entry[1] !== undefined
  );
  return Object.fromEntries(entries);
}
