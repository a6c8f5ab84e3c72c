import assert from "node:assert/strict";
import { concat } from "../../src/base/bytes.ts";
import type { SequencerService } from "../../src/gateway/fronts/gateway_sequencer.ts";
import type { AssignRequest } from "../../src/gateway/fronts/ports.ts";
import { GatewaySequencer } from "../../src/gateway/fronts/gateway_sequencer.ts";
import { HealthView } from "../../src/gateway/health_view.ts";
import { Epochs } from "../../src/gateway/succession/epochs.ts";
import { HashIndex } from "../../src/gateway/index/hash_index.ts";
import { DIGEST_WORDS } from "../../src/gateway/index/keyed_hash.ts";
import { RUN_LEAVES } from "../../src/gateway/index/recent_digests.ts";
import { MemoryLogStore } from "./memory_store.ts";
import { FakeClock } from "../fake_clock.ts";
import { serviceStatus } from "../../src/gateway/service_status.ts";
import { SigningReplica } from "../../src/gateway/signing/signing_view.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import { StoreWrites } from "../../src/gateway/settle.ts";
import { StoreOutage } from "../../src/base/store_outage.ts";
import { NO_TRACER, type Tracer } from "../../src/gateway/tracer.ts";
import { randomDigests, TestNetwork } from "./fixture.ts";
import { SizeLiar } from "./faulty_witnesses.ts";
import { MemoryLog } from "./memory_log.ts";
import { assertCurrent, RecordingFollower } from "./recording_follower.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";

const scheme = "ed25519";

/** The outcome of one assign as a line: its sequences, or the code of its error. */
function outcomes(
  service: SequencerService,
  request: AssignRequest,
  lines: string[],
): void {
  service.assign(
    request,
    (sequences) => lines.push(`assigned ${sequences}`),
    (error) => lines.push(`failed ${(error as { code: string }).code}`),
  );
}

function digestsOf(count: number): AssignRequest {
  return { digests: randomDigests(count), sealedRuns: 0 };
}

/** The lines that matter: without the status, which is compared at intervals. */
function without(lines: readonly string[], ...prefixes: string[]): string[] {
  return lines.filter((line) => !prefixes.some((prefix) => line.startsWith(prefix)));
}

Deno.test("an update is published before the outcome that depends on it", async () => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open());
  const follower = new RecordingFollower();
  const end = new AbortController();
  gateway.sequencer.follow(follower, end.signal);
  assert.deepEqual(follower.lines, ["joined"]);
  const digests = randomDigests(3);
  outcomes(gateway.sequencer, { digests, sealedRuns: 0 }, follower.lines);
  await scenario.clock.advance(300);
  assert.deepEqual(without(follower.lines, "pending"), [
    "joined",
    "accepted 3",
    "assigned 0,1,2",
    "confirmed 0+3",
    "tree 3",
    "published 3",
    "extended 3",
  ]);
  assertCurrent(follower.state, gateway.sequencer);
  // A repeated digest is answered at once, with the sequence that it has.
  outcomes(gateway.sequencer, {
    digests: concat(digests.slice(32, 64), randomDigests(1), digests.slice(0, 32)),
    sealedRuns: 0,
  }, follower.lines);
  outcomes(gateway.sequencer, { digests: digests.slice(64), sealedRuns: 0 }, follower.lines);
  assert.equal(follower.lines.at(-1), "assigned 2");
  await scenario.clock.advance(300);
  assert.ok(follower.lines.includes("assigned 1,3,0"));
  assertCurrent(follower.state, gateway.sequencer);
  // The latest head is cosigned again after ten minutes.
  await scenario.clock.advance(600_000);
  assert.equal(without(follower.lines, "pending").at(-1), "cosigned 4");
  assert.notEqual(follower.state.checkpoint, follower.state.latest);
  end.abort();
  const { length } = follower.lines;
  await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(300);
  assert.equal(follower.lines.length, length);
  assert.equal(scenario.log.violations.length, 0);
  await gateway.stop();
});

Deno.test("a traced request of a front is known to the tracer before the spans of its digests", async () => {
  const scenario = new Scenario(scheme);
  const lines: string[] = [];
  const tracer: Tracer = {
    ...NO_TRACER,
    digestReceived: () => assert.fail("the sequencer has no request"),
    digestsReceived: (sequences, { spanId }) => lines.push(`${spanId} sent ${sequences}`),
    span(name, _attributes, work, range) {
      if (range !== undefined) lines.push(`${name} of ${range.start} to ${range.end}`);
      return work();
    },
  };
  const { gateway } = await scenario.start(scenario.open(), { tracer });
  const request = digestsOf(3);
  const trace = { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 };
  outcomes(gateway.sequencer, { ...request, trace }, lines);
  outcomes(gateway.sequencer, digestsOf(1), lines);
  await scenario.clock.advance(300);
  assert.deepEqual(lines.slice(0, 5), [
    "bbbbbbbbbbbbbbbb sent 0,1,2",
    "commit of 0 to 4",
    "assigned 0,1,2",
    "assigned 3",
    "round of 0 to 4",
  ]);
  await gateway.stop();
});

Deno.test("answers of the gateway itself follow the updates too", async () => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open());
  const follower = new RecordingFollower();
  gateway.sequencer.follow(follower, new AbortController().signal);
  const answer = gateway.jobs.submit("ab".repeat(32), 10).then(({ json }) =>
    follower.lines.push(`answered ${JSON.parse(json).status}`)
  );
  await scenario.clock.advance(0);
  await answer;
  assert.deepEqual(without(follower.lines, "pending"), [
    "joined",
    "accepted 1",
    "confirmed 0+1",
    "answered confirmed",
  ]);
  await gateway.stop();
});

for (const state of ["down", "silent"] as const) {
  Deno.test(`jobs and status of a follower are those of the gateway while witnesses are ${state}`, async () => {
    const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
    const { gateway } = await scenario.start(scenario.open());
    await scenario.clock.advance(100);
    const follower = new RecordingFollower();
    gateway.sequencer.follow(follower, new AbortController().signal);
    for (const witness of scenario.network.witnesses) witness.state = state;
    outcomes(gateway.sequencer, digestsOf(2), follower.lines);
    await scenario.clock.advance(1);
    // Sixteen rounds are in flight; the last digests have none.
    for (let i = 0; i < 18; i++) {
      outcomes(gateway.sequencer, digestsOf(512), follower.lines);
      await scenario.clock.advance(1);
    }
    const seen = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await scenario.clock.advance(250);
      const { durable, load, failing, health, latest } = follower.state;
      const signing = new SigningReplica(durable, load, failing);
      for (const sequence of [0, 1, 2, 8_000, durable - 1]) {
        const job = await jobOf(gateway, sequence);
        const { attempts, nextAttemptAt, lastError } = signing.stateOf(sequence);
        const now = unixSeconds(scenario.clock);
        assert.deepEqual(
          [attempts, nextAttemptAt ?? now, lastError],
          [job.attempts, job.next_attempt_at, job.last_error],
        );
        seen.add(`${sequence} ${job.status} ${job.attempts}`);
      }
      assert.equal(signing.unformedCount, durable - 2 - 15 * 512);
      const status = gateway.status.facts();
      assertCurrent({ ...follower.state, status }, gateway.sequencer);
      // Probes of witnesses change the status between two reviews.
      await scenario.clock.advance(100);
      assert.deepEqual(
        serviceStatus(health, follower.state.status, latest, unixSeconds(scenario.clock)),
        gateway.status.resource(),
      );
    }
    assert.ok(seen.has("1 retryable 3") && seen.has(`${2 + 18 * 512 - 1} retryable 0`));
    for (const witness of scenario.network.witnesses) witness.state = "up";
    await scenario.clock.advance(60_000);
    assert.deepEqual(follower.state.failing, []);
    assert.equal(follower.state.confirmed.end, 2 + 18 * 512);
    assert.equal(follower.state.status.pending, 0);
    assert.equal(follower.state.load.isHeld, false);
    await gateway.stop();
  });
}

Deno.test("an outage of the store fails what waits, and digests are accepted after it", async () => {
  const scenario = new Scenario(scheme);
  const store = scenario.open();
  const { gateway } = await scenario.start(store);
  const follower = new RecordingFollower();
  gateway.sequencer.follow(follower, new AbortController().signal);
  store.fault = (operation) => operation === "read" ? undefined : "fail_not_stored";
  const errors: unknown[] = [];
  const request = digestsOf(2);
  gateway.sequencer.assign(request, () => {}, (error) => errors.push(error));
  outcomes(gateway.sequencer, request, follower.lines);
  await scenario.clock.advance(6_000);
  assert.deepEqual(without(follower.lines, "pending", "failing"), [
    "joined",
    "storage_failed",
    "failed storage_failed",
  ]);
  // An outage is logged once, not for each request.
  assert.ok(errors[0] instanceof StoreOutage);
  assert.equal(follower.state.health.isSigning, false);
  assert.equal(follower.state.health.refusal?.code, "storage_failed");
  outcomes(gateway.sequencer, digestsOf(1), follower.lines);
  assert.equal(follower.lines.at(-1), "failed storage_failed");
  store.fault = () => undefined;
  await scenario.clock.advance(2_000);
  assert.equal(follower.state.health.status, "ok");
  assert.equal(follower.state.durable, 2);
  outcomes(gateway.sequencer, request, follower.lines);
  assert.equal(follower.lines.at(-1), "assigned 0,1");
  assertCurrent(follower.state, gateway.sequencer);
  await gateway.stop();
});

Deno.test("a store that turns out to be an old copy acknowledges nothing that waits", async () => {
  const scenario = new Scenario(scheme);
  const [a, b, c] = scenario.network.witnesses;
  const liars = [new SizeLiar(a!, 1_000), new SizeLiar(b!, 2_000)];
  for (const liar of liars) liar.isLying = false;
  const store = scenario.open();
  const { gateway } = await scenario.start(store, { witnesses: [...liars, c!] });
  await scenario.submit(gateway, randomDigests(1));
  await scenario.settle(gateway);
  const follower = new RecordingFollower();
  gateway.sequencer.follow(follower, new AbortController().signal);
  for (const liar of liars) liar.isLying = true;
  // The commit is slow: the next head is refused before it is stored.
  await scenario.clock.advance(599_000);
  store.fault = (operation) => operation === "intake" ? "fail_not_stored" : undefined;
  outcomes(gateway.sequencer, digestsOf(1), follower.lines);
  await scenario.clock.advance(2_000);
  assert.equal(follower.state.health.status, "store_rolled_back");
  assert.equal(follower.state.health.unacknowledged, "unsigned");
  assert.equal(follower.state.load.isHeld, true);
  store.fault = () => undefined;
  await scenario.clock.advance(2_000);
  assert.deepEqual(without(follower.lines, "pending", "failing"), [
    "joined",
    "store_rolled_back",
    "accepted 2",
    "failed store_rolled_back",
  ]);
  for (const liar of liars) liar.isLying = false;
  await scenario.clock.advance(61_000);
  assert.equal(follower.state.health.status, "ok");
  assert.equal(follower.state.load.isHeld, false);
  assert.equal(follower.state.confirmed.end, 2);
  assertCurrent(follower.state, gateway.sequencer);
  await gateway.stop();
});

Deno.test("a stop stores what was assigned and refuses what comes later", async () => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open());
  const follower = new RecordingFollower();
  gateway.sequencer.follow(follower, new AbortController().signal);
  outcomes(gateway.sequencer, digestsOf(20), follower.lines);
  const stopped = gateway.stop();
  outcomes(gateway.sequencer, digestsOf(1), follower.lines);
  await stopped;
  const lines = without(follower.lines, "pending", "failing");
  assert.deepEqual(lines.slice(0, 3), ["joined", "shutting_down", "failed shutting_down"]);
  assert.ok(lines.indexOf("accepted 20") < lines.findIndex((line) => line.startsWith("assigned")));
  assert.equal(follower.state.health.unacknowledged, "none");
  // The status is no longer reviewed: nothing keeps the process alive.
  assert.equal(scenario.clock.sleeping, 0);
});

Deno.test("an assign fails as a whole when it is refused", async () => {
  const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
  const store = scenario.open();
  const { gateway } = await scenario.start(store, { spendsTokens: true });
  const lines: string[] = [];
  const { sequencer } = gateway;
  outcomes(sequencer, { ...digestsOf(1), sealedRuns: 1 }, lines);
  assert.deepEqual(lines, ["assigned undefined"]);
  const ids = randomDigests(2);
  const spends = { positions: [0, 2], ids };
  outcomes(sequencer, { ...digestsOf(3), spends }, lines);
  await scenario.clock.advance(0);
  outcomes(sequencer, { ...digestsOf(3), spends }, lines);
  assert.deepEqual(lines.slice(1), ["assigned 0,1,2", "failed token_spent"]);
  store.fault = (operation) => operation === "read" ? undefined : "hang_not_stored";
  outcomes(sequencer, digestsOf(65_536), lines);
  outcomes(sequencer, digestsOf(1), lines);
  assert.deepEqual(lines.slice(3), ["failed overloaded"]);
  store.fault = () => undefined;
  const stopping = gateway.stop();
  await scenario.clock.advance(60_000);
  await stopping;
});

Deno.test("a run that is added or sealed is published before its digests", async () => {
  const log = new MemoryLog(KV_LOG_LIMITS);
  const clock = new FakeClock();
  const store = new MemoryLogStore(log);
  await store.takeFence();
  const index = await HashIndex.open(store.index, store.rounds, 0);
  const head = { size: 0, root: new Uint8Array(32) };
  const writes = new StoreWrites(clock);
  let durable = 0;
  const sequencer = new GatewaySequencer({
    clock,
    index,
    spent: undefined,
    anchorsFeed: undefined,
    assigner: { assign: () => assert.fail() },
    committer: { durable, backlog: 0, onDurable: () => assert.fail() },
    health: new HealthView({ status: "ok", isSigning: true, unacknowledged: "none" }),
    signer: { formed: 0, answerMs: 0, isHeld: false, failing: [] },
    confirmed: { end: 0, beyond: [] },
    tree: { head, edges: [] },
    heads: { latest: undefined },
    status: { facts: () => ({ witnesses: [], pending: 0 }) },
    epochs: new Epochs(new TestNetwork().network),
    tracer: NO_TRACER,
  });
  const follower = new RecordingFollower();
  const end = new AbortController();
  sequencer.follow(follower, end.signal);
  const words = new Uint32Array(DIGEST_WORDS);
  for (durable = 0; durable <= RUN_LEAVES; durable++) {
    words[0] = durable;
    index.append(words, 0);
  }
  sequencer.accepted(durable);
  await index.seal(durable, writes);
  assert.deepEqual(follower.lines, [
    "joined",
    "digests of 2 runs",
    `accepted ${durable}`,
    "digests of 1 runs",
  ]);
  const { index: { filters, runs } } = follower.state;
  assert.deepEqual([filters.length, runs[0]?.base], [1, RUN_LEAVES]);
  end.abort();
  assert.equal(clock.sleeping, 0);
});
