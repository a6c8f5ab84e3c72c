import assert from "node:assert/strict";
import {
  addAnchoringMetrics,
  type AnchoringSnapshot,
} from "../../../src/http/metrics/anchoring_metrics.ts";
import {
  addGatewayMetrics,
  type GatewaySnapshot,
} from "../../../src/http/metrics/gateway_metrics.ts";
import { MetricsPage } from "../../../src/http/metrics/metrics_page.ts";
import { addProcessMetrics } from "../../../src/http/metrics/process_metrics.ts";
import { ThreadMetrics } from "../../../src/http/metrics/thread_metrics.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "../../gateway/fixture.ts";
import { metricsOf, valueOf } from "./page_samples.ts";

const GATEWAY: GatewaySnapshot = {
  status: {
    status: "ok",
    witnesses: [
      { id: "a/w1", healthy: true, last_seen_at: 900 },
      { id: "a/w2", healthy: false, last_error: "token_refused", failing: ["probe", "cosign"] },
    ],
    pending_count: 3,
    oldest_pending_age: 4,
    sth: { tree_size: 12, age: 5 },
    beacon: { round: 77, age: 6 },
    succession: { epoch: 2, next: 3, step: "ending", waits_for: ["a/w2"] },
  },
  depths: {
    accepted: 20,
    confirmed: 17,
    published: 12,
    backlog: 8,
    retryable: 2,
    unformed: 1,
    spent: 7,
    roundsInFlight: 3,
    unstoredRounds: 4,
    waiters: 5,
    unsealedRuns: 2,
    sealedRuns: 6,
  },
  unpublishedAge: 9,
  threshold: 2,
  diskFreeBytes: 2_000_000_000,
  clockDifferences: [{ witness: "a/w2", aheadMs: -1500 }],
  batchMaxAgeSeconds: 1.5,
  mergeDelaySeconds: 3600,
  unready: new Map([["witnesses_missing", true], ["anchor_overdue", false]]),
  damage: { records: 13, reads: 14 },
  leaseSeconds: 1.5,
  replicas: [{ name: "east", mode: "sync", lagBytes: 12 }],
  publishing: { size: 11, isFailing: true },
  certificateExpires: 1_800_000_000,
  events: { connections: 30, waitingReaders: 31 },
};

const ANCHORING: AnchoringSnapshot = {
  now: 1_000,
  peers: [
    { id: "peer", lastCrossAnchor: { treeSize: 11, timestamp: 990 } },
    { id: "away", lastError: "peer_unreachable", failingSince: 900 },
  ],
  anchors: [{
    name: "tsa",
    provider: "rfc3161",
    mode: "required",
    last: { treeSize: 12, timestamp: 980, status: "pending" },
    lastConfirmedSize: 10,
    pending: 2,
    givenUp: 4,
    fault: { code: "anchor_unreachable", at: 999 },
  }],
  added: { crossAnchors: new Map([["peer", 8]]), anchors: new Map([["tsa", 9]]) },
  contradictions: 1,
};

/** The samples of a page as texts, without the common prefix of names. */
async function samplesOf(write: (page: MetricsPage) => void): Promise<string[]> {
  const page = new MetricsPage();
  write(page);
  const text = await page.text();
  metricsOf(text);
  return text.split("\n").filter((line) => line.startsWith("countersign_"))
    .map((line) => line.replace("countersign_", ""));
}

Deno.test("metrics show the state of a gateway", async () => {
  assert.deepEqual(await samplesOf((page) => addGatewayMetrics(page, GATEWAY)), [
    "up 1",
    'health{status="ok"} 1',
    'health{status="degraded"} 0',
    'health{status="signing_stalled"} 0',
    'health{status="publishing_stalled"} 0',
    'health{status="witnesses_unavailable"} 0',
    'health{status="store_rolled_back"} 0',
    'health{status="storage_failed"} 0',
    'health{status="shutting_down"} 0',
    'health{status="standby"} 0',
    'health{status="log_ended"} 0',
    "ready 0",
    'unready{code="witnesses_missing"} 1',
    'unready{code="anchor_overdue"} 0',
    "disk_free_bytes 2000000000",
    "damaged_records 13",
    "damaged_reads_total 14",
    "accepted_total 20",
    "confirmed_total 17",
    "published_total 12",
    "tokens_spent_total 7",
    "tree_size 12",
    "tree_head_age_seconds 5",
    "unpublished_age_seconds 9",
    "batch_max_age_seconds 1.5",
    "merge_delay_seconds 3600",
    "epoch 2",
    'succession_step{step="checking"} 0',
    'succession_step{step="ending"} 1',
    'succession_step{step="beginning"} 0',
    "beacon_recent 1",
    "beacon_round 77",
    "beacon_age_seconds 6",
    'jobs{state="pending"} 1',
    'jobs{state="retryable"} 2',
    'jobs{state="confirmed"} 5',
    'jobs{state="batched"} 12',
    "pending 3",
    "oldest_pending_age_seconds 4",
    "intake_backlog 8",
    "unformed_digests 1",
    "rounds_in_flight 3",
    "rounds_unstored 4",
    "held_answers 5",
    'index_runs{state="unsealed"} 2',
    'index_runs{state="sealed"} 6',
    "event_connections 30",
    "event_readers_waiting 31",
    "active 1",
    "lease_remaining_seconds 1.5",
    "store_replicas 1",
    'store_replica_lag_bytes{replica="east",mode="sync"} 12',
    "publishing_tree_size 11",
    "publishing_failing 1",
    "tsa_certificate_expires_timestamp_seconds 1800000000",
    "witness_threshold 2",
    'witness_healthy{witness="a/w1"} 1',
    'witness_healthy{witness="a/w2"} 0',
    'witness_failing{witness="a/w1",work="probe"} 0',
    'witness_failing{witness="a/w1",work="cosign"} 0',
    'witness_failing{witness="a/w1",work="sign"} 0',
    'witness_failing{witness="a/w2",work="probe"} 1',
    'witness_failing{witness="a/w2",work="cosign"} 1',
    'witness_failing{witness="a/w2",work="sign"} 0',
    'witness_last_seen_timestamp_seconds{witness="a/w1"} 900',
    'witness_clock_ahead_seconds{witness="a/w2"} -1.5',
  ]);
});

Deno.test("a gateway without a published head has metrics and is ready", async () => {
  const { beacon: _beacon, sth: _sth, oldest_pending_age: _age, ...status } = GATEWAY.status;
  const { events: _events, ...rest } = GATEWAY;
  const { spent: _spent, ...depths } = GATEWAY.depths;
  const samples = await samplesOf((page) =>
    addGatewayMetrics(page, {
      ...rest,
      depths,
      status: { ...status, status: "store_rolled_back" },
      unpublishedAge: undefined,
      mergeDelaySeconds: undefined,
      unready: new Map([["anchor_overdue", false]]),
    })
  );
  for (
    const sample of [
      "up 0",
      "ready 1",
      'health{status="store_rolled_back"} 1',
      "tree_size 0",
      "unpublished_age_seconds 0",
      "oldest_pending_age_seconds 0",
    ]
  ) assert.ok(samples.includes(sample), sample);
  for (const sample of samples) {
    assert.doesNotMatch(sample, /beacon|head_age|merge_delay|event|spent/);
  }
});

Deno.test("a gateway with relays shows that its beacon is not recent", async () => {
  const status = { ...GATEWAY.status, beacon: null };
  const samples = await samplesOf((page) => addGatewayMetrics(page, { ...GATEWAY, status }));
  const beacon = samples.filter((sample) => sample.startsWith("beacon"));
  assert.deepEqual(beacon, ["beacon_recent 0"]);
});

Deno.test("metrics show the state of peers and services", async () => {
  const tsa = '{service="tsa",provider="rfc3161"}';
  assert.deepEqual(await samplesOf((page) => addAnchoringMetrics(page, ANCHORING)), [
    'cross_anchor_tree_size{peer="peer"} 11',
    'cross_anchor_tree_size{peer="away"} 0',
    'cross_anchor_age_seconds{peer="peer"} 10',
    'cross_anchors_total{peer="peer"} 8',
    'cross_anchors_total{peer="away"} 0',
    'peer_failing_seconds{peer="peer"} 0',
    'peer_failing_seconds{peer="away"} 100',
    "contradictions_total 1",
    `anchor_tree_size${tsa} 10`,
    `anchor_age_seconds${tsa} 20`,
    `anchors_pending${tsa} 2`,
    `anchors_given_up${tsa} 4`,
    `anchors_total${tsa} 9`,
    `anchor_failing${tsa} 1`,
  ]);
  const none = { ...ANCHORING, peers: [], anchors: [], contradictions: 0 };
  assert.deepEqual(await samplesOf((page) => addAnchoringMetrics(page, none)), [
    "contradictions_total 0",
  ]);
});

Deno.test("ThreadMetrics measures event loop delay until it is disposed of", async () => {
  using thread = new ThreadMetrics("front-1");
  const ofThread = { thread: "front-1" };
  let text = "";
  await until(async () => {
    const page = new MetricsPage();
    thread.addTo(page);
    addProcessMetrics(page, { version: "1.2.3", startSeconds: 1_234 });
    text = await page.text();
    return valueOf(text, "countersign_event_loop_lag_seconds_count", ofThread)! > 1;
  });
  assert.equal(valueOf(text, "countersign_start_time_seconds"), 1_234);
  const runtime = `deno ${Deno.version.deno}`;
  assert.equal(valueOf(text, "countersign_build_info", { version: "1.2.3", runtime }), 1);
  assert.ok(valueOf(text, "countersign_resident_memory_bytes")! > 1e6);
  const heap = (part: string) => valueOf(text, "countersign_heap_bytes", { part })!;
  assert.ok(heap("total") >= heap("used") && heap("used") > 0);
  assert.ok(valueOf(text, "countersign_cpu_seconds_total", { mode: "user" })! > 0);
  assert.ok(valueOf(text, "countersign_thread_cpu_seconds_total", ofThread)! > 0);
  assert.ok(valueOf(text, "countersign_event_loop_lag_seconds_sum", ofThread)! >= 0);
});

Deno.test("each accepted hash is in one state, with any witness behaviour", async () => {
  const home = new TestNetwork();
  const { gateway } = await home.start(await memoryStore());
  const states = () => {
    const { accepted, confirmed, published, retryable } = gateway.status.depths;
    return [accepted - confirmed - retryable, retryable, confirmed - published, published];
  };
  assert.deepEqual(states(), [0, 0, 0, 0]);
  await gateway.jobs.accept(randomDigests(600));
  await until(() => gateway.status.depths.published === 600);
  assert.deepEqual(states(), [0, 0, 0, 600]);
  for (const witness of home.witnesses) witness.down = true;
  await gateway.jobs.accept(randomDigests(700));
  await until(() => gateway.status.depths.retryable === 700);
  assert.deepEqual(states(), [0, 700, 0, 600]);
  assert.ok(gateway.status.depths.roundsInFlight >= 2);
  for (const witness of home.witnesses) witness.down = false;
  await until(() => gateway.status.depths.published === 1_300);
  assert.deepEqual(states(), [0, 0, 0, 1_300]);
  assert.deepEqual([gateway.status.depths.backlog, gateway.status.depths.roundsInFlight], [0, 0]);
  await gateway.stop();
});

Deno.test("a signed hash counts as confirmed once it is durable", async () => {
  const store = await memoryStore();
  const gate = Promise.withResolvers<void>();
  const commit = store.rounds.commit.bind(store.rounds);
  store.rounds.commit = async (rows, rounds, spent) => {
    if (rounds.length > 0) await gate.promise;
    return await commit(rows, rounds, spent);
  };
  const { gateway } = await new TestNetwork().start(store);
  await gateway.jobs.accept(randomDigests(3));
  await until(() => gateway.status.depths.unstoredRounds > 0);
  assert.equal(gateway.status.depths.confirmed, 0);
  gate.resolve();
  await until(() => gateway.status.depths.published === 3);
  assert.deepEqual([gateway.status.depths.confirmed, gateway.status.depths.unstoredRounds], [3, 0]);
  await gateway.stop();
});
