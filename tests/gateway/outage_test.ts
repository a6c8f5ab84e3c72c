import assert from "node:assert/strict";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { hashAt, randomDigests, type TestNetwork } from "./fixture.ts";
import { MemoryLog } from "./memory_log.ts";
import { JobWatch } from "./job_watch.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { eachScheme } from "../schemes.ts";

/** Stops witnesses until fewer than the threshold of three are left, or restarts them. */
function setOutage(network: TestNetwork, isOut: boolean): void {
  for (const witness of network.witnesses.slice(1)) witness.down = isOut;
}

eachScheme.test("below the threshold jobs are retryable with growing delays", async (scheme) => {
  const scenario = new Scenario(scheme);
  setOutage(scenario.network, true);
  const { gateway, log } = await scenario.start(scenario.open(), { acceptsBeforeWitnesses: true });
  const acceptedAt = Math.floor(scenario.clock.nowMs() / 1000);
  await scenario.submit(gateway, randomDigests(3));
  await scenario.clock.advance(1);
  const seen = [];
  for (let i = 0; i < 60; i++) {
    const job = await jobOf(gateway, 2);
    assert.equal(job.status, "retryable");
    assert.equal(job.progress, "unconfirmed");
    assert.equal(job.created_at, acceptedAt);
    assert.equal(job.last_error?.code, "threshold_not_met");
    assert.equal(job.signed_attestation, undefined);
    assert.ok(job.next_attempt_at! >= Math.floor(scenario.clock.nowMs() / 1000));
    seen.push({ attempts: job.attempts, next: job.next_attempt_at!, updated: job.updated_at });
    await scenario.clock.advance(1_000);
  }
  assert.equal(seen[0]!.attempts, 1);
  for (let i = 1; i < seen.length; i++) {
    assert.ok(seen[i]!.attempts >= seen[i - 1]!.attempts);
    assert.ok(seen[i]!.next >= seen[i - 1]!.next);
    assert.ok(seen[i]!.updated >= seen[i - 1]!.updated);
  }
  // 0.25, 0.5, 1, 2, 4, 8 and then 10 s apart.
  assert.equal(seen.at(-1)!.attempts, 11);
  // The job changed with the last attempt.
  assert.ok(seen.at(-1)!.updated > acceptedAt + 45);
  const { pending_count, oldest_pending_age, witnesses } = gateway.status.resource();
  assert.deepEqual([pending_count, oldest_pending_age], [3, 60]);
  assert.deepEqual(witnesses.map(({ healthy }) => healthy), [true, false, false]);
  log.assertSaid("witness_unreachable", 2, 0);
  log.assertSaid("threshold_not_met", 1, 0);
  await gateway.stop();
});

eachScheme.test("the attempts of a job never decrease, in its first round and after failed ones", async (scheme) => {
  for (const downMs of [0, 2_000]) {
    const scenario = new Scenario(scheme);
    const store = scenario.open();
    const { gateway } = await scenario.start(store);
    const watch = new JobWatch(gateway);
    const look = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 50) {
        await watch.look();
        await scenario.clock.advance(50);
      }
    };
    setOutage(scenario.network, downMs > 0);
    await scenario.submit(gateway, randomDigests(3));
    await look(downMs);
    // Signed rounds are not stored for a time, in which more digests come and wait.
    store.fault = (operation) => /rounds|mixed/.test(operation) ? "fail_not_stored" : undefined;
    if (downMs === 0) void scenario.submit(gateway, randomDigests(2)).catch(() => {});
    setOutage(scenario.network, false);
    await look(4_000);
    store.fault = () => undefined;
    await look(20_000);
    const seen = [...watch.attempts.values()];
    assert.equal(seen.length, downMs === 0 ? 5 : 3);
    assert.deepEqual(seen[0], downMs === 0 ? [1] : [1, 2, 3, 4, 5]);
    assert.equal((await jobOf(gateway, 0)).status, "confirmed");
    await gateway.stop();
  }
});

eachScheme.test("a job is retryable after the time limit of silent witnesses", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway, faults, log } = await scenario.start(scenario.open());
  for (const witness of scenario.network.witnesses.slice(1)) witness.state = "silent";
  await scenario.submit(gateway, randomDigests(2));
  await scenario.clock.advance(4_900);
  assert.equal((await jobOf(gateway, 0)).status, "pending");
  await scenario.clock.advance(200);
  const job = await jobOf(gateway, 0);
  assert.equal(job.status, "retryable");
  assert.equal(job.last_error?.code, "threshold_not_met");
  await scenario.clock.advance(2_000);
  log.assertSaid("threshold_not_met", 1, 0);
  for (const witness of scenario.network.witnesses) witness.state = "up";
  await scenario.settle(gateway, 6_000);
  await scenario.checkFinished(gateway);
  await scenario.clock.advance(30_000);
  log.assertSaid("threshold_not_met", 1);
  assert.deepEqual(faults, []);
  await gateway.stop();
});

eachScheme.test("a signed round ends the pauses of other rounds", async (scheme) => {
  const scenario = new Scenario(scheme);
  setOutage(scenario.network, true);
  const { gateway } = await scenario.start(scenario.open(), { acceptsBeforeWitnesses: true });
  for (let i = 0; i < 5; i++) {
    await scenario.submit(gateway, randomDigests(2));
    await scenario.clock.advance(700);
  }
  // Attempts are ten seconds apart by now; this is between two of them.
  await scenario.clock.advance(60_000);
  setOutage(scenario.network, false);
  await scenario.clock.advance(100);
  assert.equal((await jobOf(gateway, 0)).status, "retryable");
  const [latest] = await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(50);
  for (let sequence = 0; sequence <= latest!; sequence++) {
    assert.equal((await jobOf(gateway, sequence)).status, "confirmed", `${sequence}`);
  }
  await gateway.stop();
});

for (const restarts of [0, 2]) {
  eachScheme.test(`5,000 jobs wait out an outage (${restarts} restarts) and are confirmed in order`, async (scheme) => {
    const scenario = new Scenario(scheme, new MemoryLog(KV_LOG_LIMITS));
    let { gateway, faults, log } = await scenario.start(scenario.open());
    await scenario.submit(gateway, randomDigests(10));
    await scenario.settle(gateway);
    setOutage(scenario.network, true);
    const outAt = Math.floor(scenario.clock.nowMs() / 1000);
    for (let i = 0; i < 5; i++) {
      await scenario.submit(gateway, randomDigests(1_000));
      await scenario.clock.advance(30_000);
    }
    for (let i = 0; i < restarts; i++) {
      await gateway.stop();
      ({ gateway, faults, log } = await scenario.start(scenario.open()));
      scenario.clock.jump(3_600_000);
      await scenario.clock.advance(15_000);
    }
    assert.equal(gateway.status.resource().pending_count, 5_000);
    assert.ok(log.begun("threshold_not_met").length > 0);
    for (const sequence of [10, 500, 5_009]) {
      // After a start nothing is attempted before the threshold agrees with the store.
      const status = restarts === 0 ? "retryable" : "pending";
      assert.equal((await jobOf(gateway, sequence)).status, status);
    }
    const askedBefore = scenario.network.witnesses[0]!.asked.sign;
    setOutage(scenario.network, false);
    await scenario.settle(gateway, 15_000);
    await scenario.checkFinished(gateway);
    assert.equal(gateway.status.resource().pending_count, 0);
    // One success wakes all rounds, and no request is sent twice.
    assert.ok(scenario.network.witnesses[0]!.asked.sign - askedBefore <= 2 * 20);
    for (const { first, timestamp } of scenario.log.rounds.values()) {
      // The witness that is up has signed the times of the first attempts.
      assert.ok(first < 10 || timestamp >= outAt, `round ${first} is of before`);
    }
    await scenario.clock.advance(30_000);
    // After a clock jump, failures expire and are counted again.
    assert.equal(log.ended("threshold_not_met").length, log.begun("threshold_not_met").length);
    assert.deepEqual(faults, []);
    await gateway.stop();
  });
}

eachScheme.test("a confirmed job stays confirmed after a restart while earlier jobs wait", async (scheme) => {
  const scenario = new Scenario(scheme);
  const { gateway } = await scenario.start(scenario.open(), { maxAgeMs: 1e9 });
  // The first round is refused by two of three, the second is not.
  const [, second, third] = scenario.network.witnesses;
  second!.down = third!.down = true;
  await scenario.submit(gateway, randomDigests(2));
  await scenario.clock.advance(100);
  second!.down = third!.down = false;
  await scenario.submit(gateway, randomDigests(2));
  await scenario.clock.advance(1);
  assert.equal((await jobOf(gateway, 2)).status, "confirmed");
  // Killed here, with a gap for the first round on disk. The gap is made by the test, because a
  // success wakes the rest.
  scenario.log.rounds.delete(0);
  second!.down = third!.down = true;
  const next = await scenario.start(scenario.open(), { maxAgeMs: 1e9 });
  await scenario.clock.advance(10_000);
  assert.equal((await jobOf(next.gateway, 0)).status, "pending");
  const job = await jobOf(next.gateway, 3);
  assert.equal(job.status, "confirmed");
  assert.equal(job.progress, "confirmed");
  await next.gateway.jobs.settled([2, 3], 30);
  await next.gateway.proofs.bundle(await hashAt(next.gateway, 2));
  const waiting = await hashAt(next.gateway, 1);
  await assert.rejects(async () => await next.gateway.proofs.bundle(waiting), {
    code: "not_confirmed",
  });
  assert.equal(next.gateway.status.resource().pending_count, 2);
  second!.down = third!.down = false;
  await scenario.clock.until(async () => (await jobOf(next.gateway, 0)).status === "confirmed");
  await scenario.observe(next.gateway);
  await scenario.check();
  await next.gateway.stop();
});
