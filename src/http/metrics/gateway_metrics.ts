/**
 * Metrics of a gateway: health, log, queues and witnesses. `GET /metrics` of the operator listener
 * (`operator_metrics.ts`) writes them.
 *
 * @module
 */

import type { ServiceStatus } from "../../gateway/service_status.ts";
import type { PipelineDepths } from "../../gateway/status_source.ts";
import { HEALTH_STATES, isHealthy } from "../../proof/format/gateway_status.ts";
import { WITNESS_WORKS } from "../../gateway/signing/witness_health.ts";
import type { DamageLog } from "./damage_log.ts";
import type { MetricsPage, Sample } from "./metrics_page.ts";

/** The state of a gateway. */
export interface GatewaySnapshot {
  readonly status: ServiceStatus;
  readonly depths: PipelineDepths;
  /** Seconds since the oldest unpublished digest was accepted. */
  readonly unpublishedAge: number | undefined;
  /** Number of witnesses that must sign. */
  readonly threshold: number;
  /** Clock differences of witnesses in milliseconds; positive if ahead of ours. */
  readonly clockDifferences: readonly { readonly witness: string; readonly aheadMs: number }[];
  /** Free bytes on the disk of the data folder. */
  readonly diskFreeBytes: number | undefined;
  /** Configured: a batch is closed at this age at the latest. */
  readonly batchMaxAgeSeconds: number;
  /** Configured: the network promises to publish a hash within this time. */
  readonly mergeDelaySeconds: number | undefined;
  /** All possible reasons to be unready, and for each whether it holds now. */
  readonly unready: ReadonlyMap<string, boolean>;
  readonly damage: Pick<DamageLog, "records" | "reads">;
  /** Seconds until the lease ends unless it is renewed; 0 for a standby. Absent if the store has no lease. */
  readonly leaseSeconds: number | undefined;
  /** The servers that follow the database of the store; absent if unknown. */
  readonly replicas: readonly StoreReplica[] | undefined;
  /** Absent if the gateway publishes no copy. */
  readonly publishing: PublishingState | undefined;
  /** When the first certificate of the time-stamp authority expires, Unix seconds; absent if there is none. */
  readonly certificateExpires: number | undefined;
  /** Absent if this thread sends no events. */
  readonly events?: EventCounts | undefined;
}

/** A server that follows the database of the store, and its lag. */
export interface StoreReplica {
  readonly name: string;
  readonly mode: string;
  readonly lagBytes: number;
}

/** A copy of the log that the gateway publishes. */
export interface PublishingState {
  /** Entries of the copy, once that is known. */
  readonly size: number | undefined;
  readonly isFailing: boolean;
}

interface EventCounts {
  readonly connections: number;
  readonly waitingReaders: number;
}

/** The state of one front. */
export interface FrontSnapshot {
  /** Its name. */
  readonly front: string;
  readonly answeredRequests: number;
  /** Requests that wait for a signature. */
  readonly waiters: number;
  readonly damage: Pick<DamageLog, "records" | "reads">;
  readonly events: EventCounts;
}

/** Writes `snapshot` to `page`. Samples without the label `front` are added up over all threads. */
export function addFrontMetrics(
  page: MetricsPage,
  { front, answeredRequests, waiters, damage, events }: FrontSnapshot,
): void {
  page.counter("front_requests_total", "Requests by front", [[answeredRequests, { front }]]);
  addDamage(page, damage);
  addWaiters(page, waiters);
  addEvents(page, events);
}

export function addGatewayMetrics(page: MetricsPage, snapshot: GatewaySnapshot): void {
  addHealth(page, snapshot);
  addLog(page, snapshot);
  addQueues(page, snapshot);
  addActive(page, snapshot.leaseSeconds !== 0);
  page.gauge("lease_remaining_seconds", "Time until the lease ends unless it is renewed", [[
    snapshot.leaseSeconds,
  ]]);
  addReplicas(page, snapshot.replicas);
  addPublishing(page, snapshot.publishing);
  page.gauge(
    "tsa_certificate_expires_timestamp_seconds",
    "Unix time at which the first certificate of the time-stamp authority expires",
    [[snapshot.certificateExpires]],
  );
  addWitnesses(page, snapshot);
}

function addHealth(
  page: MetricsPage,
  { status, unready, diskFreeBytes, damage }: GatewaySnapshot,
): void {
  const isReady = ![...unready.values()].includes(true);
  page.gauge("up", "1 while GET /health answers 200", [[Number(isHealthy(status.status))]]);
  page.gauge(
    "health",
    "1 for the current health, 0 for all others",
    HEALTH_STATES.map((health) => [Number(health === status.status), { status: health }]),
  );
  page.gauge("ready", "1 while GET /ready answers 200", [[Number(isReady)]]);
  page.gauge(
    "unready",
    "1 for each reason in the answer of GET /ready, 0 for all others",
    [...unready].map(([code, holds]) => [Number(holds), { code }]),
  );
  page.gauge("disk_free_bytes", "Free bytes on the disk of the data folder", [[
    diskFreeBytes,
  ]]);
  addDamage(page, damage);
}

/** `restarts`: how often each front was replaced. */
export function addFrontRestarts(page: MetricsPage, restarts: ReadonlyMap<string, number>): void {
  page.counter(
    "front_restarts_total",
    "Fronts that ended unexpectedly and were replaced",
    [...restarts].map(([front, count]) => [count, { front }]),
  );
}

export function addActive(page: MetricsPage, isActive: boolean): void {
  page.gauge("active", "1 if this gateway takes hashes, 0 for a standby", [[Number(isActive)]]);
}

function addReplicas(page: MetricsPage, replicas: readonly StoreReplica[] | undefined): void {
  page.gauge("store_replicas", "Servers that follow the database of the store", [[
    replicas?.length,
  ]]);
  page.gauge(
    "store_replica_lag_bytes",
    "Bytes that a server which follows the database has not made durable",
    (replicas ?? []).map(({ name, mode, lagBytes }) => [lagBytes, { replica: name, mode }]),
  );
}

function addPublishing(page: MetricsPage, publishing: PublishingState | undefined): void {
  page.gauge("publishing_tree_size", "Entries of the published copy", [[publishing?.size]]);
  page.gauge("publishing_failing", "1 while the copy cannot be published", [[
    publishing && Number(publishing.isFailing),
  ]]);
}

function addDamage(page: MetricsPage, { records, reads }: FrontSnapshot["damage"]): void {
  page.gauge(
    "damaged_records",
    "Damaged records found by readers since the start, at most 1024 by each thread",
    [[records]],
  );
  page.counter("damaged_reads_total", "Reads of damaged records", [[reads]]);
}

function addWaiters(page: MetricsPage, waiters: number): void {
  page.gauge("held_answers", "Requests waiting for a signature (Prefer: wait)", [[waiters]]);
}

function addEvents(page: MetricsPage, events: EventCounts | undefined): void {
  page.gauge("event_connections", "Event connections", [[events?.connections]]);
  page.gauge("event_readers_waiting", "Event connections with unread output", [[
    events?.waitingReaders,
  ]]);
}

const SUCCESSION_STEPS = ["checking", "ending", "beginning"] as const;

function addLog(page: MetricsPage, snapshot: GatewaySnapshot): void {
  const { status: { sth, beacon, succession }, depths } = snapshot;
  const { accepted, confirmed, published, spent } = depths;
  page.counter("accepted_total", "Accepted hashes", [[accepted]]);
  page.counter("confirmed_total", "Signed hashes", [[confirmed]]);
  page.counter("published_total", "Hashes in the latest published tree", [[published]]);
  page.counter("tokens_spent_total", "Redeemed tokens", [[spent]]);
  page.gauge("tree_size", "Size of the latest published tree head", [[sth?.tree_size ?? 0]]);
  page.gauge("tree_head_age_seconds", "Age of the latest published tree head", [[sth?.age]]);
  page.gauge(
    "unpublished_age_seconds",
    "Seconds since the oldest unpublished hash was accepted; 0 if there is none",
    [[snapshot.unpublishedAge ?? 0]],
  );
  page.gauge("batch_max_age_seconds", "Configured maximum age of a batch", [[
    snapshot.batchMaxAgeSeconds,
  ]]);
  page.gauge("merge_delay_seconds", "Maximum time until publication that the network promises", [[
    snapshot.mergeDelaySeconds,
  ]]);
  page.gauge("epoch", "Number of the present configuration", [[succession?.epoch ?? 0]]);
  page.gauge(
    "succession_step",
    "1 for the step that a succession has reached, while one is applied",
    SUCCESSION_STEPS.map((step) => [Number(succession?.step === step), { step }]),
  );
  if (beacon === undefined) return;
  page.gauge("beacon_recent", "1 while the latest beacon is recent enough for a round", [[
    Number(beacon !== null),
  ]]);
  page.gauge("beacon_round", "Round of the latest beacon", [[beacon?.round]]);
  page.gauge("beacon_age_seconds", "Age of the latest beacon; absent while no beacon is recent", [[
    beacon?.age,
  ]]);
}

function addQueues(page: MetricsPage, { status, depths, events }: GatewaySnapshot): void {
  const { pending_count, oldest_pending_age } = status;
  const { accepted, confirmed, published, retryable } = depths;
  page.gauge("jobs", "Accepted hashes by state", [
    [accepted - confirmed - retryable, { state: "pending" }],
    [retryable, { state: "retryable" }],
    [confirmed - published, { state: "confirmed" }],
    [published, { state: "batched" }],
  ]);
  page.gauge("pending", "Accepted, unsigned hashes", [[pending_count]]);
  page.gauge("oldest_pending_age_seconds", "Age of the oldest unsigned hash", [[
    oldest_pending_age ?? 0,
  ]]);
  page.gauge("intake_backlog", "Digests waiting for a commit", [[depths.backlog]]);
  page.gauge("unformed_digests", "Accepted digests waiting for a round", [[depths.unformed]]);
  page.gauge("rounds_in_flight", "Rounds sent to witnesses and not yet signed", [[
    depths.roundsInFlight,
  ]]);
  page.gauge("rounds_unstored", "Signed rounds waiting for a commit", [[depths.unstoredRounds]]);
  addWaiters(page, depths.waiters);
  page.gauge("index_runs", "Runs of the hash index: unsealed in memory, or sealed in the store", [
    [depths.unsealedRuns, { state: "unsealed" }],
    [depths.sealedRuns, { state: "sealed" }],
  ]);
  addEvents(page, events);
}

function addWitnesses(
  page: MetricsPage,
  { status: { witnesses }, threshold, clockDifferences }: GatewaySnapshot,
) {
  page.gauge("witness_threshold", "Witnesses that must sign", [[threshold]]);
  page.gauge(
    "witness_healthy",
    "1 while the witness answers and none of its work fails",
    witnesses.map(({ id, healthy }) => [Number(healthy), { witness: id }]),
  );
  page.gauge(
    "witness_failing",
    "1 while the given work of the witness fails",
    witnesses.flatMap(({ id, failing = [] }) =>
      WITNESS_WORKS.map((work): Sample => [Number(failing.includes(work)), { witness: id, work }])
    ),
  );
  page.gauge(
    "witness_last_seen_timestamp_seconds",
    "Unix time of the last valid answer of the witness",
    witnesses.map(({ id, last_seen_at }) => [last_seen_at, { witness: id }]),
  );
  page.gauge(
    "witness_clock_ahead_seconds",
    "Clock of a remote witness minus the clock of this machine",
    clockDifferences.map(({ witness, aheadMs }) => [aheadMs / 1000, { witness }]),
  );
}
