/**
 * How a gateway stands: its health, its log, its witnesses and what waits in it.
 *
 * @module
 */

import type { PipelineDepths, ServiceStatus } from "../gateway/gateway_status.ts";
import { HEALTH_STATES } from "../format/gateway_status.ts";
import { WITNESS_WORKS } from "../gateway/signing/witness_health.ts";
import type { DamageCounts } from "./damage_log.ts";
import type { MetricsPage, Sample } from "./metrics_page.ts";

/** A gateway at one moment. */
export interface GatewaySnapshot {
  readonly status: ServiceStatus;
  readonly depths: PipelineDepths;
  /** Seconds since the oldest digest was accepted that is in no published tree. */
  readonly unpublishedAge: number | undefined;
  /** Witnesses that have to sign. */
  readonly threshold: number;
  /** How far clocks of witnesses are ahead of ours, in milliseconds. */
  readonly clockDifferences: readonly { readonly witness: string; readonly aheadMs: number }[];
  /** Bytes that the disk of the data folder has left. */
  readonly diskFreeBytes: number | undefined;
  /** The longest that an attestation waits for its batch, and until it is published as promised. */
  readonly batchMaxAgeSeconds: number;
  readonly mergeDelaySeconds: number | undefined;
  /** Every reason for which a gateway can be unready, and whether it is one now. */
  readonly unready: ReadonlyMap<string, boolean>;
  /** Damage that readers met. */
  readonly damage: DamageCounts;
  /** Absent where nobody can follow events. */
  readonly events?: { readonly connections: number; readonly waitingReaders: number };
}

/** Writes `snapshot` to `page`. */
export function addGatewayMetrics(page: MetricsPage, snapshot: GatewaySnapshot): void {
  addHealth(page, snapshot);
  addLog(page, snapshot);
  addQueues(page, snapshot);
  addWitnesses(page, snapshot);
}

function addHealth(
  page: MetricsPage,
  { status, unready, diskFreeBytes, damage }: GatewaySnapshot,
): void {
  const isReady = ![...unready.values()].includes(true);
  page.gauge("up", "1 while the gateway is healthy", [[Number(status.status === "ok")]]);
  page.gauge(
    "health",
    "1 for the health that the gateway has, 0 for every other",
    HEALTH_STATES.map((health) => [Number(health === status.status), { status: health }]),
  );
  page.gauge("ready", "1 while GET /ready is 200", [[Number(isReady)]]);
  page.gauge(
    "unready",
    "1 for each reason that GET /ready gives, 0 for every other",
    [...unready].map(([code, holds]) => [Number(holds), { code }]),
  );
  page.gauge("disk_free_bytes", "Bytes that the disk of the data folder has left", [[
    diskFreeBytes,
  ]]);
  page.gauge(
    "damaged_records",
    "Damaged records of the stores that were read since the start, at most 1024",
    [[damage.records]],
  );
  page.counter("damaged_reads_total", "Reads that met a damaged record", [[damage.reads]]);
}

function addLog(page: MetricsPage, snapshot: GatewaySnapshot): void {
  const { status: { sth, beacon }, depths } = snapshot;
  const { accepted, confirmed, published, spent } = depths;
  page.counter("accepted_total", "Hashes ever accepted", [[accepted]]);
  page.counter("confirmed_total", "Hashes ever signed", [[confirmed]]);
  page.counter("published_total", "Hashes in the latest published tree", [[published]]);
  page.counter("tokens_spent_total", "Tokens ever spent for hashes", [[spent]]);
  page.gauge("tree_size", "Size of the latest published tree head", [[sth?.tree_size ?? 0]]);
  page.gauge("tree_head_age_seconds", "Age of the latest published tree head", [[sth?.age]]);
  page.gauge(
    "unpublished_age_seconds",
    "Seconds since the oldest hash was accepted that is in no published tree; 0 while none waits",
    [[snapshot.unpublishedAge ?? 0]],
  );
  page.gauge("batch_max_age_seconds", "Configured longest wait of an attestation for its batch", [[
    snapshot.batchMaxAgeSeconds,
  ]]);
  page.gauge("merge_delay_seconds", "What the network promises of the time until publication", [[
    snapshot.mergeDelaySeconds,
  ]]);
  if (beacon === undefined) return;
  page.gauge("beacon_recent", "1 while a beacon is recent enough for a round", [[
    Number(beacon !== null),
  ]]);
  page.gauge("beacon_round", "Round of the latest beacon", [[beacon?.round]]);
  page.gauge("beacon_age_seconds", "Age of the latest beacon; none while none is recent", [[
    beacon?.age,
  ]]);
}

function addQueues(page: MetricsPage, { status, depths, events }: GatewaySnapshot): void {
  const { pending_count, oldest_pending_age } = status;
  const { accepted, confirmed, published, retryable } = depths;
  page.gauge("jobs", "Accepted hashes by state, each in one", [
    [accepted - confirmed - retryable, { state: "pending" }],
    [retryable, { state: "retryable" }],
    [confirmed - published, { state: "confirmed" }],
    [published, { state: "batched" }],
  ]);
  page.gauge("pending", "Accepted hashes that are not signed", [[pending_count]]);
  page.gauge("oldest_pending_age_seconds", "Wait of the oldest hash that is not signed", [[
    oldest_pending_age ?? 0,
  ]]);
  page.gauge("intake_backlog", "Digests that wait for a commit", [[depths.backlog]]);
  page.gauge("unformed_digests", "Accepted digests that wait for a round", [[depths.unformed]]);
  page.gauge("rounds_in_flight", "Rounds put to witnesses", [[depths.roundsInFlight]]);
  page.gauge("rounds_unstored", "Signed rounds that wait for a commit", [[depths.unstoredRounds]]);
  page.gauge("held_answers", "Answers that are held until jobs are signed", [[depths.waiters]]);
  page.gauge("index_runs", "Runs of the index of hashes: in memory, or sealed in the store", [
    [depths.unsealedRuns, { state: "unsealed" }],
    [depths.sealedRuns, { state: "sealed" }],
  ]);
  page.gauge("event_connections", "Connections that follow events", [[events?.connections]]);
  page.gauge("event_readers_waiting", "Followers of events that have not taken what was sent", [[
    events?.waitingReaders,
  ]]);
}

function addWitnesses(
  page: MetricsPage,
  { status: { witnesses }, threshold, clockDifferences }: GatewaySnapshot,
) {
  page.gauge("witness_threshold", "Witnesses that have to sign", [[threshold]]);
  page.gauge(
    "witness_healthy",
    "1 while a witness has answered and none of its kinds of work fails",
    witnesses.map(({ id, healthy }) => [Number(healthy), { witness: id }]),
  );
  page.gauge(
    "witness_failing",
    "1 while a kind of work of a witness fails",
    witnesses.flatMap(({ id, failing = [] }) =>
      WITNESS_WORKS.map((work): Sample => [Number(failing.includes(work)), { witness: id, work }])
    ),
  );
  page.gauge(
    "witness_last_seen_timestamp_seconds",
    "Unix time of the last good answer of a witness",
    witnesses.map(({ id, last_seen_at }) => [last_seen_at, { witness: id }]),
  );
  page.gauge(
    "witness_clock_ahead_seconds",
    "How far the clock of a remote witness is ahead of this machine's; negative: behind",
    clockDifferences.map(({ witness, aheadMs }) => [aheadMs / 1000, { witness }]),
  );
}
